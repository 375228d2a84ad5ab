"""Spread a JSON text over lines for people, without changing one literal of it.

Parsing and dumping would round numbers, merge repeated keys and recurse as deep as the text does;
re-indenting pieces does none of that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[][{}:,]|[^\s"\][{}:,]+)', re.DOTALL)
INDENT = "  "
# Lists of plain values up to this width stay on one line: unions, enum symbols.
INLINE_WIDTH = 72
# Deeper than this the indentation says nothing and would square the size of the page.
MAX_INDENT = 40


def pretty(text: str, schema_format: Format) -> str:
    """Return the text as people read it; what is not JSON comes back as it is."""
    if schema_format is Format.PROTOBUF:
        return text
    pieces = _pieces(text)
    return "".join(_spread(pieces)) if pieces is not None else text


def _pieces(text: str) -> list[str] | None:
    pieces: list[str] = []
    at = 0
    while found := PIECE.match(text, at):
        pieces.append(found[1])
        at = found.end()
    return None if text[at:].strip() else pieces


def _spread(pieces: list[str]) -> Iterator[str]:
    depth = at = 0
    while at < len(pieces):
        piece = pieces[at]
        if end := _inline_end(pieces, at):
            yield _inline(pieces[at:end])
            at = end
            continue
        depth += (piece in "[{") - (piece in "]}")
        yield _with_space(piece, depth)
        at += 1


def _with_space(piece: str, depth: int) -> str:
    new_line = "\n" + INDENT * min(max(depth, 0), MAX_INDENT)
    match piece:
        case "{" | "[" | ",":
            return piece + new_line
        case "}" | "]":
            return new_line + piece
        case ":":
            return ": "
        case _:
            return piece


def _inline_end(pieces: list[str], start: int) -> int:
    """Return the end of a short list of plain values, or of an empty object; 0 if it is neither."""
    if pieces[start] == "{":
        return start + 2 if pieces[start + 1 : start + 2] == ["}"] else 0
    if pieces[start] != "[":
        return 0
    width = 0
    for at in range(start + 1, len(pieces)):
        width += len(pieces[at]) + 1
        if pieces[at] == "]":
            return at + 1
        if pieces[at] in "[{" or width > INLINE_WIDTH:
            return 0
    return 0


def _inline(pieces: list[str]) -> str:
    return "".join(", " if piece == "," else piece for piece in pieces)
