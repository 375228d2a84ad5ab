"""JSON as the Java registries read and print it: exact numbers, kept order, named flaws.

Reading follows Jackson, which Avro Java uses: comments are tolerated, integers are exact, a number
with a point or an exponent is a double. What Jackson lets through and nobody means is refused with
its place: NaN and infinities, numbers beyond a double or longer than 1,000 characters, halves of
surrogate pairs, raw NUL characters and, in new schemas, a member given twice (in stored ones the
last wins, as in Jackson). An escaped NUL stays: it is a proper default of a bytes field.

What belongs to Avro alone can be left out: `read` may refuse comments, and may keep a number with a point
or an exponent exactly as a decimal, which prints as Java's ``BigDecimal`` does.

Printing gives compact text with non-ASCII characters as they are. Doubles print as Java's
``Double.toString`` of version 19 and later does (1e3 as 1000.0, 1e10 as 1.0E10); older Java
versions print a few values with more digits than needed.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from itertools import accumulate
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, TypeAlias

from accord.formats.flaws import (
    LARGEST_EXPONENT,
    NUMBER_LENGTH,
    Flaw,
    decimal_flaw,
    first_flaw,
    number_flaw,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Ordered = Callable[[Iterable[tuple[str, "Json"]]], Iterable[tuple[str, "Json"]]]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | Decimal | bool | None"

# A string without its closing quote runs to the end of the text: so every pattern is linear.
STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
STRING_OR_COMMENT = re.compile(STRING + r"|/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
NO_BRACKETS = re.compile(rf'(?:[^"\[\]{{}}]++|{STRING})++', re.DOTALL)
BRACKETS = {"[": 1, "{": 1, "]": -1, "}": -1}
COMMENT_STARTS = ("/*", "//")
# A text in which no escape stands for one half of a surrogate pair without the other.
WHOLE_ESCAPES = re.compile(
    r"(?:[^\\]++|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\(?!u[dD][89a-fA-F]).)*+",
    re.DOTALL,
)
PLAIN_FROM, PLAIN_BELOW = 1e-3, 1e7


class JsonError(ValueError):
    """A text that is not JSON, or holds what no schema may hold; ``flaw`` names the place."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw.sentence)
        self.flaw = flaw


def read(text: str, *, depth: int, unique: bool, exact: bool = False) -> Json:
    """Return the value a JSON text stands for.

    At most ``depth`` brackets may be open at once; ``unique`` refuses members given twice. ``exact``
    is strict JSON: no comments, and decimals instead of doubles. Raises `JsonError`.
    """
    _check_depth(text, depth)
    notes: set[str] = set()
    value = _decode_exactly(text, notes) if exact else _decode(text, notes, depth)
    is_doubtful = bool(notes) if unique else bool(notes - {"duplicate"})
    if is_doubtful or not WHOLE_ESCAPES.fullmatch(text):
        bare = text if exact else _without_comments(text)
        numbers = decimal_flaw if exact else number_flaw
        flaw = first_flaw(bare, depth=depth, unique=unique, numbers=numbers)
        if flaw is not None:
            raise JsonError(flaw)
    return value


def _check_depth(text: str, depth: int) -> None:
    """Count brackets before decoding: the decoder of the standard library recurses."""
    if text.count("[") + text.count("{") <= depth:
        return
    brackets = NO_BRACKETS.sub("", text)
    if max(accumulate(map(BRACKETS.__getitem__, brackets)), default=0) > depth:
        flaw = first_flaw(_without_comments(text), depth=depth, unique=False)
        raise JsonError(flaw or Flaw("", "The text is not JSON: brackets without end"))


def _decode(text: str, notes: set[str], depth: int) -> Json:
    hooks = _hooks(notes)
    try:
        return _loads(text, hooks)
    except json.JSONDecodeError as error:
        bare = _without_comments(text)
        if bare == text:
            raise JsonError(_syntax_flaw(error)) from None
    _check_depth(bare, depth)
    try:
        return _loads(bare, hooks)
    except json.JSONDecodeError as error:
        raise JsonError(_syntax_flaw(error)) from None


