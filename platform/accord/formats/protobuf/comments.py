"""Which comment belongs to which declaration.

Source: the comments on ``SourceCodeInfo.Location`` in descriptor.proto, and what protoc does with them; the
tests hold this module against its answers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.protobuf.source import NO_COMMENTS, Comments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.formats.protobuf.tokens import Remark, Tokens

# The decoration that lines of a block comment begin with.
STAR: Final = re.compile(r"\n[ \t\r\f\v]*\*?")


class _Block(NamedTuple):
    """Comments that are read as one: line comments on lines that follow each other, or one block."""

    text: str
    first_line: int
    last_line: int
    is_line: bool


class Gap(NamedTuple):
    """What stands between two tokens: for the one before, for nobody, for the one behind."""

    trailing: str = ""
    detached: tuple[str, ...] = ()
    leading: str = ""


EMPTY: Final = Gap()


def comments_of(tokens: Tokens, *, first: int, mark: int) -> Comments:
    """Return the comments of a declaration, by the numbers of its first token and of its ``;`` or ``{``."""
    before, behind = gap_before(tokens, first), gap_before(tokens, mark + 1)
    if before is EMPTY and behind is EMPTY:
        return NO_COMMENTS
    return Comments(before.leading, behind.trailing, before.detached)


def gap_before(tokens: Tokens, number: int) -> Gap:
    """Return how the comments before a token are shared out."""
    remarks = tokens.remarks.get(number)
    if not remarks:
        return EMPTY
    token = tokens.tokens[number]
    next_line = tokens.line(token.start)
    previous = tokens.line(tokens.tokens[number - 1].end) if number else 0
    blocks = _blocks(tokens, remarks, previous)
    if blocks[0].first_line == previous and not blocks[0].is_line and next_line == blocks[0].last_line:
        return Gap(detached=(blocks[0].text,))  # between two tokens of one line: it belongs to neither
    return _shared_out(blocks, previous, next_line, is_closing=token.text in {"", "}", "]", ")"})


def _shared_out(blocks: list[_Block], previous: int, next_line: int, *, is_closing: bool) -> Gap:
    trailing, rest = "", blocks
    first = blocks[0]
    touches = first.first_line - previous <= 1 and previous > 0
    is_last = len(blocks) == 1
    # A comment below belongs to what is above it when something parts it from what follows.
    is_parted = not is_last or is_closing or next_line > first.last_line + 1
    if touches and (first.first_line == previous or is_parted):
        trailing, rest = first.text, blocks[1:]
    leads = bool(rest) and not is_closing and next_line <= rest[-1].last_line + 1
    detached = tuple(one.text for one in (rest[:-1] if leads else rest))
    return Gap(trailing, detached, rest[-1].text if leads else "")


def _blocks(tokens: Tokens, remarks: Iterable[Remark], previous: int) -> list[_Block]:
    blocks: list[_Block] = []
    for remark in remarks:
        first_line = tokens.line(remark.start)
        last_line = tokens.line(remark.start + len(remark.text) - 1)
        one = _Block(_bare(remark), first_line, last_line, remark.is_line)
        above = blocks[-1] if blocks else None
        if above and above.is_line and one.is_line and _follows(above, first_line, previous):
            blocks[-1] = _Block(above.text + one.text, above.first_line, last_line, is_line=True)
        else:
            blocks.append(one)
    return blocks


def _follows(above: _Block, line: int, previous: int) -> bool:
    """Tell whether a line comment goes on with the one above; one behind a token stands alone."""
    return line == above.last_line + 1 and above.last_line != previous


def _bare(remark: Remark) -> str:
    if remark.is_line:
        return remark.text[2:] + "\n"
    return STAR.sub("\n", remark.text[2:-2])
