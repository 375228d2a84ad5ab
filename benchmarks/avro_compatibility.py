"""Checking two Avro schemas: Accord's rule table against the official `avro` package.

Both sides judge "the new schema reads what the old one wrote" on the same pairs and must agree on
each. Every run gets schemas nobody has seen, so nothing that is remembered between runs helps.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, TypeVar

import avro.schema
from avro.compatibility import ReaderWriterCompatibilityChecker, SchemaCompatibilityType

from accord import formats
from accord.model import Format, SchemaText
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from benchmarks.avro_pairs import Pair, pairs, wide_pairs
from benchmarks.harness import Bar, Result, Side, compare, timed

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

COUNT = 60
SIZES = (10, 100, 1_000)
FIELDS_PER_RUN = 4_000
MOST_GROWTH = Bar(ratio=12)
BACKWARD = Policy(CONFLUENT_LEVELS["BACKWARD"])

Parsed = tuple[formats.ParsedSchema, formats.ParsedSchema]
OfficialParsed = tuple[avro.schema.Schema, avro.schema.Schema]


def parse_ours(pair: Pair) -> Parsed:
    """Parse both texts of a pair with Accord."""
    return (
        formats.parse(SchemaText(Format.AVRO, pair.reader)),
        formats.parse(SchemaText(Format.AVRO, pair.writer)),
    )


def check_ours(parsed: Parsed) -> bool:
    """Judge a pair with Accord."""
    reader, writer = parsed
    return judge(reader, [HistoryEntry(1, writer)], BACKWARD).is_allowed


def parse_official(pair: Pair) -> OfficialParsed:
    """Parse both texts of a pair with the official package."""
    return avro.schema.parse(pair.reader), avro.schema.parse(pair.writer)


def check_official(parsed: OfficialParsed) -> bool:
    """Judge a pair with the official package."""
    checker = ReaderWriterCompatibilityChecker()  # type: ignore[no-untyped-call]  # the package is typed by half
    outcome = checker.get_compatibility(*parsed)
    return bool(outcome.compatibility is SchemaCompatibilityType.compatible)


def disagreements(some: list[Pair]) -> list[Pair]:
    """The pairs on which the two sides differ; a comparison of costs needs there to be none."""
    return [one for one in some if check_ours(parse_ours(one)) != check_official(parse_official(one))]


def unseen() -> Callable[[], list[Pair]]:
    """A source that gives other pairs at every call, and the same to each side of a comparison."""
    seeds = itertools.count(1)
    return lambda: pairs(COUNT, seed=next(seeds))


def side(
    name: str, parse: Callable[[Pair], T], check: Callable[[T], bool], *, is_timed_from_text: bool
) -> Side:
    """One side of a comparison, timed from the text or from the parsed schemas on."""
    source = unseen()
    if is_timed_from_text:
        return Side(name, timed(lambda pair: check(parse(pair)), source))
    return Side(name, timed(check, lambda: [parse(pair) for pair in source()]))


def measured(title: str, *, is_timed_from_text: bool) -> Result:
    """Compare the two sides."""
    return compare(
        title,
        "µs a pair",
        ours=side("accord", parse_ours, check_ours, is_timed_from_text=is_timed_from_text),
        yardstick=side(
            "avro (official)", parse_official, check_official, is_timed_from_text=is_timed_from_text
        ),
    )


def checking(fields: int) -> Side:
    """Judging pairs of parsed records with so many fields."""
    seeds, count = itertools.count(1), max(2, FIELDS_PER_RUN // fields)
    return Side(
        f"accord, {fields} fields",
        timed(check_ours, lambda: [parse_ours(one) for one in wide_pairs(count, fields, next(seeds))]),
    )


def growth(fields: int, fewer: int) -> Result:
    """What ten times as many fields cost; the ratio should stay near ten."""
    title = f"Avro compatibility, growth from {fewer} to {fields} fields"
    bar = MOST_GROWTH if fields == SIZES[-1] else None
    return compare(title, "µs a pair", ours=checking(fields), yardstick=checking(fewer), bar=bar)


def results() -> list[Result]:
    """Measure the check alone, then parsing and checking together, then growth."""
    assert disagreements(pairs(COUNT)) == []
    return [
        measured("Avro compatibility, parsed schemas", is_timed_from_text=False),
        measured("Avro compatibility, from text", is_timed_from_text=True),
        *(growth(more, fewer) for fewer, more in itertools.pairwise(SIZES)),
    ]
