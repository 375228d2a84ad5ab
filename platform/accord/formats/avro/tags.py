"""Inline tags of Avro schemas: records go by their full name, fields by that and their own.

Types that references bring stand in a text by name only: they are tagged where they are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from accord.formats import jsontext
from accord.formats.avro.names import split_name
from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.tagging import LONGEST_PATH, Retagged, Spot, change_at, tags_at
from accord.model import EntityType, SchemaEntity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.jsontext import Json
    from accord.formats.tagging import Changes
    from accord.model import SchemaTags

    Waiting: TypeAlias = list[tuple[Json, str | None]]

RECORDS = frozenset(("record", "error"))


def entities(text: str) -> Iterator[SchemaTags]:
    """Yield the records and fields of a canonical text with their tags; see `accord.formats.tagging`."""
    return tags_at(_spots(_read(text)))


def retagged(text: str, changes: Changes) -> Retagged:
    """Return a canonical text with some tags changed; see `accord.formats.tagging`."""
    value = _read(text)
    met = change_at(_spots(value), changes)
    return Retagged(jsontext.write(value), met)


def _read(text: str) -> Json:
    return jsontext.read(text, depth=DEFAULT_LIMITS.depth, unique=False)


def _spots(root: Json) -> Iterator[Spot]:
    """Yield records, each followed by its fields; ``namespace`` is the one around a type."""
    waiting: Waiting = [(root, None)]
    while waiting:
        value, namespace = waiting.pop()
        if isinstance(value, list):
            waiting.extend((branch, namespace) for branch in reversed(value))
        elif isinstance(value, dict) and value.get("type") in RECORDS:
            yield from _record(value, namespace, waiting)
        elif isinstance(value, dict):
            waiting.extend((value[inner], namespace) for inner in ("items", "values") if inner in value)


def _record(members: dict[str, Json], namespace: str | None, waiting: Waiting) -> Iterator[Spot]:
    given = members.get("namespace", namespace)
    name = split_name(str(members["name"]), str(given) if given else None)
    if len(name.full) <= LONGEST_PATH:
        yield Spot(SchemaEntity(name.full, EntityType.RECORD), members)
    fields = members["fields"]
    held = [one for one in fields if isinstance(one, dict)] if isinstance(fields, list) else []
    for field in held:
        path = f"{name.full}.{field['name']}"
        if len(path) <= LONGEST_PATH:
            yield Spot(SchemaEntity(path, EntityType.FIELD), field)
    waiting.extend((field["type"], name.namespace) for field in reversed(held))
