"""What a ``$ref`` names: a place in the same text or in one that a reference supplies; never a network.

Documents are known by the names of their references, by those names counted from the root's own
address, and by their ``$id``. Inside them count pointers, embedded ``$id`` and anchors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote, urljoin

from accord.formats.jsonschema.cursor import Cursor, Document
from accord.formats.jsonschema.keywords import inner_schemas
from accord.formats.positions import pointer_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.jsonschema.drafts import Draft
    from accord.formats.jsontext import Json

LONGEST_INDEX = 9
# For those who follow references only to explain something: what leads further, or is longer, they leave.
MOST_REFERENCES: Final = 32
LONGEST_REFERENCE: Final = 1_000


class Spot(NamedTuple):
    """A JSON value that stands for a schema, and where it stands."""

    value: Json
    cursor: Cursor


def joined(base: str, address: str) -> str:
    """Return an address counted from another one; what is no address at all stays as it is."""
    try:
        return urljoin(base, address)
    except ValueError:
        return address


def local_steps(reference: str) -> list[str] | None:
    """Return the tokens of a pointer within the text that holds the reference.

    None for a reference to another text, to an anchor, or of more than `LONGEST_REFERENCE` characters.
    """
    address, _, fragment = reference.partition("#")
    if address or fragment[:1] not in ("", "/") or len(reference) > LONGEST_REFERENCE:
        return None
    return pointer_tokens(unquote(fragment))


def own_address(value: Json, draft: Draft) -> str | None:
    """Return the address that a schema gives itself, if it gives one."""
    address = value.get(draft.id_keyword) if isinstance(value, dict) else None
    return address if isinstance(address, str) else None


class Addresses:
    """The places that one schema may refer to."""

    def __init__(self, root: Document, others: Mapping[str, Document], draft: Draft) -> None:
        self.draft = draft
        base = _without_fragment(own_address(root.value, draft) or "")
        self.root = Spot(root.value, Cursor(root, base))
        self.documents: dict[str, Spot] = {}
        self.tops = {root: self.root}
        for name, document in others.items():
            place = joined(base, name)
            own = joined(place, own_address(document.value, draft) or "")
            spot = Spot(document.value, Cursor(document, _without_fragment(own)))
            self.tops[document] = spot
            for address in (own, place, name):
                self.documents[_without_fragment(address)] = spot
        self.documents[base] = self.root
        self.embedded: dict[str, Spot] | None = None

    def find(self, text: str, cursor: Cursor) -> Spot | None:
        """Return the place that a reference names, or None."""
        address, _, fragment = text.partition("#")
        resource = self._resource(address, cursor)
        if resource is not None and (not fragment or fragment.startswith("/")):
            found = self._pointed(resource, unquote(fragment))
            if found is not None:
                return found
        full = joined(cursor.base, text) if address else f"{cursor.base}#{fragment}"
        return self._inside().get(full.removesuffix("#"))

    def _resource(self, address: str, cursor: Cursor) -> Spot | None:
        if address:
            full = _without_fragment(joined(cursor.base, address))
            return self.documents.get(full) or self._inside().get(full) or self.documents.get(address)
        if self.draft.is_modern and cursor.base:
            return self._inside().get(cursor.base) or self.documents.get(cursor.base)
        while cursor.holder is not None:
            cursor = cursor.holder
        return Spot(cursor.document.value, cursor)

    def _pointed(self, resource: Spot, pointer: str) -> Spot | None:
        """Follow a pointer; ``definitions`` of a document are also seen under ``$defs``."""
        tokens = pointer_tokens(pointer)
        found = self._steps(resource, tokens)
        if found is None and tokens[:1] == ["$defs"]:
            return self._steps(resource, ["definitions", *tokens[1:]])
        return found

    def _steps(self, resource: Spot, tokens: list[str]) -> Spot | None:
        value, cursor = resource
        for token in tokens:
            if isinstance(value, dict) and token in value:
                value = value[token]
            elif isinstance(value, list) and _is_index(token) and int(token) < len(value):
                value = value[int(token)]
            else:
                return None
            cursor = self.entered(value, cursor.at(token))
        return Spot(value, cursor) if isinstance(value, dict | bool) else None

    def entered(self, value: Json, cursor: Cursor) -> Cursor:
        """Return the place of a schema with the address that counts inside it."""
        own = own_address(value, self.draft)
        if own is None or own.startswith("#") or cursor.holder is None:
            return cursor
        base = _without_fragment(joined(cursor.base, own))
        return Cursor(cursor.document, base, cursor.holder, cursor.step)

    def _inside(self) -> dict[str, Spot]:
        """Collect, once and only if asked, what the texts call by addresses of their own."""
        if self.embedded is None:
            self.embedded = {}
            for spot in self.tops.values():
                self._collect(spot, self.embedded)
        return self.embedded

    def _collect(self, top: Spot, found: dict[str, Spot]) -> None:
        waiting = [top]
        while waiting:
            value, cursor = waiting.pop()
            if not isinstance(value, dict):
                continue
            for name in self._names(value, cursor):
                found.setdefault(name, Spot(value, cursor))
            for _, steps, inner in inner_schemas(value):
                place = cursor
                for step in steps:
                    place = place.at(step)
                waiting.append(Spot(inner, self.entered(inner, place)))

    def _names(self, value: dict[str, Json], cursor: Cursor) -> list[str]:
        own = own_address(value, self.draft)
        names = [] if own is None else [joined(cursor.base, own) if own[:1] != "#" else cursor.base + own]
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = value.get(keyword) if self.draft.is_modern else None
            if isinstance(anchor, str):
                names.append(f"{cursor.base}#{anchor}")
        return [name.removesuffix("#") for name in names]


def _without_fragment(address: str) -> str:
    return address.partition("#")[0]


def _is_index(token: str) -> bool:
    return token.isdigit() and token.isascii() and len(token) <= LONGEST_INDEX
