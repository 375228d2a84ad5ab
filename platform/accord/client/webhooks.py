"""Webhooks of a namespace, and the messages to them.

Documents are handed out as they came; every function raises `accord.client.NoNamespaceNamed` where the
address does not end in ``/sr/TENANT/NAMESPACE``, and what `accord.client.RegistryClient` raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.client.namespaces import WHATEVER, Document, every
from accord.client.transport import Below, Request

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.client.registry import RegistryClient
    from accord.client.transport import Json

_WEBHOOKS: Final = "/webhooks"


def webhooks(client: RegistryClient) -> Iterator[Document]:
    """The webhooks of the namespace, oldest first, without their secrets."""
    yield from every(client, _WEBHOOKS)


def make_webhook(client: RegistryClient, wanted: Mapping[str, Json]) -> Document:
    """Make a webhook of ``url``, ``events`` and ``description``; only this answer holds its ``secret``."""
    return client.ask_accord("POST", _WEBHOOKS, body=dict(wanted)).document()


def change_webhook(client: RegistryClient, webhook: str, wanted: Mapping[str, Json]) -> Document:
    """Change what is named: ``url``, ``events``, ``description`` or ``enabled``."""
    return _send(client, "PATCH", webhook, dict(wanted))


def roll_webhook(client: RegistryClient, webhook: str) -> Document:
    """Give a webhook another ``secret``, which only this answer holds."""
    return _send(client, "POST", f"{webhook}/roll")


def delete_webhook(client: RegistryClient, webhook: str) -> None:
    """Delete a webhook with its messages."""
    client.send(_request("DELETE", webhook))


def try_webhook(client: RegistryClient, webhook: str) -> Document:
    """Have a message sent that says nothing."""
    return _send(client, "POST", f"{webhook}/try")


def webhook_messages(client: RegistryClient, webhook: str, state: str = "") -> Iterator[Document]:
    """The messages to a webhook, newest first: all, or those that are pending, delivered or failed."""
    yield from every(client, f"{_WEBHOOKS}/{webhook}/messages", {"state": state} if state else {})


def webhook_message(client: RegistryClient, webhook: str, message: int) -> Document:
    """One message with its ``body`` and every attempt to send it."""
    return client.ask_accord("GET", f"{_WEBHOOKS}/{webhook}/messages/{message}").document()


def replay_message(client: RegistryClient, webhook: str, message: int) -> Document:
    """Have a message sent again that was delivered or given up."""
    return _send(client, "POST", f"{webhook}/messages/{message}/replay")


def _send(client: RegistryClient, method: str, path: str, body: Json = None) -> Document:
    return client.send(_request(method, path, body)).document()


def _request(method: str, path: str, body: Json = None) -> Request:
    return Request(method, f"{_WEBHOOKS}/{path}", {}, body, Below.NAMESPACE, WHATEVER)
