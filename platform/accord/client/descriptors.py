"""Modules of descriptor sets, which only Accord has: uploaded by digest, downloaded when they have changed.

Documents are handed out as they came; every function raises what `accord.client.RegistryClient` raises.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from accord.client.transport import Packed, Request
from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.skimming import set_entry, skimmed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from accord.client.namespaces import Document
    from accord.client.registry import RegistryClient
    from accord.client.transport import Json

MODULES: Final = "/descriptors/modules"
LATEST: Final = "latest"
SET_TYPE: Final = "application/octet-stream"
NO_PROPERTIES: Final[Mapping[str, str]] = MappingProxyType({})
_PART: Final = "1000"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which version of a module, and which part of it: all, or what the message or service ``name`` needs."""

    module: str
    version: int | str = LATEST
    name: str = ""

    @property
    def path(self) -> str:
        """Where it is."""
        query = f"?{urlencode({'message': self.name})}" if self.name else ""
        return f"{_module(self.module)}/versions/{self.version}/set{query}"


@dataclass(frozen=True, slots=True)
class TextUpload:
    """``.proto`` texts of a module by import path; ``depends`` are modules, ``NAME`` or ``NAME@VERSION``.

    ``expected`` is the latest version that is gone on from, 0 for none; None means whichever there is.
    ``properties`` say things such as who owns the module; without any, what the latest version says stays.
    """

    module: str
    texts: Mapping[str, str]
    depends: Sequence[str] = ()
    expected: int | None = None
    properties: Mapping[str, str] = field(default_factory=dict)

    def path(self, verb: str) -> str:
        """Where they are sent."""
        expected = [] if self.expected is None else [("expect", str(self.expected))]
        return _with(f"{_module(self.module)}/{verb}", self.depends, self.properties, expected)

    @property
    def body(self) -> Json:
        """What is sent."""
        return {"texts": dict(self.texts)}


@dataclass(frozen=True, slots=True)
class Pulled:
    """A downloaded set, and the tag to ask with whether there is another one."""

    data: bytes
    tag: str


def modules(client: RegistryClient) -> Iterator[Document]:
    """Every module by name, with its latest version."""
    after = ""
    while True:
        part = client.send(Request("GET", MODULES, {"limit": _PART, "after": after}))
        for one in part.inside("modules").each():
            yield one.document()
        following = part.at("next")
        if following is None:
            return
        after = following.text()


def versions(client: RegistryClient, module: str) -> list[int]:
    """The numbers of a module's versions, oldest first."""
    return client.send(Request("GET", f"{_module(module)}/versions")).integers()


def push(
    client: RegistryClient,
    module: str,
    data: bytes,
    *,
    depends: Sequence[str] = (),
    properties: Mapping[str, str] = NO_PROPERTIES,
) -> Document:
    """Upload a serialized set as the next version of a module, sending the files that the registry lacks.

    ``depends`` are modules, ``NAME`` or ``NAME@VERSION``, that have what the set imports and does not hold;
    ``properties`` are as in `TextUpload`.
    Raises `accord.errors.InvalidSchema` for what is no set.
    """
    files = {sha256(one.data).hexdigest(): one for one in skimmed(data) if not is_built_in(one.path)}
    digests: list[Json] = [*files]
    answer = client.send(Request("POST", "/descriptors/digests", {}, {"digests": digests}))
    missing = set(answer.inside("missing").strings())
    sent = b"".join(set_entry(one.data, one.notes) for digest, one in files.items() if digest in missing)
    body: dict[str, Json] = {"digests": digests, "set": b64encode(sent).decode()}
    path = _with(f"{_module(module)}/versions", depends, properties)
    return client.send(Request("POST", path, {}, body)).document()


def version(client: RegistryClient, module: str, number: int | str = LATEST) -> Document:
    """What is known of one version of a module."""
    return client.send(Request("GET", f"{_module(module)}/versions/{number}")).document()


def files(client: RegistryClient, module: str, number: int | str = LATEST) -> list[Document]:
    """The files of a version, with those that it imports of others."""
    query = {"imports": "true"}
    found = client.send(Request("GET", f"{_module(module)}/versions/{number}/files", query))
    return [one.document() for one in found.each()]


def push_texts(client: RegistryClient, upload: TextUpload) -> Document:
    """Upload texts as the next version of a module; the registry compiles them, and keeps them as sent."""
    return client.send(Request("POST", upload.path("versions"), {}, upload.body)).document()


def check_texts(client: RegistryClient, upload: TextUpload) -> Document:
    """What the policy in force would say of texts; nothing is stored."""
    return client.send(Request("POST", upload.path("check"), {}, upload.body)).document()


def check(
    client: RegistryClient,
    module: str,
    data: bytes,
    *,
    depends: Sequence[str] = (),
    properties: Mapping[str, str] = NO_PROPERTIES,
) -> Document:
    """What the policy in force would say of a set; nothing is stored."""
    path = _with(f"{_module(module)}/check", depends, properties)
    return client.send(Request("POST", path, {}, Packed(data, SET_TYPE))).document()


def pull(client: RegistryClient, wanted: Wanted, *, known: str = "") -> Pulled | None:
    """Download a set; None where it is still the one of the tag ``known``."""
    headers = {"If-None-Match": known} if known else {}
    found = client.fetch(Request("GET", wanted.path, headers=headers))
    return None if found.data is None else Pulled(found.data, found.tag)


def differences(client: RegistryClient, module: str, old: int | str, new: int | str) -> Document:
    """What differs between two versions of a module."""
    query = {"from": str(old), "to": str(new)}
    return client.send(Request("GET", f"{_module(module)}/diff", query)).document()


def _module(name: str) -> str:
    return f"{MODULES}/{quote(name, safe='')}"


def _with(
    path: str,
    depends: Sequence[str],
    properties: Mapping[str, str],
    further: Sequence[tuple[str, str]] = (),
) -> str:
    said = (("property", f"{name}={value}") for name, value in properties.items())
    query = [*(("depends", one) for one in depends), *said, *further]
    return f"{path}?{urlencode(query)}" if query else path
