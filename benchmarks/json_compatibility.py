"""Checking two JSON Schemas, against what any Python program does with two schemas first.

The yardstick is the `jsonschema` package holding both texts against their meta-schema, which says nothing
about compatibility yet. How the cost grows with the number of properties is a ratio of our own costs. Every
run gets schemas nobody has seen, so nothing that is remembered between runs helps.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

import jsonschema

from accord import formats
from accord.model import Format, SchemaText
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from benchmarks.avro_compatibility import MOST_GROWTH
from benchmarks.harness import Bar, Result, Side, compare, timed
from benchmarks.json_pairs import Pair, branches, pairs

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (10, 100, 1_000)
FIELDS_PER_RUN = 2_000
BRANCHES = 50
BRANCH_FIELDS = (1, 10)
HALF_A_SECOND = Bar(cost=500_000)
BACKWARD = Policy(CONFLUENT_LEVELS["BACKWARD"])

Parsed = tuple[formats.ParsedSchema, formats.ParsedSchema]


def parse_ours(pair: Pair) -> Parsed:
    """Parse both texts of a pair with Accord."""
    return (
        formats.parse(SchemaText(Format.JSON, pair.reader)),
        formats.parse(SchemaText(Format.JSON, pair.writer)),
    )


def check_ours(parsed: Parsed) -> bool:
    """Judge a pair with Accord."""
    reader, writer = parsed
    return judge(reader, [HistoryEntry(1, writer)], BACKWARD).is_allowed


def check_from_text(pair: Pair) -> bool:
    """Parse and judge a pair with Accord."""
    return check_ours(parse_ours(pair))


def validate(pair: Pair) -> None:
    """Hold both texts against their meta-schema with the `jsonschema` package."""
    for text in (pair.reader, pair.writer):
        schema = json.loads(text)
        jsonschema.validators.validator_for(schema).check_schema(schema)


def unseen(fields: int) -> Callable[[], list[Pair]]:
    """A source that gives other pairs at every call, and the same to each side of a comparison."""
    seeds = itertools.count(1)
    return lambda: pairs(max(2, FIELDS_PER_RUN // fields), fields, seed=next(seeds))


def checking(fields: int) -> Side:
    """Judging pairs of parsed schemas with so many properties."""
    source = unseen(fields)
    return Side(
        f"accord, {fields} properties", timed(check_ours, lambda: [parse_ours(one) for one in source()])
    )


def from_text(fields: int) -> Result:
    """Parsing and judging against validating."""
    return compare(
        f"JSON Schema compatibility, from text, {fields} properties",
        "µs a pair",
        ours=Side("accord", timed(check_from_text, unseen(fields))),
        yardstick=Side("jsonschema, meta-schema only", timed(validate, unseen(fields))),
    )


def growth(fields: int, fewer: int) -> Result:
    """What ten times as many properties cost; the ratio should stay near ten."""
    title = f"JSON Schema compatibility, growth from {fewer} to {fields} properties"
    bar = MOST_GROWTH if fields == SIZES[-1] else None
    return compare(title, "µs a pair", ours=checking(fields), yardstick=checking(fewer), bar=bar)


def matching(fields: int) -> Result:
    """Matching fifty branches with fifty, against parsing the two texts."""
    pair = branches(BRANCHES, fields)
    assert check_from_text(pair)
    return compare(
        f"JSON Schema compatibility, {BRANCHES} branches of {fields} fields against {BRANCHES}",
        "µs a pair",
        ours=Side("accord, check", timed(check_ours, lambda: [parse_ours(pair)])),
        yardstick=Side("accord, parse", timed(parse_ours, lambda: [pair])),
        bar=HALF_A_SECOND,
    )


def results() -> list[Result]:
    """Measure against the yardstick, then growth, then the matching of branches."""
    return [
        *(from_text(fields) for fields in SIZES),
        *(growth(more, fewer) for fewer, more in itertools.pairwise(SIZES)),
        *map(matching, BRANCH_FIELDS),
    ]
