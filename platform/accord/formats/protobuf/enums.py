"""Enums, and the statements that give ranges of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.protobuf.blocks import statements
from accord.formats.protobuf.literals import bracketed_options, option_statement, string
from accord.formats.protobuf.source import (
    Enum,
    EnumValue,
    ExtensionRange,
    Option,
    Reserved,
    Span,
    Visibility,
)
from accord.formats.protobuf.tokens import Kind

if TYPE_CHECKING:
    from accord.formats.protobuf.cursor import Cursor


def enum(cursor: Cursor, visibility: Visibility = Visibility.UNSAID) -> Enum:
    """Read an enum, the word being next."""
    first = cursor.at - (visibility is not Visibility.UNSAID)
    position = cursor.position_of(first)
    cursor.take()
    name = cursor.name("The name of the enum")
    cursor.expect("{")
    comments, body = cursor.comments(first), cursor.end
    values: list[EnumValue] = []
    ranges: list[Reserved] = []
    options: list[Option] = []

    def statement() -> None:
        # These words also name values: what follows tells.
        word = "" if cursor.text_behind() == "=" else cursor.text
        if word == "option":
            options.append(option_statement(cursor))
        elif word == "reserved":
            ranges.append(reserved(cursor))
        else:
            values.append(_value(cursor))

    statements(cursor, statement)
    return Enum(
        name,
        tuple(values),
        tuple(ranges),
        tuple(options),
        position,
        body,
        visibility=visibility,
        comments=comments,
    )


def reserved(cursor: Cursor) -> Reserved:
    """Read a ``reserved`` statement, the word being next."""
    first, position = cursor.at, cursor.position()
    cursor.take()
    spans: tuple[Span, ...] = ()
    names: list[str] = []
    is_quoted = cursor.token.kind is not Kind.WORD
    if cursor.token.kind in {Kind.STRING, Kind.WORD}:
        while not names or cursor.accept(","):
            names.append(_reserved_name(cursor))
            cursor.spend_span(len(names))
    else:
        spans = _spans(cursor)
    cursor.expect(";", "';' or ','")
    comments = cursor.comments(first)
    return Reserved(spans, tuple(names), position, is_quoted=is_quoted, comments=comments)


def extension_range(cursor: Cursor) -> ExtensionRange:
    """Read an ``extensions`` statement, the word being next."""
    first, position = cursor.at, cursor.position()
    cursor.take()
    spans = _spans(cursor)
    options = bracketed_options(cursor)
    cursor.expect(";", "';' or ','")
    return ExtensionRange(spans, options, position, comments=cursor.comments(first))


def _value(cursor: Cursor) -> EnumValue:
    first, position = cursor.at, cursor.position()
    name = cursor.name("The name of a value")
    cursor.expect("=")
    number = cursor.integer("The number of the value")
    options = bracketed_options(cursor)
    cursor.expect(";")
    return EnumValue(name, number, options, position, comments=cursor.comments(first))


def _reserved_name(cursor: Cursor) -> str:
    if cursor.token.kind is Kind.STRING:
        return string(cursor, "A name").decode(errors="replace")
    return cursor.name("A name")


def _spans(cursor: Cursor) -> tuple[Span, ...]:
    spans: list[Span] = []
    while not spans or cursor.accept(","):
        start = cursor.integer("A number")
        end: int | None = start
        is_range = cursor.accept("to")
        if is_range:
            end = None if cursor.accept("max") else cursor.integer("The end of the range")
        spans.append(Span(start, end, is_spelled_out=is_range and end == start))
        cursor.spend_span(len(spans))
    return tuple(spans)
