"""Bodies in the words of JSON Schema, printed from the serializers that check them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers
from rest_framework.fields import empty

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]

BOUNDS: Final[Mapping[str, str]] = {"min_value": "minimum", "max_value": "maximum"}
# Subclasses stand before what they are made of.
KINDS: Final[tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], Json], ...]] = (
    (serializers.DateTimeField, {"type": "string", "format": "date-time"}),
    (serializers.CharField, {"type": "string"}),
    (serializers.BooleanField, {"type": "boolean"}),
    (serializers.IntegerField, {"type": "integer"}),
    (serializers.JSONField, {}),
)


def schema_of(serializer: serializers.Serializer[Any]) -> Json:
    """Return the schema of the objects that a serializer takes: no other members than its own."""
    fields: Mapping[str, Any] = serializer.fields
    required = [name for name, field in fields.items() if field.required]
    return {
        "type": "object",
        "properties": {name: _member(field) for name, field in fields.items()},
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }


def _member(field: Any) -> Json:  # noqa: ANN401  # fields have no common type that says what they hold
    found = _value(field)
    if field.default is not empty and isinstance(field.default, str | bool | int):
        found = {**found, "default": field.default}
    if field.allow_null:
        return {"anyOf": [found, {"type": "null"}]}
    return found


def _value(field: Any) -> Json:  # noqa: ANN401  # as above
    described: Json | None = getattr(field, "described", None)
    if described is not None:
        return described
    if isinstance(field, serializers.ChoiceField):
        return {"enum": list(field.choices)}
    if isinstance(field, serializers.ListField):
        return {"type": "array", "items": _member(field.child), **_sizes(field, "Items")}
    if isinstance(field, serializers.Serializer):
        return schema_of(field)
    if isinstance(field, serializers.DictField):
        return {"type": "object", "additionalProperties": _member(field.child)}
    shape = next(shape for kind, shape in KINDS if isinstance(field, kind))
    sizes = _sizes(field, "Length") if isinstance(field, serializers.CharField) else {}
    bounds = {word: getattr(field, name, None) for name, word in BOUNDS.items()}
    return {**shape, **sizes, **{word: value for word, value in bounds.items() if value is not None}}


def _sizes(field: Any, what: str) -> Json:  # noqa: ANN401  # as above
    least = getattr(field, "min_length", None)
    if least is None and getattr(field, "allow_blank", None) is False:
        least = 1
    sizes = {f"min{what}": least, f"max{what}": getattr(field, "max_length", None)}
    return {word: value for word, value in sizes.items() if value is not None}
