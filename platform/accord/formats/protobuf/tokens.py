"""The lexer: a ``.proto`` text to tokens and comments, in one linear pass.

Source: the lexical elements of the language specifications of proto2, proto3 and editions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from accord.formats.places import shown
from accord.formats.protobuf.diagnostics import Diagnostic, too_large
from accord.formats.protobuf.source import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

OPENING: Final = frozenset("{[(<")
CLOSING: Final = frozenset("}])>")
NUMBER: Final = (
    r"(?:0[xX][0-9A-Fa-f]++|[0-9]++(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]++)?|\.[0-9]++(?:[eE][+-]?[0-9]++)?)"
)
# What is no token, up to where one may begin again: strings and comments that do not end, numbers that run
# into words, and characters that mean nothing.
NO_TOKEN: Final = re.compile(
    r"""(?P<string>["'][^\n;]*+)|(?P<comment>/\*[\s\S]*+)|(?P<number>[0-9.][A-Za-z0-9_.]*+)"""
    r"""|[^\sA-Za-z0-9_{}\[\]()<>;=,.:+\-/"']++|[\s\S]"""
)
FLAWS: Final = 100
# The alternatives exclude each other by their first characters and never give back: linear.
TOKEN: Final = re.compile(
    rf"(?P<space>[ \t\r\n\f\v]++)|(?P<word>[A-Za-z_][A-Za-z0-9_]*+)|(?P<number>{NUMBER}(?![A-Za-z0-9_.]))"
    r"""|(?P<string>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')"""
    r"|(?P<comment>//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)|(?P<symbol>[{}\[\]()<>;=,.:+\-]|/(?!\*))"
)


class Kind(IntEnum):
    """What a token is."""

    WORD = 0
    NUMBER = 1
    STRING = 2
    SYMBOL = 3
    END = 4


STRAY: Final = "The character {} means nothing here; take it out"
# By the kind of token that was meant, or by the character.
COMPLAINTS: Final = {
    "string": "The string is not closed on its line; close it with the quote it began with",
    "comment": "The comment is not closed; end it with */",
    "number": "The number is not a number of Protobuf; put a space before what follows it",
    # In an option protoc takes it, and loses all that follows in the same braces.
    "#": "A comment begins with // in Protobuf; write that instead of '#'",
}
KINDS: Final = {"word": Kind.WORD, "number": Kind.NUMBER, "string": Kind.STRING, "symbol": Kind.SYMBOL}


class Token(NamedTuple):
    """One token: its kind, its text as written and the offset where it begins."""

    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.text)


class Remark(NamedTuple):
    """One comment as written, with its marks, and the offset where it begins."""

    text: str
    start: int

    @property
    def is_line(self) -> bool:
        """Whether it ends with its line."""
        return self.text.startswith("//")


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as tokens, the last of them an `END`; comments by the number of the token behind them.

    ``flaws`` tells what is no token; strings and numbers count as such for all that is wrong with them.
    """

    text: str
    tokens: tuple[Token, ...]
    remarks: dict[int, list[Remark]]
    line_starts: tuple[int, ...]
    flaws: list[Diagnostic]

    def line(self, offset: int) -> int:
        """Return the line of an offset, from one."""
        return bisect_right(self.line_starts, offset)

    def position(self, offset: int) -> Position:
        """Return line and column of an offset."""
        line = self.line(offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)


def tokenize(text: str, *, depth: int) -> Tokens:
    """Return the tokens of a text.

    Raises `accord.errors.SchemaTooLarge` where more than ``depth`` brackets are open at once.
    """
    starts = (0, *(match.end() for match in re.finditer("\n", text)))
    tokens: list[Token] = []
    result = Tokens(text, (), {}, starts, [])
    level = 0
    for group, token in _tokens(result):
        if group == "comment":
            result.remarks.setdefault(len(tokens), []).append(Remark(token.text, token.start))
            continue
        if token.kind is Kind.SYMBOL:
            level += (token.text in OPENING) - (token.text in CLOSING)
            if level > depth:
                raise _too_deep(result.position(token.start), depth)
        tokens.append(token)
    tokens.append(Token(Kind.END, "", len(text)))
    return Tokens(text, tuple(tokens), result.remarks, starts, result.flaws)


def _tokens(source: Tokens) -> Iterator[tuple[str, Token]]:
    offset, text = 0, source.text
    match = TOKEN.match
    while offset < len(text):
        found = match(text, offset) or _flawed(source, offset)
        group = found.lastgroup or "space"
        if group != "space":
            yield group, Token(KINDS.get(group, Kind.END), found[0], offset)
        offset = found.end()


def _flawed(source: Tokens, offset: int) -> re.Match[str]:
    """Note that there is no token, and return what is there instead."""
    found = cast("re.Match[str]", NO_TOKEN.match(source.text, offset))
    if len(source.flaws) < FLAWS:
        complaint = COMPLAINTS.get(found.lastgroup or found[0][0], STRAY)
        source.flaws.append(Diagnostic("", *source.position(offset), complaint.format(shown(found[0][0]))))
    return found


def _too_deep(position: Position, depth: int) -> Exception:
    place = f"line {position.line}, column {position.column}"
    return too_large(
        f"{place}: more than {depth} brackets are open; move inner messages to the top of the file"
    )
