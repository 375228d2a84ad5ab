"""Laws of judging that hold for any two schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given

from accord.policy.levels import CONFLUENT_LEVELS
from tests.accord.avro_texts import allows, avro, verdict
from tests.accord.strategies import SLOW_MACHINE, avro_schemas

if TYPE_CHECKING:
    from accord.formats.avro.schema import AvroSchema

pairs = given(avro_schemas(), avro_schemas())


def parsed(schema: object) -> AvroSchema:
    return avro(json.dumps(schema))


@SLOW_MACHINE
@given(avro_schemas())
def test_a_schema_is_compatible_with_itself_and_its_copies(schema: object) -> None:
    for level in CONFLUENT_LEVELS:
        assert allows(parsed(schema), parsed(schema), level=level)


@SLOW_MACHINE
@pairs
def test_full_is_backward_and_forward(one: object, other: object) -> None:
    new, old = parsed(one), parsed(other)
    assert allows(new, old, level="FULL") is (allows(new, old) and allows(new, old, level="FORWARD"))


@SLOW_MACHINE
@pairs
def test_backward_is_forward_the_other_way_round(one: object, other: object) -> None:
    new, old = parsed(one), parsed(other)
    backward = verdict(new, old, level="BACKWARD", preset="accord:1").findings
    assert backward == verdict(old, new, level="FORWARD", preset="accord:1").findings


@SLOW_MACHINE
@pairs
def test_transitive_levels_are_at_least_as_strict(one: object, other: object) -> None:
    new, old = parsed(one), parsed(other)
    assert allows(new, old, new, level="BACKWARD")
    assert allows(new, old, new, level="BACKWARD_TRANSITIVE") is allows(new, old)


@SLOW_MACHINE
@pairs
def test_warnings_never_change_the_verdict(one: object, other: object) -> None:
    new, old = parsed(one), parsed(other)
    assert verdict(new, old, preset="accord:1").is_allowed is verdict(new, old).is_allowed
