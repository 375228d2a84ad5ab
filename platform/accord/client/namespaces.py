"""Dry runs, imports, waivers, look-ups and anonymous access, which Accord's own interface alone has.

Documents are handed out as they came; every function raises `accord.client.NoNamespaceNamed` where the
address does not end in ``/sr/TENANT/NAMESPACE``, and what `accord.client.RegistryClient` raises.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import quote

from accord.client.histories import following
from accord.client.transport import Below, Request, Written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from accord.client.registry import RegistryClient
    from accord.client.transport import Json

_DRY_RUNS: Final = "/policy-dry-runs"
_IMPORTS: Final = "/imports"
_LINES: Final = "application/x-ndjson"
_SUBJECT_SETTINGS: Final = "/subject-settings"
_WAIVERS: Final = "/waivers"
_ANONYMOUS: Final = "/anonymous-access"
_PART: Final = "200"
# Whoever types a command has seen no version that another could have replaced.
WHATEVER: Final = {"If-Match": "*"}

Document = dict[str, "Json"]


def start_dry_run(client: RegistryClient, proposal: Mapping[str, Json]) -> Document:
    """Start a dry run of what is proposed: ``policy``, ``document`` or ``level``, and its ``place``."""
    return client.ask_accord("POST", _DRY_RUNS, body=dict(proposal)).document()


def dry_run(client: RegistryClient, run: str) -> Document:
    """Where a dry run stands."""
    return client.ask_accord("GET", f"{_DRY_RUNS}/{run}").document()


def dry_run_changes(client: RegistryClient, run: str) -> Iterator[Document]:
    """What a dry run has found, one version after the other."""
    yield from every(client, f"{_DRY_RUNS}/{run}/changes")


def start_import(client: RegistryClient, wanted: Mapping[str, Json]) -> Document:
    """Begin an import, or go on with one's own: ``source``, how much is to ``register`` and ``delete``."""
    return client.ask_accord("POST", _IMPORTS, body=dict(wanted)).document()


def bring(client: RegistryClient, run: str, what: Literal["versions", "deletions"], lines: str) -> Document:
    """What became of lines of an export that were brought into an import."""
    body = Written(lines, _LINES)
    return client.send(Request("POST", f"{_IMPORTS}/{run}/{what}", {}, body, Below.NAMESPACE)).document()


def finish_import(client: RegistryClient, run: str, result: Mapping[str, Json]) -> Document:
    """End an import: ``source_sha256`` and ``target_sha256`` of both sides, and how many ``differences``."""
    return client.ask_accord("PUT", f"{_IMPORTS}/{run}/result", body=dict(result)).document()


def subject_settings(client: RegistryClient) -> Iterator[Document]:
    """Every subject in brief: ``versions``, ``deleted`` ones of them, and its own ``config`` and ``mode``."""
    yield from every(client, _SUBJECT_SETTINGS)


def give_waiver(client: RegistryClient, waiver: Mapping[str, Json]) -> Document:
    """Give a waiver for a ``subject`` and a ``schema``, with ``reason`` and ``expires_at``, or ``rules``."""
    return client.ask_accord("POST", _WAIVERS, body=dict(waiver)).document()


def waivers(client: RegistryClient, wanted: Mapping[str, str]) -> Iterator[Document]:
    """The waivers that may be read, newest first; ``wanted`` may name a ``subject`` and a ``state``."""
    yield from every(client, _WAIVERS, wanted)


def revoke_waiver(client: RegistryClient, waiver: str) -> Document:
    """End an open waiver."""
    return client.ask_accord("DELETE", f"{_WAIVERS}/{waiver}").document()


def anonymous_access(client: RegistryClient) -> Document:
    """What callers without a token may do in the namespace."""
    return client.ask_accord("GET", _ANONYMOUS).document()


def allow_anonymous(client: RegistryClient, access: str, subjects: Sequence[str]) -> Document:
    """Open the namespace to callers without a token: ``read`` or ``write``, on the subjects selected."""
    body: Document = {"access": access, "subjects": list(subjects)}
    return client.send(Request("PUT", _ANONYMOUS, {}, body, Below.NAMESPACE, WHATEVER)).document()


def end_anonymous(client: RegistryClient) -> Document:
    """Close the namespace to callers without a token."""
    return client.send(Request("DELETE", _ANONYMOUS, {}, None, Below.NAMESPACE, WHATEVER)).document()


def schemas_called(client: RegistryClient, kind: str, value: str) -> Iterator[Document]:
    """The schemas of the namespace by ``digest``, ``guid`` or ``fingerprint``, without their texts."""
    yield from every(client, f"/schemas/{kind}s/{quote(value, safe='')}")


def uses_of(client: RegistryClient, digest: str, *, is_deleted_told: bool = False) -> Iterator[Document]:
    """The versions with a content in all namespaces of the tenant, as far as they may be read."""
    wanted = {"deleted": "true"} if is_deleted_told else {}
    yield from every(client, f"/contents/{quote(digest, safe='')}/uses", wanted, below=Below.TENANT)


def search_fields(client: RegistryClient, text: str, kind: str | None, most: int) -> Iterator[Document]:
    """The first hits of a search in all namespaces of the tenant, the nearest first."""
    wanted = {"q": text, **({"kind": kind} if kind else {})}
    yield from islice(every(client, "/search", wanted, below=Below.TENANT), most)


def field_names(
    client: RegistryClient, beginning: str, most: int, *, conflicts: bool = False
) -> Iterator[Document]:
    """The names of fields in all namespaces of the tenant with their types: those that begin so."""
    wanted = {"q": beginning, **({"conflicts": "true"} if conflicts else {})}
    yield from islice(every(client, "/fields", wanted, below=Below.TENANT), most)


def field_named(client: RegistryClient, name: str) -> Document:
    """A name of fields with its types, and the first subjects that have each."""
    path = f"/fields/{quote(name, safe='')}"
    return client.send(Request("GET", path, {}, below=Below.TENANT)).document()


def every(
    client: RegistryClient,
    path: str,
    wanted: Mapping[str, str] | None = None,
    *,
    below: Below = Below.NAMESPACE,
) -> Iterator[Document]:
    """The items of a list, part after part; ``wanted`` narrows it down."""
    query = {**(wanted or {}), "limit": _PART}
    while True:
        part = client.send(Request("GET", path, query, below=below))
        for one in part.inside("items").each():
            yield one.document()
        cursor = following(part)
        if cursor is None:
            return
        query["cursor"] = cursor
