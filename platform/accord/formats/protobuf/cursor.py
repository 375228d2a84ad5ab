"""A place in the tokens of a ``.proto`` text: taking what is expected, saying what is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from accord.formats.places import shown
from accord.formats.protobuf.comments import comments_of
from accord.formats.protobuf.diagnostics import Diagnostic, too_large
from accord.formats.protobuf.tokens import FLAWS, Kind

if TYPE_CHECKING:
    from accord.formats.limits import Limits
    from accord.formats.protobuf.source import Comments, Position
    from accord.formats.protobuf.tokens import Token, Tokens

LONGEST_NUMBER: Final = 24
# What Protobuf keeps for its own implementation.
KEPT_NUMBERS: Final = range(19_000, 20_000)


class Slip(Exception):  # never leaves the parser
    """A statement that cannot be read on; the flaw is noted, the parser goes on behind it."""


class Cursor:
    """The tokens of a text, the number of the next one, and the flaws found so far."""

    def __init__(self, tokens: Tokens, limits: Limits) -> None:
        self.source = tokens
        self.limits = limits
        self.at = 0
        self.flaws: list[Diagnostic] = []
        self.spans_left = limits.all_ranges
        self._tokens = tokens.tokens

    @property
    def token(self) -> Token:
        """The next token."""
        return self._tokens[self.at]

    @property
    def text(self) -> str:
        """The text of the next token, empty at the end."""
        return self._tokens[self.at].text

    def is_at(self, kind: Kind) -> bool:
        """Tell whether the next token is of a kind."""
        return self._tokens[self.at].kind is kind

    @property
    def is_at_end(self) -> bool:
        """Whether there is nothing more."""
        return self._tokens[self.at].kind is Kind.END

    @property
    def end(self) -> int:
        """The offset behind the last token taken."""
        return self._tokens[self.at - 1].end

    def text_behind(self, count: int = 1) -> str:
        """Return the text of a token further on."""
        return self._tokens[min(self.at + count, len(self._tokens) - 1)].text

    def position(self) -> Position:
        """Return the place of the next token."""
        return self.source.position(self.token.start)

    def position_of(self, number: int) -> Position:
        """Return the place of a token."""
        return self.source.position(self._tokens[number].start)

    def comments(self, first: int) -> Comments:
        """Return the comments of a declaration from token ``first`` whose end or brace was just taken."""
        return comments_of(self.source, first=first, mark=self.at - 1)

    def take(self) -> Token:
        """Take the next token, whatever it is; the end stays."""
        token = self._tokens[self.at]
        self.at += token.kind is not Kind.END
        return token

    def accept(self, text: str) -> bool:
        """Take a word or symbol if it is next."""
        token = self._tokens[self.at]
        if token.text != text or token.kind is Kind.STRING:
            return False
        self.at += 1
        return True

    def expect(self, text: str, what: str = "") -> None:
        """Take a word or symbol, or slip."""
        if not self.accept(text):
            self.fail(f"{what or repr(text)} is expected here")

    def name(self, what: str) -> str:
        """Take a plain word."""
        if self.token.kind is not Kind.WORD:
            self.fail(f"{what} is expected here")
        text = self.take().text
        if len(text) > self.limits.name_length:
            self.note(
                self.at - 1, f"The name is longer than {self.limits.name_length} characters; shorten it"
            )
        return text

    def dotted(self, what: str, *, may_lead: bool = True) -> str:
        """Take words with dots between them, with ``may_lead`` also with one before them."""
        parts = ["."] if may_lead and self.accept(".") else []
        parts.append(self.name(what))
        while self.accept("."):
            parts += (".", self.name(what))
        return "".join(parts)

    def integer(self, what: str) -> int:
        """Take a whole number with or without a minus, in any of the three bases."""
        sign = -1 if self.accept("-") else 1
        token = self.token
        value = whole_number(token.text) if token.kind is Kind.NUMBER else None
        if value is None:
            self.fail(f"{what} is expected here, a whole number")
        self.take()
        return sign * value

    def field_number(self, what: str) -> int:
        """Take the number of a field, and note one that Protobuf keeps for itself."""
        number = self.integer(what)
        if number in KEPT_NUMBERS:
            self.note(self.at - 1, f"The number {number} is one of 19000 to 19999, which no field may have")
        return number

    def fail(self, expected: str) -> NoReturn:
        """Note what is expected instead of the next token, and slip."""
        met = "the text ends" if self.is_at_end else f"{shown(self.text)} is met"
        self.note(self.at, f"{expected}, but {met}")
        raise Slip

    def note(self, number: int, message: str) -> None:
        """Note a flaw at a token."""
        if len(self.flaws) < FLAWS:
            self.flaws.append(Diagnostic("", *self.position_of(number), message))

    def recover(self) -> None:
        """Go on behind the statement that slipped: past its ``;`` or its whole block."""
        open_brackets = 0
        while not self.is_at_end:
            text = self.text
            if text == "}" and not open_brackets:
                return
            self.take()
            open_brackets += (text == "{") - (text == "}")
            if not open_brackets and text in {";", "}"}:
                return

    def spend_span(self, count: int) -> None:
        """Count a range, the ``count``-th of its declaration.

        Raises `accord.errors.SchemaTooLarge` beyond the limits.
        """
        self.spans_left -= 1
        if count > self.limits.ranges or self.spans_left < 0:
            line = self.source.line(self.token.start)
            limit = self.limits.ranges if count > self.limits.ranges else self.limits.all_ranges
            raise too_large(
                f"line {line}: more than {limit} reserved or extension ranges; join them to ranges"
            )


def whole_number(text: str) -> int | None:
    """Return the value of a whole number as written, None where it is none."""
    if len(text) > LONGEST_NUMBER:
        return None
    try:
        if text[:2] in {"0x", "0X"}:
            return int(text, 16)
        return int(text, 8 if text[:1] == "0" else 10)
    except ValueError:
        return None
