"""Inline tags of JSON Schemas: objects are records, properties are fields.

A path tells the way through the text. ``object`` leads into the properties of an object, ``array`` to the
items of an array, any other keyword is told as it is written: ``object.lines.array.object.sku``,
``oneOf.0.object``, ``$defs.Line.object.sku``. An object has the path of its own way, then ``object``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats import jsontext
from accord.formats.jsonschema.canonical import canonical_text
from accord.formats.jsonschema.keywords import inner_schemas, is_object_schema
from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.tagging import LONGEST_PATH, Retagged, Spot, change_at, tags_at
from accord.model import EntityType, SchemaEntity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsontext import Json
    from accord.formats.tagging import Changes
    from accord.model import SchemaTags

OBJECT = "object"
PROPERTIES = "properties"
# How the ways that every schema has are told.
WAYS = {PROPERTIES: OBJECT, "items": "array", "prefixItems": "array"}


def entities(text: str) -> Iterator[SchemaTags]:
    """Yield the objects and properties of a canonical text with their tags; see `accord.formats.tagging`."""
    return tags_at(_spots(_read(text)))


def retagged(text: str, changes: Changes) -> Retagged:
    """Return a canonical text with some tags changed; see `accord.formats.tagging`."""
    value = _read(text)
    met = change_at(_spots(value), changes)
    return Retagged(canonical_text(value), met)


def _read(text: str) -> Json:
    return jsontext.read(text, depth=DEFAULT_LIMITS.depth, unique=False, exact=True)


def _spots(root: Json) -> Iterator[Spot]:
    waiting: list[tuple[tuple[str, ...], Members]] = [((), root)] if isinstance(root, dict) else []
    while waiting:
        way, members = waiting.pop()
        if is_object_schema(members):
            yield Spot(SchemaEntity(".".join((*way, OBJECT)), EntityType.RECORD), members)
        inner: list[tuple[tuple[str, ...], Members]] = []
        for keyword, steps, schema in inner_schemas(members):
            path = ".".join((*way, WAYS.get(keyword, keyword), *steps[1:]))
            if len(path) > LONGEST_PATH:
                continue
            if keyword == PROPERTIES:
                yield Spot(SchemaEntity(path, EntityType.FIELD), schema)
            inner.append(((path,), schema))
        waiting.extend(reversed(inner))
