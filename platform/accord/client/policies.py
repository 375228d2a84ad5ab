"""Policies of a tenant: stored, changed, bound, and in force.

Documents are handed out as they came; every function raises `accord.client.NoNamespaceNamed` where the
address does not end in ``/sr/TENANT/NAMESPACE``, and what `accord.client.RegistryClient` raises.
``if_match`` is the value of that header, which says what a change was made for: an ETag in its quotes, or
``*`` for whatever there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from accord.client.namespaces import Document, every
from accord.client.transport import Below, Request, Written
from accord.naming import quote_subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.client.registry import RegistryClient
    from accord.client.transport import Json

_POLICIES: Final = "/policies"
REACHES: Final = ("tenant", "namespace", "prefix", "subject")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a policy can be bound: ``reach`` is one of `REACHES`, a prefix and a subject have a ``name``."""

    reach: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.reach} {self.name}".rstrip()

    @property
    def document(self) -> dict[str, Json]:
        """The place as the interface takes it."""
        return {"reach": self.reach, "name": self.name}


@dataclass(frozen=True, slots=True)
class PolicyWritten:
    """The text of a policy, letter by letter, and why it is stored."""

    text: str
    is_json: bool = False
    reason: str = ""

    def request(self, method: str, path: str, headers: dict[str, str]) -> Request:
        """The call that sends it."""
        media_type = "application/json" if self.is_json else "application/yaml"
        query = {"reason": self.reason} if self.reason else {}
        return Request(method, path, query, Written(self.text, media_type), Below.TENANT, headers)


def policies(client: RegistryClient) -> Iterator[Document]:
    """Every policy by name, with its newest version."""
    yield from every(client, _POLICIES, below=Below.TENANT)


def policy(client: RegistryClient, name: str, version: int | None = None) -> Document:
    """One version of a policy, the newest unless named."""
    path = _path(name) if version is None else f"{_path(name)}/versions/{version}"
    return client.send(Request("GET", path, below=Below.TENANT)).document()


def policy_versions(client: RegistryClient, name: str) -> Iterator[Document]:
    """Who changed a policy when and why, newest first."""
    yield from every(client, f"{_path(name)}/versions", below=Below.TENANT)


def create_policy(client: RegistryClient, written: PolicyWritten) -> Document:
    """Store a new policy, which its text names."""
    return client.send(written.request("POST", _POLICIES, {})).document()


def replace_policy(client: RegistryClient, name: str, written: PolicyWritten, *, if_match: str) -> Document:
    """Store the next version of a policy."""
    return client.send(written.request("PUT", _path(name), {"If-Match": if_match})).document()


def revert_policy(client: RegistryClient, name: str, to: int, *, reason: str, if_match: str) -> Document:
    """Store the content of an older version as the next."""
    body: dict[str, Json] = {"version": to, "reason": reason}
    headers = {"If-Match": if_match}
    return client.send(Request("POST", f"{_path(name)}/revert", {}, body, Below.TENANT, headers)).document()


def bindings(client: RegistryClient) -> Iterator[Document]:
    """Where policies are bound, as far as they may be read there."""
    yield from every(client, "/policy-bindings", below=Below.TENANT)


def bind_policy(client: RegistryClient, name: str, place: Place) -> Document:
    """Bind a policy to a place, instead of what was bound there; the answer says what this means."""
    return client.send(_at(place, "PUT", {"policy": name})).document()


def unbind_policy(client: RegistryClient, place: Place) -> None:
    """Take off what is bound to a place."""
    client.send(_at(place, "DELETE", None))


def policy_in_force(client: RegistryClient, subject: str, format_: str | None = None) -> Document:
    """What is in force for a subject, each value with its origin; of its newest format unless named."""
    query = {} if format_ is None else {"format": format_}
    return client.ask_accord("GET", f"/subjects/{quote_subject(subject)}/policy", query=query).document()


def _path(name: str) -> str:
    return f"{_POLICIES}/{quote_subject(name)}"


def _at(place: Place, method: str, body: Json) -> Request:
    below = Below.TENANT if place.reach == "tenant" else Below.NAMESPACE
    segments = {"prefix": "prefixes", "subject": "subjects"}
    part = f"/{segments[place.reach]}/{quote_subject(place.name)}" if place.reach in segments else ""
    return Request(method, f"{part}/policy-binding", {}, body, below)
