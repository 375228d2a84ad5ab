"""The control plane of Accord: tenants, namespaces, people, roles, tokens and the reasons of access.

Documents are handed out as they came; every function raises what `accord.client.RegistryClient` raises.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import quote
from uuid import uuid4

from accord.client.histories import following
from accord.client.transport import Below, Request

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.client.namespaces import Document
    from accord.client.registry import RegistryClient
    from accord.client.transport import Json

_PART: Final = "200"
ANY_VERSION: Final = "*"


def place(path: str, names: Mapping[str, str]) -> str:
    """A path with its names filled in, each escaped: ``/roles/{role}``."""
    return path.format_map({name: quote(value, safe="") for name, value in names.items()})


def read(client: RegistryClient, path: str, query: Mapping[str, str], *, tenant: str | None) -> Document:
    """One thing of the control plane."""
    return client.send(Request("GET", *where(path, query, tenant))).document()


def listed(
    client: RegistryClient, path: str, query: Mapping[str, str], *, tenant: str | None
) -> Iterator[Document]:
    """The items of a list of the control plane, part after part."""
    asked = {**query, "limit": _PART}
    while True:
        part = client.send(Request("GET", *where(path, asked, tenant)))
        for one in part.inside("items").each():
            yield one.document()
        cursor = following(part)
        if cursor is None:
            return
        asked["cursor"] = cursor


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a thing: ``version`` is the ETag it is made for, `ANY_VERSION` for whichever there is."""

    method: str
    path: str
    body: Mapping[str, Json] | None = None
    query: Mapping[str, str] = field(default_factory=dict)
    version: str = ""


def change(client: RegistryClient, asked: Change, *, tenant: str | None) -> Document:
    """Change a thing, and return what became of it; nothing where it is gone.

    A POST that is sent again, because its answer was lost, is done once.
    """
    headers = {"If-Match": asked.version} if asked.version else {}
    if asked.method == "POST":
        headers["Idempotency-Key"] = uuid4().hex
    path, query, body, below = where(asked.path, asked.query, tenant, asked.body)
    answer = client.send(Request(asked.method, path, query, body, below, headers))
    return {} if answer.is_nothing else answer.document()


def where(
    path: str, query: Mapping[str, str], tenant: str | None, body: Mapping[str, Json] | None = None
) -> tuple[str, Mapping[str, str], Json, Below]:
    """Path, query, body and beginning of a call about a tenant: None is that of the client's address."""
    sent: Json = None if body is None else dict(body)
    if tenant is None:
        return path, query, sent, Below.TENANT
    return (f"/tenants/{quote(tenant, safe='')}{path}" if tenant else path), query, sent, Below.SERVER
