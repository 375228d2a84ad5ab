"""Colour a schema text: Pygments tokens become lines of spans with classes, never inline styles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.html import escape
from django.utils.safestring import SafeString
from pygments.lexers.data import JsonLexer, YamlLexer
from pygments.lexers.dsls import ProtoBufLexer
from pygments.token import Comment, Keyword, Name, Number, Punctuation, String, _TokenType

from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pygments.lexer import Lexer

Span = tuple[int, int]

LEXERS: Final[dict[Format, type[Lexer]]] = {
    Format.AVRO: JsonLexer,
    Format.JSON: JsonLexer,
    Format.PROTOBUF: ProtoBufLexer,
}
# First match wins; the style sheet names the same letters.
CLASSES: Final[tuple[tuple[_TokenType, str], ...]] = (
    (Name.Tag, "tk"),
    (String, "ts"),
    (Number, "tn"),
    (Keyword, "tw"),
    (Comment, "tc"),
    (Punctuation, "tp"),
    (Name, "tk"),
)
# Characters that reorder or hide text: shown by name, so that nobody reads what is not there.
INVISIBLE: Final = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
MAX_LINE: Final = 2_000


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of one line and the class that colours it (empty for plain text)."""

    css: str
    text: str


Line = tuple[Token, ...]


def highlight(text: str, schema_format: Format) -> list[Line]:
    """Split the text into coloured lines; joined again they are the text."""
    return _coloured(text, LEXERS[schema_format])


def highlight_policy(text: str, syntax: str) -> list[Line]:
    """Split the text of a policy into coloured lines; it is YAML unless it is JSON."""
    return _coloured(text, JsonLexer if syntax == "json" else YamlLexer)


def _coloured(text: str, lexer: type[Lexer]) -> list[Line]:
    lines: list[Line] = []
    line: list[Token] = []
    for css, value in _tokens(text, lexer):
        first, *rest = value.split("\n")
        line.append(Token(css, first))
        for part in rest:
            lines.append(_solid(line))
            line = [Token(css, part)]
    lines.append(_solid(line))
    return lines


def paint(line: Line, marks: tuple[Span, ...] = ()) -> SafeString:
    """Print one line as HTML, with the marked spans in ``<mark>`` and very long lines cut."""
    cut = _cut(line)
    pieces = cut if not marks else _split_at(cut, {edge for span in marks for edge in span})
    return SafeString("".join(_painted(pieces, marks)))


def visible(text: str) -> SafeString:
    """Escape a text and show its invisible characters by name."""
    return SafeString(INVISIBLE.sub(_by_name, escape(text)))


def _by_name(found: re.Match[str]) -> str:
    return f'<span class="tx">U+{ord(found[0]):04X}</span>'


def _tokens(text: str, lexer: type[Lexer]) -> Iterator[tuple[str, str]]:
    for kind, value in lexer(stripnl=False, ensurenl=False).get_tokens(text):
        yield next((css for parent, css in CLASSES if kind[: len(parent)] == parent), ""), value


def _solid(line: list[Token]) -> Line:
    return tuple(token for token in line if token.text)


def _cut(line: Line) -> Line:
    length = sum(len(token.text) for token in line)
    if length <= MAX_LINE:
        return line
    kept: list[Token] = []
    room = MAX_LINE
    for token in line:
        kept.append(Token(token.css, token.text[:room]))
        room -= len(token.text)
        if room <= 0:
            break
    return (*kept, Token("tcut", f" … {length - MAX_LINE:,} more characters"))


def _split_at(line: Line, edges: set[int]) -> Line:
    pieces: list[Token] = []
    at = 0
    for token in line:
        cuts = sorted(edge - at for edge in edges if at < edge < at + len(token.text))
        for start, end in zip([0, *cuts], [*cuts, len(token.text)], strict=True):
            pieces.append(Token(token.css, token.text[start:end]))
        at += len(token.text)
    return tuple(pieces)


def _painted(line: Iterable[Token], marks: tuple[Span, ...]) -> Iterator[str]:
    at = 0
    is_open = False
    for token in line:
        is_marked = any(start <= at < end for start, end in marks)
        if is_marked != is_open:
            yield "<mark>" if is_marked else "</mark>"
            is_open = is_marked
        text = visible(token.text)
        yield f'<span class="{token.css}">{text}</span>' if token.css else text
        at += len(token.text)
    if is_open:
        yield "</mark>"
