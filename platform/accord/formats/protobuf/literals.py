"""Options and the values they are given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.source import Aggregate, Entry, Listing, Literal, NamePart, Option, Text
from accord.formats.protobuf.tokens import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.formats.protobuf.cursor import Cursor
    from accord.formats.protobuf.source import Value

ESCAPE: Final = re.compile(
    rb"\\(?:(?P<octal>[0-7]{1,3})|[xX](?P<hex>[0-9A-Fa-f]{1,2})|u(?P<short>[0-9A-Fa-f]{4})"
    rb"|U(?P<long>00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4})|(?P<char>.))",
    re.DOTALL,
)
CHARS: Final = {
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
    **{char: char for char in (b"\\", b"'", b'"', b"?")},
}
BYTE: Final = 0xFF
CLOSING: Final = {"{": "}", "<": ">"}


def option_statement(cursor: Cursor) -> Option:
    """Read ``option name = value;``, its first word being next."""
    first = cursor.at
    start = cursor.take().start
    option = _option(cursor, start)
    cursor.expect(";")
    return Option(
        option.name, option.value, option.position, start, cursor.end, comments=cursor.comments(first)
    )


def bracketed_options(cursor: Cursor) -> tuple[Option, ...]:
    """Read ``[name = value, ...]`` if it is next."""
    options: list[Option] = []
    if not cursor.accept("["):
        return ()
    while not options or cursor.accept(","):
        options.append(_option(cursor, cursor.end - 1))
    cursor.expect("]", "']' or ','")
    return tuple(options)


def string(cursor: Cursor, what: str) -> bytes:
    """Read a string in one or more pieces."""
    if not cursor.is_at(Kind.STRING):
        cursor.fail(f"{what} is expected here, in quotes")
    pieces: list[bytes] = []

    def complain(char: bytes) -> None:
        cursor.note(cursor.at, f"The escape \\{ascii(char)[2:-1]} is unknown; take the backslash out")

    while cursor.is_at(Kind.STRING):
        pieces.append(unescaped(cursor.text[1:-1].encode(), complain))
        cursor.take()
    return b"".join(pieces)


def _option(cursor: Cursor, start: int) -> Option:
    position = cursor.position()
    parts = [_name_part(cursor)]
    while cursor.accept("."):
        parts.append(_name_part(cursor))
    cursor.expect("=")
    value = _value(cursor)
    return Option(tuple(parts), value, position, start, cursor.end)


def _name_part(cursor: Cursor) -> NamePart:
    if not cursor.accept("("):
        return NamePart(cursor.name("The name of an option"))
    name = cursor.dotted("The name of an extension")
    cursor.expect(")")
    return NamePart(name, is_extension=True)


def _value(cursor: Cursor) -> Value:
    token = cursor.token
    if token.kind is Kind.STRING:
        return Text(string(cursor, "A string"))
    if token.text in CLOSING:
        return _aggregate(cursor)
    if token.text == "[":
        return _listing(cursor)
    sign = cursor.take().text if token.text in {"-", "+"} else ""
    if cursor.token.kind not in {Kind.WORD, Kind.NUMBER}:
        cursor.fail("A value is expected here")
    return Literal(sign + cursor.take().text)


def _aggregate(cursor: Cursor) -> Aggregate:
    closing = CLOSING[cursor.take().text]
    entries: list[Entry] = []
    while not cursor.accept(closing):
        entries.append(_entry(cursor))
        _ = cursor.accept(",") or cursor.accept(";")
    return Aggregate(tuple(entries))


def _entry(cursor: Cursor) -> Entry:
    is_extension = cursor.accept("[")
    if is_extension:
        name = cursor.dotted("The name of an extension", may_lead=False)
        while cursor.accept("/"):
            name = f"{name}/{cursor.dotted('The name of a type', may_lead=False)}"
        cursor.expect("]")
    else:
        name = cursor.name("The name of a field")
    if not cursor.accept(":") and cursor.text not in {"{", "<", "["}:
        cursor.fail("':' is expected here")
    return Entry(name, _value(cursor), is_extension=is_extension)


def _listing(cursor: Cursor) -> Listing:
    cursor.take()
    values: list[Value] = []
    if cursor.accept("]"):
        return Listing(())
    while not values or cursor.accept(","):
        values.append(_value(cursor))
    cursor.expect("]", "']' or ','")
    return Listing(tuple(values))


def unescaped(inner: bytes, complain: Callable[[bytes], None]) -> bytes:
    """Return what the inside of a literal stands for; of an escape nobody knows, its letter is told."""
    return inner if b"\\" not in inner else ESCAPE.sub(lambda match: _escaped(match, complain), inner)


def _escaped(match: re.Match[bytes], complain: Callable[[bytes], None]) -> bytes:
    kind, value = match.lastgroup, match[match.lastindex or 0]
    if kind == "octal":
        return bytes((int(value, 8) & BYTE,))
    if kind == "hex":
        return bytes((int(value, 16),))
    if kind == "char":
        if value not in CHARS:
            complain(value)
        return CHARS.get(value, b"")
    return chr(int(value, 16)).encode(errors="surrogatepass")
