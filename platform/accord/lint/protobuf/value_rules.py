"""What protovalidate's rules about single values may say: each function looks at the rules of one family.

Bounds that cross are no mistake: protovalidate reads ``{gt: 5, lt: 3}`` as "outside", so only equal ones are.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import re2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from accord.lint.hits import Hit
    from accord.lint.protobuf.validation import Rules

    Moment: TypeAlias = tuple[int, int]

NANOS: Final = 1_000_000_000
# As many as 64 bits hold, short of what protovalidate cannot add to.
LONGEST: Final = 9_223_372_036_854_775_428
EARLIEST, LATEST = -62_135_596_800, 253_402_300_799
BYTES_A_CHARACTER: Final = 4
BOUNDS: Final = ("const", "gt", "gte", "lt", "lte")
PARTS: Final = ("prefix", "suffix", "contains")
# RE2 reads a pattern before it compiles it; what is read takes little, so that many patterns cost little.
MEMORY: Final = 1 << 17
REMEMBERED: Final = 256
TOO_LARGE: Final = "pattern too large"


def numbers(rules: Rules) -> Iterator[Hit]:
    """Look at the rules of a number."""
    held = {name: rules.number(name) for name in BOUNDS}
    for name, value in held.items():
        if value is not None and math.isnan(value):
            yield rules.hit(
                name, f"{rules.spelled(name)} is NaN, which nothing equals, exceeds or falls short of"
            )
    yield from lonely_const(rules)
    yield from _equal_bounds(rules, held)


def enums(rules: Rules) -> Iterator[Hit]:
    """Look at the rules of an enum."""
    yield from lonely_const(rules)


def texts(rules: Rules) -> Iterator[Hit]:
    """Look at the rules of a string."""
    yield from lonely_const(rules)
    yield from _lengths(rules, "len", "min_len", "max_len")
    yield from _lengths(rules, "len_bytes", "min_bytes", "max_bytes")
    yield from _characters_and_bytes(rules)
    for name in PARTS:
        part, without = rules.text(name), rules.text("not_contains")
        if isinstance(part, str):
            yield from _too_long(rules, name, len(part), "max_len")
            yield from _too_long(rules, name, len(part.encode()), "max_bytes")
            if isinstance(without, str) and without in part:
                yield rules.hit(name, f"{rules.spelled(name)} holds what not_contains rules out")
    yield from _pattern(rules)
    if rules.flag("strict") is False and rules.word("well_known_regex") in {"", "KNOWN_REGEX_UNSPECIFIED"}:
        yield rules.hit("strict", f"{rules.spelled('strict')} means nothing without well_known_regex")


def blobs(rules: Rules) -> Iterator[Hit]:
    """Look at the rules of bytes."""
    yield from lonely_const(rules)
    yield from _lengths(rules, "len", "min_len", "max_len")
    for name in PARTS:
        part = rules.text(name)
        if part is not None:
            yield from _too_long(rules, name, len(part), "max_len")
    yield from _pattern(rules)


def durations(rules: Rules) -> Iterator[Hit]:
    """Look at the rules of a duration."""
    yield from _moments(rules, _wrong_duration)


def timestamps(rules: Rules) -> Iterator[Hit]:
    """Look at the rules of a timestamp."""
    yield from _moments(rules, _wrong_timestamp)
    if rules.flag("lt_now") and rules.flag("gt_now"):
        for name in ("lt_now", "gt_now"):
            yield rules.hit(name, "lt_now and gt_now rule out every timestamp together")
    within = _moment(rules, "within")
    if within is not None:
        wrong = _wrong_duration(within) or ("it is not positive" if max(within) <= 0 else "")
        if wrong:
            yield rules.hit("within", f"{rules.spelled('within')} cannot be kept: {wrong}")


def field_masks(rules: Rules) -> Iterator[Hit]:
    """Look at the rules of a field mask."""
    yield from lonely_const(rules)
    both = set(map(str, rules.values("in"))) & set(map(str, rules.values("not_in")))
    for path in sorted(both):
        yield rules.hit("in", f'the path "{path}" is both in {rules.spelled("in")} and in not_in')


def nothing(_rules: Rules) -> Iterator[Hit]:
    """Look at rules that cannot contradict each other."""
    yield from ()


def least_and_most(rules: Rules, least: str, most: str) -> Iterator[Hit]:
    """Tell of a least count above the most that is allowed."""
    low, high = rules.number(least), rules.number(most)
    if low is not None and high is not None and low > high:
        for name in (least, most):
            yield rules.hit(name, f"{rules.spelled(least)} is {low} and {most} is {high}: nothing keeps both")


def lonely_const(rules: Rules) -> Iterator[Hit]:
    """Tell of a constant with other rules beside it, which it makes superfluous."""
    if "const" in rules and len(rules) > 1:
        yield rules.hit("const", f"{rules.spelled('const')} says all; take out the other rules beside it")


def _lengths(rules: Rules, exact: str, least: str, most: str) -> Iterator[Hit]:
    for name in (least, most):
        if exact in rules and name in rules:
            yield rules.hit(name, f"{rules.spelled(name)} adds nothing to {exact}; take it out")
    yield from least_and_most(rules, least, most)
    if rules.number(least) is not None and rules.number(least) == rules.number(most):
        for name in (least, most):
            yield rules.hit(name, f"{rules.spelled(least)} and {most} are equal; write {exact} instead")


def _characters_and_bytes(rules: Rules) -> Iterator[Hit]:
    """Tell of characters that cannot fit into the bytes: one has between one and four."""
    least, most = rules.number("min_len"), rules.number("max_len")
    least_bytes, most_bytes = rules.number("min_bytes"), rules.number("max_bytes")
    if least is not None and most_bytes is not None and most_bytes < least:
        for name in ("min_len", "max_bytes"):
            yield rules.hit(name, f"{least} characters of min_len never fit into max_bytes, {most_bytes}")
    if most is not None and least_bytes is not None and most * BYTES_A_CHARACTER < least_bytes:
        for name in ("max_len", "min_bytes"):
            yield rules.hit(name, f"{most} characters of max_len never have min_bytes, {least_bytes}")


def _too_long(rules: Rules, name: str, length: int, most: str) -> Iterator[Hit]:
    allowed = rules.number(most)
    if allowed is not None and length > allowed:
        yield rules.hit(name, f"{rules.spelled(name)} is {length} long by itself, and {most} is {allowed}")


def _pattern(rules: Rules) -> Iterator[Hit]:
    pattern = rules.text("pattern")
    flaw = _flaw_of(pattern) if isinstance(pattern, str) else ""
    if flaw:
        yield rules.hit("pattern", f"{rules.spelled('pattern')} is no expression of RE2: {flaw}")


@lru_cache(maxsize=REMEMBERED)
def _flaw_of(pattern: str) -> str:
    """Return what is wrong with a pattern; one that is too large to compile here was read without fault."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MEMORY
    try:
        re2.compile(pattern, options)
    except re2.error as reason:
        flaw: str = reason.args[0].decode(errors="replace")
        return "" if flaw.startswith(TOO_LARGE) else flaw
    return ""


