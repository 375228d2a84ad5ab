"""Options of descriptors as the nodes of a text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, cast

from accord.formats.protobuf.source import Aggregate, Entry, Literal, NamePart, Option, Position, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.protobuf.descriptors import FieldDescriptor, Message, OptionReader
    from accord.formats.protobuf.source import Value

NOWHERE: Final = Position(1, 1)
FEATURES: Final = "features"
FLOAT_DIGITS: Final = 9


def options_of(options: Message, reader: OptionReader) -> tuple[Option, ...]:
    """Return the options that are set, those of a repeated one each on its own.

    The entry mark of maps is no option that anybody writes, and an unknown option has no name.
    """
    return tuple(_options(options, reader))


def plain_option(name: str, value: Value) -> Option:
    """Return an option with a name of one word."""
    return _option((NamePart(name),), value)


def _options(options: Message, reader: OptionReader) -> Iterator[Option]:
    for field, value in reader.read(options):
        part = NamePart(field.full_name if field.is_extension else field.name, field.is_extension)
        if part.text == FEATURES and not part.is_extension:  # written feature by feature
            for inner, one in cast("Message", value).ListFields():
                name = NamePart(inner.full_name if inner.is_extension else inner.name, inner.is_extension)
                yield _option((part, name), _value(inner, one))
        else:
            for one in _each(field, value):
                yield _option((part,), one)


def _option(name: tuple[NamePart, ...], value: Value) -> Option:
    return Option(name, value, NOWHERE, 0, 0)


def _each(field: FieldDescriptor, value: Any) -> Iterator[Value]:  # noqa: ANN401  # what protobuf holds
    if not field.is_repeated:
        yield _value(field, value)
    elif field.message_type is not None and field.message_type.GetOptions().map_entry:
        key, item = field.message_type.fields
        for name in sorted(value):
            yield Aggregate((Entry("key", _value(key, name)), Entry("value", _value(item, value[name]))))
    else:
        for one in value:
            yield _value(field, one)


def _value(field: FieldDescriptor, value: Any) -> Value:  # noqa: ANN401  # what protobuf holds
    if field.cpp_type == field.CPPTYPE_MESSAGE:
        entries = (
            Entry(inner.full_name if inner.is_extension else inner.name, one, inner.is_extension)
            for inner, held in value.ListFields()
            for one in _each(inner, held)
        )
        return Aggregate(tuple(entries))
    if field.cpp_type == field.CPPTYPE_ENUM:
        known = field.enum_type.values_by_number.get(value) if field.enum_type else None
        return Literal(known.name if known else str(value))
    if isinstance(value, bool):
        return Literal("true" if value else "false")
    if isinstance(value, float):
        is_short = field.cpp_type == field.CPPTYPE_FLOAT and math.isfinite(value)
        return Literal(f"{value:.{FLOAT_DIGITS}g}" if is_short else repr(value))
    if isinstance(value, (str, bytes)):
        return Text(value.encode() if isinstance(value, str) else value)
    return Literal(str(value))
