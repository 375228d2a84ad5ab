"""JSON as the Java registries read and print it: exact numbers, kept order, named flaws.

Reading follows Jackson, which Avro Java uses: comments are tolerated, integers are exact, a number
with a point or an exponent is a double. What Jackson lets through and nobody means is refused with
its place: NaN and infinities, numbers beyond a double or longer than 1,000 characters, halves of
surrogate pairs, raw NUL characters and, in new schemas, a member given twice (in stored ones the
last wins, as in Jackson). An escaped NUL stays: it is a proper default of a bytes field.

Printing gives compact text with non-ASCII characters as they are. Doubles print as Java's
``Double.toString`` of version 19 and later does (1e3 as 1000.0, 1e10 as 1.0E10); older Java
versions print a few values with more digits than needed.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from functools import partial
from typing import TypeAlias

from accord.formats.flaws import Flaw, first_flaw, number_flaw

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

# A string without its closing quote runs to the end of the text: so every pattern is linear.
STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
STRING_OR_COMMENT = re.compile(STRING + r"|/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
STRING_OR_BRACKET = re.compile(STRING + r"|[\[\]{}]", re.DOTALL)
BRACKETS = {"[": 1, "{": 1, "]": -1, "}": -1}
COMMENT_STARTS = ("/*", "//")
ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
PLAIN_FROM, PLAIN_BELOW = 1e-3, 1e7


class JsonError(ValueError):
    """A text that is not JSON, or holds what no schema may hold; ``flaw`` names the place."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw.sentence)
        self.flaw = flaw


def read(text: str, *, depth: int, unique: bool) -> Json:
    """Return the value a JSON text stands for.

    At most ``depth`` brackets may be open at once; ``unique`` refuses members given twice.
    Raises `JsonError`.
    """
    _check_depth(text, depth)
    notes: list[str] = []
    value = _decode(text, notes, depth)
    if ESCAPED_SURROGATE.search(text) or (notes and (unique or set(notes) != {"duplicate"})):
        flaw = first_flaw(_without_comments(text), depth=depth, unique=unique)
        if flaw is not None:
            raise JsonError(flaw)
    return value


def _check_depth(text: str, depth: int) -> None:
    """Count brackets before decoding: the decoder of the standard library recurses."""
    if text.count("[") + text.count("{") <= depth:
        return
    level = 0
    for match in STRING_OR_BRACKET.finditer(text):
        level += BRACKETS.get(match[0], 0)
        if level > depth:
            flaw = first_flaw(_without_comments(text), depth=depth, unique=False)
            raise JsonError(flaw or Flaw("", "The text is not JSON: brackets without end"))


def _decode(text: str, notes: list[str], depth: int) -> Json:
    hooks = {
        "object_pairs_hook": partial(_object, notes),
        "parse_int": partial(_integer, notes),
        "parse_float": partial(_double, notes),
        "parse_constant": partial(_constant, notes),
    }
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


def _loads(text: str, hooks: dict[str, partial[Json]]) -> Json:
    value: Json = json.loads(text, **hooks)  # type: ignore[arg-type]  # the four hooks, by name
    return value


def _without_comments(text: str) -> str:
    if not any(start in text for start in COMMENT_STARTS):
        return text
    return STRING_OR_COMMENT.sub(lambda match: match[0] if match[0][0] == '"' else " ", text)


def _syntax_flaw(error: json.JSONDecodeError) -> Flaw:
    place = f"line {error.lineno} column {error.colno}"
    return Flaw("", f"The text is not JSON: {error.msg} at {place}; mend the JSON there")


def _object(notes: list[str], pairs: list[tuple[str, Json]]) -> Json:
    members = dict(pairs)
    if len(members) != len(pairs):
        notes.append("duplicate")
    return members


def _integer(notes: list[str], literal: str) -> Json:
    if number_flaw(literal):
        notes.append("number")
        return 0
    return int(literal)


def _double(notes: list[str], literal: str) -> Json:
    if number_flaw(literal):
        notes.append("number")
        return 0.0
    return float(literal)


def _constant(notes: list[str], literal: str) -> Json:
    notes.append("constant")
    return literal


SHORT_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
ESCAPES = str.maketrans(
    {chr(code): f"\\u{code:04X}" for code in range(32)} | SHORT_ESCAPES | {'"': '\\"', "\\": "\\\\"}
)


def quote(text: str) -> str:
    """Return a JSON string as Jackson prints it: only quotes, backslashes, controls escaped."""
    return f'"{text.translate(ESCAPES)}"'


def write(value: Json, *, sort: bool = False) -> str:
    """Return the compact text of a value; ``sort`` orders the members of all objects by key."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case float():
            return write_double(value)
        case int():
            return str(value)
        case list():
            return f"[{','.join([write(item, sort=sort) for item in value])}]"
        case _:
            members = sorted(value.items()) if sort else value.items()
            return f"{{{','.join([f'{quote(k)}:{write(v, sort=sort)}' for k, v in members])}}}"


def write_double(value: float) -> str:
    """Return a finite double as Java's ``Double.toString`` prints it.

    Between 0.001 and ten million it is plain with at least one decimal, else ``d.dddE±n``; zero
    keeps its sign.
    """
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0:
        return f"{sign}0.0"
    _, digit_tuple, exponent = Decimal(_shortest(value)).normalize().as_tuple()
    digits = "".join(map(str, digit_tuple))
    point = len(digits) + int(exponent)
    if not PLAIN_FROM <= abs(value) < PLAIN_BELOW:
        return f"{sign}{digits[0]}.{digits[1:] or '0'}E{point - 1}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return f"{sign}{digits[:point].ljust(point, '0')}.{digits[point:] or '0'}"


def _shortest(value: float) -> str:
    """Return the fewest digits that read back as the value; Java chooses the nearest two over one."""
    nearest = f"{value:.1e}"
    return nearest if float(nearest) == value else repr(value)