def _moments(rules: Rules, wrong: Callable[[Moment], str]) -> Iterator[Hit]:
    held = {name: _moment(rules, name) for name in BOUNDS}
    for name, moment in held.items():
        if moment is not None and wrong(moment):
            held[name] = None
            yield rules.hit(name, f"{rules.spelled(name)} is not valid: {wrong(moment)}")
    if held["const"] is not None:
        yield from lonely_const(rules)
    yield from _equal_bounds(rules, held)


def _moment(rules: Rules, name: str) -> Moment | None:
    inner = rules.inner(name)
    if inner is None:
        return None
    return int(inner.number("seconds") or 0), int(inner.number("nanos") or 0)


def _wrong_duration(moment: Moment) -> str:
    seconds, nanos = moment
    if abs(nanos) >= NANOS:
        return "its nanos are a second or more"
    if seconds * nanos < 0:
        return "its seconds and nanos have different signs"
    return "it is longer than 292 years" if abs(seconds * NANOS + nanos) > LONGEST else ""


def _wrong_timestamp(moment: Moment) -> str:
    seconds, nanos = moment
    if not 0 <= nanos < NANOS:
        return "its nanos are not between 0 and 999999999"
    return "" if EARLIEST <= seconds <= LATEST else "it is not between the years 1 and 9999"


def _equal_bounds(rules: Rules, held: dict[str, float | None] | dict[str, Moment | None]) -> Iterator[Hit]:
    for low in ("gt", "gte"):
        for high in ("lt", "lte"):
            if held[low] is not None and held[low] == held[high]:
                is_one = (low, high) == ("gte", "lte")
                advice = "write const instead" if is_one else "no value is between them"
                for name in (low, high):
                    yield rules.hit(name, f"{rules.spelled(low)} and {high} are equal: {advice}")
