"""Services and their methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.formats.protobuf.blocks import statements
from accord.formats.protobuf.literals import option_statement
from accord.formats.protobuf.source import Rpc, Service

if TYPE_CHECKING:
    from accord.formats.protobuf.cursor import Cursor
    from accord.formats.protobuf.source import Option


class _Side(NamedTuple):
    """One side of a method: its type as spelled, and whether it is a stream."""

    type_name: str
    is_streaming: bool


def service(cursor: Cursor) -> Service:
    """Read a service, the word being next."""
    first, position = cursor.at, cursor.position()
    cursor.take()
    name = cursor.name("The name of the service")
    cursor.expect("{")
    comments = cursor.comments(first)
    rpcs: list[Rpc] = []
    options: list[Option] = []

    def statement() -> None:
        if cursor.text == "option":
            options.append(option_statement(cursor))
        else:
            rpcs.append(_rpc(cursor))

    statements(cursor, statement)
    return Service(name, tuple(rpcs), tuple(options), position, comments=comments)


def _rpc(cursor: Cursor) -> Rpc:
    first, position = cursor.at, cursor.position()
    cursor.expect("rpc", "'rpc', 'option' or '}'")
    name = cursor.name("The name of the method")
    request = _side(cursor)
    cursor.expect("returns")
    response = _side(cursor)
    has_body = cursor.accept("{")
    if not has_body:
        cursor.expect(";", "';' or '{'")
    comments = cursor.comments(first)
    options: list[Option] = []
    if has_body:
        statements(cursor, lambda: options.append(_option(cursor)))
    return Rpc(
        name,
        request.type_name,
        response.type_name,
        request.is_streaming,
        response.is_streaming,
        tuple(options),
        position,
        comments=comments,
    )


def _side(cursor: Cursor) -> _Side:
    cursor.expect("(")
    is_streaming = cursor.accept("stream")
    type_name = cursor.dotted("The name of a message")
    cursor.expect(")")
    return _Side(type_name, is_streaming)


def _option(cursor: Cursor) -> Option:
    if cursor.text != "option":
        cursor.fail("'option' or '}' is expected here")
    return option_statement(cursor)
