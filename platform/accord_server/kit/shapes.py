"""Shapes of answers in the words of JSON Schema, printed from the types that the code is checked against.

A shape is a `TypedDict`: the function that makes the answer is annotated with it, so that the type checker
holds the code to it, and the tests hold what is answered to the schema made here.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]

PLAIN: Final[dict[Any, Json]] = {
    Any: {},
    object: {},
    None: {"type": "null"},
    types.NoneType: {"type": "null"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
}
# Texts that mean more than their letters.
Moment = Annotated[str, "date-time"]
Id = Annotated[str, "uuid"]


def schema_of(shape: Any, name: Callable[[type], Json]) -> Json:  # noqa: ANN401  # types have no common type
    """Return the schema of a type; ``name`` returns the reference to a named shape.

    Raises:
        TypeError: It is no type that an answer can have.
    """
    origin, inner = get_origin(shape), get_args(shape)
    if origin is None and shape in PLAIN:
        return dict(PLAIN[shape])
    if is_typeddict(shape):
        return name(shape)
    if origin is Annotated:
        return {**schema_of(inner[0], name), "format": inner[1]}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in {Union, types.UnionType}:
        return _any_of([schema_of(one, name) for one in inner])
    if origin in {list, tuple}:
        return {"type": "array", "items": schema_of(inner[0], name)}
    if origin in {dict, Mapping}:
        return {"type": "object", "additionalProperties": schema_of(inner[1], name)}
    raise TypeError(f"an answer cannot hold {shape}")


def members_of(shape: type, name: Callable[[type], Json]) -> Json:
    """Return the schema of a named shape: its members, of which all but the named exceptions are there."""
    members = _hints(shape)
    described: Json = {
        "type": "object",
        "properties": {
            member: schema_of(get_args(hint)[0] if get_origin(hint) is NotRequired else hint, name)
            for member, hint in members.items()
        },
        # The type's own list of them is wrong where its annotations are texts, as they are here.
        "required": [member for member, hint in members.items() if get_origin(hint) is not NotRequired],
    }
    summary = (shape.__doc__ or "").strip()
    return {"description": summary, **described} if summary else described


def _any_of(kinds: list[Json]) -> Json:
    """Return a choice: plain types as one list of types, the rest one by one."""
    if all(set(one) == {"type"} for one in kinds):
        return {"type": [one["type"] for one in kinds]}
    return {"anyOf": kinds}


@cache
def _hints(shape: type) -> dict[str, Any]:
    return get_type_hints(shape, include_extras=True)
