"""Finding the place of a flaw in a JSON text: one pass over its tokens with an explicit stack.

The fast reader only notices that something is wrong, or that the text has many brackets; this
slower pass then says where, without ever recursing.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from accord.formats.places import pointer_token, shown

if TYPE_CHECKING:
    from collections.abc import Callable

TOKEN = re.compile(
    r'(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z))|(?P<open>[\[{])|(?P<close>[\]}])|(?P<comma>,)|'
    r"(?P<constant>-?Infinity|NaN)|(?P<number>-?[0-9][0-9.eE+-]*+)",
    re.DOTALL,
)
HALF_A_PAIR = re.compile("[\ud800-\udfff]")
NUMBER_LENGTH = 1_000
# Exact decimals: what a double could hold, so that no arithmetic on them is expensive.
LARGEST_EXPONENT = 308
SMALLEST_EXPONENT = -324


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with a text and where: a JSON pointer (empty where none is known).

    ``is_size`` tells a text that is merely too large from a wrong one.
    """

    pointer: str
    sentence: str
    is_size: bool = False


@dataclass(slots=True)
class _Level:
    """One open bracket: the member or position being read, and the keys met so far."""

    is_object: bool
    key: str = ""
    position: int = 0
    expects_key: bool = True
    keys: set[str] = field(default_factory=set)

    @property
    def token(self) -> str:
        return pointer_token(self.key) if self.is_object else str(self.position)

    def advance(self) -> None:
        self.position += 1
        self.expects_key = True


def number_flaw(literal: str) -> str | None:
    """Return what is wrong with a number as written, or None."""
    if len(literal) > NUMBER_LENGTH:
        return f"A number is longer than {NUMBER_LENGTH} characters; write a shorter one"
    if literal.isdigit():
        return None
    try:
        is_infinite = not literal.lstrip("-").isdigit() and math.isinf(float(literal))
    except ValueError:  # not a number at all: the decoder says so, with line and column
        return None
    if is_infinite:
        return f"The number {literal[:40]} is beyond the range of a double; write a smaller one"
    return None


def decimal_flaw(literal: str) -> str | None:
    """Return what is wrong with a number of a valid text that is kept exactly, or None."""
    sentence = number_flaw(literal)
    if sentence is not None or literal.lstrip("-").isdigit():
        return sentence
    value = Decimal(literal)
    is_tiny = value != 0 and value.adjusted() < SMALLEST_EXPONENT
    return f"The number {literal[:40]} is closer to zero than a double can be" if is_tiny else None


def first_flaw(
    text: str, *, depth: int, unique: bool, numbers: Callable[[str], str | None] = number_flaw
) -> Flaw | None:
    """Return the first flaw of a text without comments, or None.

    Looks for brackets deeper than ``depth``, members given twice (if ``unique``), NaN and
    infinities, what ``numbers`` finds wrong with a number, and halves of surrogate pairs.
    """
    levels: list[_Level] = []
    for match in TOKEN.finditer(text):
        is_number = match.lastgroup == "number"
        sentence = numbers(match[0]) if is_number else _take(levels, match, unique=unique)
        if sentence is not None:
            return Flaw(_pointer(levels), sentence)
        if len(levels) > depth:
            return Flaw(
                _pointer(levels[:-1]),
                f"The schema nests deeper than {depth} levels of JSON;"
                " give inner types a name and refer to them",
                is_size=True,
            )
    return None


def _pointer(levels: list[_Level]) -> str:
    return "".join(f"/{level.token}" for level in levels)


def _take(levels: list[_Level], token: re.Match[str], *, unique: bool) -> str | None:
    """Move on by one token; return what is wrong with it, if anything."""
    match token.lastgroup:
        case "comma" if levels:
            levels[-1].advance()
        case "string":
            return _take_string(levels, spelled=token[0], unique=unique)
        case "open":
            levels.append(_Level(is_object=token[0] == "{"))
        case "close":
            del levels[-1:]
        case "constant":
            return f"{token[0]} is not a JSON number; write a number, or the text in quotes"
    return None


def _take_string(levels: list[_Level], *, spelled: str, unique: bool) -> str | None:
    try:
        value = _unquoted(spelled)
    except json.JSONDecodeError as error:
        return f"The text is not JSON: {error.msg} in a string; mend the string"
    if HALF_A_PAIR.search(value):
        return "A string holds one half of a surrogate pair; write the whole character"
    level = levels[-1] if levels else None
    if level is None or not (level.is_object and level.expects_key):
        return None
    level.key, level.expects_key = value, False
    if unique and value in level.keys:
        return f"The member {shown(value)} is given twice; keep one of them"
    level.keys.add(value)
    return None


def _unquoted(spelled: str) -> str:
    """Return what a string stands for; most are spelled without escapes."""
    if "\\" not in spelled and len(spelled) > 1 and spelled[-1] == '"':
        return spelled[1:-1]
    return str(json.loads(spelled, strict=False))
