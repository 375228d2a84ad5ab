"""Laws of judging that hold for any two schemas, met by versions that people's edits make."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from typing import TYPE_CHECKING

import avro.schema
from avro.compatibility import ReaderWriterCompatibilityChecker, SchemaCompatibilityType
from hypothesis import Phase, event, given, seed, settings
from hypothesis import strategies as st

from accord.model.levels import CONFLUENT_LEVELS
from tests.accord import avro_texts
from tests.accord.avro_texts import allows, verdict
from tests.accord.edits import versions
from tests.accord.strategies import SLOW_MACHINE, Written, avro_schemas

if TYPE_CHECKING:
    from accord.formats.avro.schema import AvroSchema

# Versions of one schema, and now and then two schemas that have nothing to do with each other.
pairs = given(versions() | versions() | st.tuples(avro_schemas(), avro_schemas()).map(list))


def parsed(schema: object) -> AvroSchema:
    return avro_texts.avro(json.dumps(schema))


def directions(old: AvroSchema, new: AvroSchema) -> str:
    """Which of the two directions a step is allowed in."""
    allowed = [level for level in ("BACKWARD", "FORWARD") if allows(new, old, level=level)]
    return " and ".join(allowed) or "neither"


@SLOW_MACHINE
@given(avro_schemas() | versions(count=1).map(lambda made: made[0]))
def test_a_schema_is_compatible_with_itself_and_its_copies(schema: object) -> None:
    for level in CONFLUENT_LEVELS:
        assert allows(parsed(schema), parsed(schema), level=level)


def test_many_edits_are_allowed_in_one_direction_alone() -> None:
    """The laws below would hold for any judge if nearly all pairs were refused, or allowed, both ways."""
    found: Counter[str] = Counter()

    @seed(7)
    @settings(SLOW_MACHINE, max_examples=200, database=None, phases=[Phase.generate])
    @given(versions())
    def count(pair: list[Written]) -> None:
        found[directions(*map(parsed, pair))] += 1

    count()
    assert found["BACKWARD"] + found["FORWARD"] > found.total() / 4, found
    rows = ("BACKWARD", "FORWARD", "BACKWARD and FORWARD", "neither")
    assert all(found[row] > found.total() / 20 for row in rows), found


@SLOW_MACHINE
@pairs
def test_full_is_backward_and_forward(pair: list[Written]) -> None:
    old, new = map(parsed, pair)
    event(directions(old, new))
    assert allows(new, old, level="FULL") is (allows(new, old) and allows(new, old, level="FORWARD"))


@SLOW_MACHINE
@pairs
def test_backward_is_forward_the_other_way_round(pair: list[Written]) -> None:
    old, new = map(parsed, pair)
    event(directions(old, new))
    for preset in ("confluent:8.1", "accord:1"):
        backward = verdict(new, old, level="BACKWARD", preset=preset)
        forward = verdict(old, new, level="FORWARD", preset=preset)
        assert backward.findings == forward.findings
        assert backward.is_allowed is forward.is_allowed


@SLOW_MACHINE
@given(versions(count=4))
def test_a_transitive_level_asks_every_version_and_a_plain_one_the_last(made: list[Written]) -> None:
    *olds, new = map(parsed, made)
    for level in ("BACKWARD", "FORWARD", "FULL"):
        one_by_one = [allows(new, old, level=level) for old in olds]
        event(f"{level}: {one_by_one}")
        assert allows(new, *olds, level=level) is one_by_one[-1]
        assert allows(new, *olds, level=f"{level}_TRANSITIVE") is all(one_by_one)


@SLOW_MACHINE
@pairs
def test_warnings_never_change_the_verdict(pair: list[Written]) -> None:
    old, new = map(parsed, pair)
    event(directions(old, new))
    assert verdict(new, old, preset="accord:1").is_allowed is verdict(new, old).is_allowed


@settings(SLOW_MACHINE, max_examples=150)
@given(versions())
def test_edits_are_judged_as_the_official_package_does(pair: list[Written]) -> None:
    old, new = map(parsed, pair)
    one, other = (official(json.dumps(schema)) for schema in pair)
    for reader, writer, theirs in ((new, old, (other, one)), (old, new, (one, other))):
        findings = verdict(reader, writer).findings
        if any(finding.rule == "AMBIGUOUS_FIELD_ALIAS" for finding in findings):
            continue  # Avro for Java refuses these, Avro for Python takes the first
        event("differs" if findings else "reads")
        assert (not findings) is officially_reads(*theirs)


def official(text: str) -> avro.schema.Schema:
    """What Avro for Python makes of a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of logical types it does not know
        return avro.schema.parse(text)


def officially_reads(reader: avro.schema.Schema, writer: avro.schema.Schema) -> bool:
    """What Avro for Python says of a pair."""
    checker = ReaderWriterCompatibilityChecker()  # type: ignore[no-untyped-call]  # it comes without types
    found = checker.get_compatibility(reader, writer)
    return found.compatibility is SchemaCompatibilityType.compatible