def _decode_exactly(text: str, notes: set[str]) -> Json:
    def decimal(literal: str) -> Json:
        value = Decimal(literal) if len(literal) <= NUMBER_LENGTH else None
        if value is None or abs(value.adjusted()) > LARGEST_EXPONENT:
            notes.add("number")
        return value

    try:
        return _loads(text, {**_hooks(notes), "parse_float": decimal})
    except json.JSONDecodeError as error:
        raise JsonError(_syntax_flaw(error)) from None


def _loads(text: str, hooks: dict[str, Callable[..., Json]]) -> Json:
    value: Json = json.loads(text, **hooks)  # type: ignore[arg-type]  # the four hooks, by name
    return value


def _hooks(notes: set[str]) -> dict[str, Callable[..., Json]]:
    """Return what the decoder calls for parts of the text; they note what needs a closer look.

    They are closures because a call happens for each object and each number.
    """

    def members(pairs: list[tuple[str, Json]]) -> Json:
        value = dict(pairs)
        if len(value) != len(pairs):
            notes.add("duplicate")
        return value

    def integer(literal: str) -> Json:
        return int(literal) if len(literal) <= NUMBER_LENGTH else noted("number")

    def double(literal: str) -> Json:
        value = float(literal) if len(literal) <= NUMBER_LENGTH else math.inf
        return noted("number") if math.isinf(value) else value

    def noted(what: str) -> Json:
        notes.add(what)
        return None

    hooks = {"parse_int": integer, "parse_float": double, "parse_constant": noted}
    return {"object_pairs_hook": members, **hooks}


def _without_comments(text: str) -> str:
    if not any(start in text for start in COMMENT_STARTS):
        return text
    return STRING_OR_COMMENT.sub(lambda match: match[0] if match[0][0] == '"' else " ", text)


def _syntax_flaw(error: json.JSONDecodeError) -> Flaw:
    place = f"line {error.lineno} column {error.colno}"
    return Flaw("", f"The text is not JSON: {error.msg} at {place}; mend the JSON there")


SHORT_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
ESCAPES = str.maketrans(
    {chr(code): f"\\u{code:04X}" for code in range(32)} | SHORT_ESCAPES | {'"': '\\"', "\\": "\\\\"}
)


def quote(text: str) -> str:
    """Return a JSON string as Jackson prints it: only quotes, backslashes, controls escaped."""
    # The standard library's writer differs in one thing: it numbers controls in small letters.
    quoted = encode_basestring(text)
    return f'"{text.translate(ESCAPES)}"' if "\\u" in quoted else quoted


def write(value: Json, *, sort: bool = False) -> str:
    """Return the compact text of a value; ``sort`` orders the members of all objects by key."""
    return _text(value, sorted if sort else iter)


def write_sorted_as_java(value: Json) -> str:
    """Return the compact text of a value, members in the order of UTF-16 code units."""
    return _text(value, lambda members: sorted(members, key=lambda member: member[0].encode("utf-16-be")))


def _text(value: Json, ordered: Ordered) -> str:
    scalar = SCALARS.get(type(value))
    if scalar is not None:
        return scalar(value)
    if isinstance(value, dict):
        members = [f"{quote(key)}:{_text(item, ordered)}" for key, item in ordered(value.items())]
        return f"{{{','.join(members)}}}"
    items = value if isinstance(value, list) else []
    return f"[{','.join([_text(item, ordered) for item in items])}]"


def write_double(value: float) -> str:
    """Return a finite double as Java's ``Double.toString`` prints it.

    Between 0.001 and ten million it is plain with at least one decimal, else ``d.dddE±n``; zero
    keeps its sign.
    """
    if PLAIN_FROM <= abs(value) < PLAIN_BELOW or value == 0:
        return repr(value)
    mantissa, _, power = _shortest(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    spelled = whole + fraction
    digits = spelled.lstrip("0")
    exponent = len(whole) - 1 - (len(spelled) - len(digits)) + int(power or 0)
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[0]}.{digits[1:].rstrip('0') or '0'}E{exponent}"


def _shortest(value: float) -> str:
    """Return the fewest digits that read back as the value; Java chooses the nearest two over one."""
    nearest = f"{value:.1e}"
    return nearest if float(nearest) == value else repr(value)


SCALARS: dict[type, Callable[..., str]] = {
    type(None): lambda _: "null",
    bool: lambda value: "true" if value else "false",
    int: str,
    float: write_double,
    Decimal: str,
    str: quote,
}
