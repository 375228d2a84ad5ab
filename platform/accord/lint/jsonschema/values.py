"""JSON values and the types they have."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Hashable

    from accord.formats.jsontext import Json

TYPES: Final = ("array", "boolean", "integer", "null", "number", "object", "string")


def is_of_type(value: Json, kind: Json) -> bool:
    """Tell whether a value is of a type, or of one in a list; a schema without types takes all."""
    kinds = kind if isinstance(kind, list) else [kind]
    known = [one for one in kinds if one in TYPES]
    return not known or not types_of(value).isdisjoint(known)


def types_of(value: Json) -> frozenset[str]:
    """Return the types that a value has: a whole number has two."""
    match value:
        case None:
            return frozenset(("null",))
        case bool():
            return frozenset(("boolean",))
        case str():
            return frozenset(("string",))
        case list():
            return frozenset(("array",))
        case dict():
            return frozenset(("object",))
    return frozenset(("integer", "number") if _is_whole(value) else ("number",))


def identity(value: Json) -> Hashable:
    """Return what equal values share: a number counts by its value (1 is 1.0), an object by its members."""
    match value:
        case list():
            return ("array", *map(identity, value))
        case dict():
            return frozenset((name, identity(inner)) for name, inner in value.items())
    # To Python true equals 1.
    return ("boolean", value) if isinstance(value, bool) else value


def _is_whole(value: float | Decimal) -> bool:
    if isinstance(value, Decimal):
        return value == value.to_integral_value()
    return isinstance(value, int) or value.is_integer()
