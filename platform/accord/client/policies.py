"""Policies of a tenant: stored, changed, bound, and in force.

Documents are handed out as they came; every function raises `accord.client.NoNamespaceNamed` where the
address does not end in ``/sr/TENANT/NAMESPACE``, and what `accord.client.RegistryClient` raises.
``if_match`` is the value of that header, which says what a change was made for: an ETag in its quotes, or
``*`` for whatever there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from accord.client.namespaces import WHATEVER, Document, every
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


def binding_changes(client: RegistryClient, place: Place) -> Iterator[Document]:
    """What was bound to a place, newest first."""
    below, path = _at(place)
    yield from every(client, f"{path}-history", below=below)


def bind_policy(
    client: RegistryClient, name: str, place: Place, *, reason: str = "", if_match: str | None = None
) -> Document:
    """Bind a policy to a place, instead of what was bound there; the answer says what this means.

    Where something is bound already ``if_match`` says what.
    """
    below, path = _at(place)
    body: dict[str, Json] = {"policy": name, **({"reason": reason} if reason else {})}
    headers = {} if if_match is None else {"If-Match": if_match}
    return client.send(Request("PUT", path, {}, body, below, headers)).document()


def unbind_policy(client: RegistryClient, place: Place, *, if_match: str, reason: str = "") -> None:
    """Take off what is bound to a place."""
    below, path = _at(place)
    query = {"reason": reason} if reason else {}
    client.send(Request("DELETE", path, query, None, below, {"If-Match": if_match}))


def policy_in_force(
    client: RegistryClient, subject: str | None = None, format_: str | None = None
) -> Document:
    """What is in force for a subject, or where nothing nearer than the namespace decides.

    Each value comes with its origin; of the newest format of the subject unless one is named.
    """
    query = {} if format_ is None else {"format": format_}
    part = "" if subject is None else f"/subjects/{quote_subject(subject)}"
    return client.ask_accord("GET", f"{part}/policy", query=query).document()


def set_level(client: RegistryClient, level: str | None, subject: str | None = None) -> Document:
    """Set the level of a subject, or of the namespace; None leaves it to what is around the place.

    The answer says what is in force then, and what this means.
    """
    part = "" if subject is None else f"/subjects/{quote_subject(subject)}"
    wanted: Document = {"level": level}
    return client.send(Request("PUT", f"{part}/level", {}, wanted, Below.NAMESPACE, WHATEVER)).document()


def _path(name: str) -> str:
    return f"{_POLICIES}/{quote_subject(name)}"


def _at(place: Place) -> tuple[Below, str]:
    """Where the binding of a place is found."""
    below = Below.TENANT if place.reach == "tenant" else Below.NAMESPACE
    segments = {"prefix": "prefixes", "subject": "subjects"}
    part = f"/{segments[place.reach]}/{quote_subject(place.name)}" if place.reach in segments else ""
    return below, f"{part}/policy-binding"
