"""What stands between braces: statement after statement, going on behind one that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.protobuf.cursor import Slip

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.formats.protobuf.cursor import Cursor


def statements(cursor: Cursor, statement: Callable[[], object]) -> None:
    """Read statements up to the closing brace, which is taken; empty ones are passed over."""
    while not cursor.accept("}"):
        if cursor.accept(";"):
            continue
        try:
            statement()
        except Slip:
            if cursor.is_at_end:
                raise
            cursor.recover()
