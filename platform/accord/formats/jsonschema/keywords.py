"""Where schemas stand inside a schema, for everything that walks the text itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats.jsontext import Json

Members: TypeAlias = "dict[str, Json]"

SINGLE = (
    "additionalItems",
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
LISTED = ("allOf", "anyOf", "items", "oneOf", "prefixItems")
NAMED = (
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
)
HOLDERS = frozenset((*SINGLE, *LISTED, *NAMED))
OBJECT_KEYWORDS = frozenset(
    (
        "additionalProperties",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "maxProperties",
        "minProperties",
        "patternProperties",
        "properties",
        "propertyNames",
        "required",
        "unevaluatedProperties",
    )
)


def inner_schemas(members: Members) -> Iterator[tuple[str, tuple[str, ...], Members]]:
    """Yield the schema objects directly inside one: keyword, steps that lead there, and the object."""
    if HOLDERS.isdisjoint(members):
        return  # most schemas are leaves
    for keyword in SINGLE:
        value = members.get(keyword)
        if isinstance(value, dict):
            yield keyword, (keyword,), value
    for keyword in (*LISTED, *NAMED):
        for step, item in _held(members.get(keyword), is_list=keyword in LISTED):
            if isinstance(item, dict):
                yield keyword, (keyword, step), item


def _held(value: Json, *, is_list: bool) -> Iterable[tuple[str, Json]]:
    if isinstance(value, list) and is_list:
        return ((str(position), item) for position, item in enumerate(value))
    return value.items() if isinstance(value, dict) and not is_list else ()


def is_object_schema(members: Members) -> bool:
    """Tell whether a schema speaks of objects: by its type, or without one by a keyword of objects."""
    kind = members.get("type")
    if kind is None:
        return not OBJECT_KEYWORDS.isdisjoint(members)
    return kind == "object" or (isinstance(kind, list) and "object" in kind)
