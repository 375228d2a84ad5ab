"""The named elements of a JSON Schema, for requirements on names and docs.

An object is a record and a property a field. Types have no names in JSON Schema: an object goes by its
``title``, else by the name of its definition; one that has neither is nobody's type and has the empty name.
A doc is a ``description``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from accord.formats.elements import Element, ElementKind
from accord.formats.jsonschema.keywords import inner_schemas, is_object_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsonschema.schema import JsonSchema
    from accord.formats.parsed import ParsedSchema

DEFINITIONS = frozenset(("$defs", "definitions"))


class _Place(NamedTuple):
    path: tuple[str, ...]
    members: Members
    name: str = ""


def elements(schema: ParsedSchema) -> Iterator[Element]:
    """Yield the objects, enums, properties and values that the text itself writes, in its order."""
    root = cast("JsonSchema", schema).document.value
    waiting = [_Place((), root)] if isinstance(root, dict) else []
    while waiting:
        place = waiting.pop()
        yield from _own(place)
        inner = [
            _Place((*place.path, *steps), members, steps[-1] if keyword in DEFINITIONS else "")
            for keyword, steps, members in inner_schemas(place.members)
        ]
        waiting.extend(reversed(inner))


def _own(place: _Place) -> Iterator[Element]:
    members, path = place.members, place.path
    symbols = members.get("enum")
    if is_object_schema(members):
        yield Element(ElementKind.RECORD, _name(place), path, is_documented=_is_documented(members))
        yield from _fields(place)
    elif isinstance(symbols, list):
        yield Element(ElementKind.ENUM, _name(place), path, is_documented=_is_documented(members))
        for position, symbol in enumerate(symbols):
            if isinstance(symbol, str):
                yield Element(ElementKind.SYMBOL, symbol, (*path, "enum", str(position)))


def _fields(place: _Place) -> Iterator[Element]:
    properties = place.members.get("properties")
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        has_doc = isinstance(schema, dict) and _is_documented(schema)
        at = (*place.path, "properties", name)
        yield Element(ElementKind.FIELD, name, at, is_documented=has_doc)


def _name(place: _Place) -> str:
    title = place.members.get("title")
    return title if isinstance(title, str) else place.name


def _is_documented(members: Members) -> bool:
    text = members.get("description")
    return isinstance(text, str) and bool(text.strip())
