"""Advice holds: what it says of Avro is judged here, and the rest follows from the level alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from accord.model import Bound, Format, Level, Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Policy
from accord.policy.advice import RECOMMENDED, Advice, Upgrade, advise
from accord.policy.edits import AVRO, EDITS, edits
from accord.policy.level_names import FROZEN, read_level
from accord.policy.policies import Transform
from tests.accord.avro_texts import allows, avro, record, verdict
from tests.accord.policy.test_level_names import levels

KIND: dict[str, Any] = {"type": "enum", "name": "K", "symbols": ["A"]}
STAMP = {"type": "long", "logicalType": "timestamp-millis"}
A, B = {"name": "a", "type": "int"}, {"name": "b", "type": "int"}
# Each change to an Avro schema as a schema before and after it.
PAIRS: dict[str, tuple[object, object]] = {
    "add a field with a default": (record(A), record(A, {**B, "default": 1})),
    "remove a field that had a default": (record(A, {**B, "default": 1}), record(A)),
    "add a field without a default": (record(A), record(A, B)),
    "remove a field that had no default": (record(A, B), record(A)),
    "rename a field and keep its old name as an alias": (record(A), record({**B, "aliases": ["a"]})),
    "widen a number, such as int to long": (record(("a", "int")), record(("a", "long"))),
    "narrow a number, such as long to int": (record(("a", "long")), record(("a", "int"))),
    "change a type, such as int to string": (record(("a", "int")), record(("a", "string"))),
    "change a logical type": (record(("a", "long")), record(("a", STAMP))),
    "change the size of a fixed": (
        {"type": "fixed", "name": "F", "size": 1},
        {"type": "fixed", "name": "F", "size": 2},
    ),
    "rename a record, enum or fixed": (record(A), record(A, name="S")),
    "change the default of a field": (record({**B, "default": 0}), record({**B, "default": 1})),
    "move a type to another namespace": (record(A), record(A, name="x.R")),
    "add a symbol to an enum": (KIND, {**KIND, "symbols": ["A", "B"]}),
    "remove a symbol from an enum": ({**KIND, "symbols": ["A", "B"]}, KIND),
    "add a branch to a union": (["int"], ["int", "string"]),
    "remove a branch from a union": (["int", "string"], ["int"]),
}


def advice(level: str, *, preset: str = "confluent:8.1", format_: Format = Format.AVRO) -> Advice:
    """Advice on a level in any spelling."""
    return advise(Policy(read_level(level), preset), format_)


@pytest.mark.parametrize("row", AVRO, ids=lambda row: row[1])
def test_what_is_said_of_avro_is_true(row: tuple[str, str, str | None, str | None]) -> None:
    _, words, backward, forward = row
    old, new = (avro(one) for one in PAIRS[words])
    for level, rule in (("BACKWARD", backward), ("FORWARD", forward)):
        found = verdict(new, old, level=level, preset="accord:1").findings
        assert [rule] == [None] * (not found) or rule in [one.rule for one in found]


@pytest.mark.parametrize("level", CONFLUENT_LEVELS)
@pytest.mark.parametrize("preset", ["confluent:8.1", "accord:1", "accord:queue-safe:1"])
def test_advice_agrees_with_verdicts(level: str, preset: str) -> None:
    given_advice = advice(level, preset=preset)
    for words, (before, after) in PAIRS.items():
        found = verdict(avro(after), avro(before), level=level, preset=preset)
        assert (words in given_advice.forbids) is not found.is_allowed
        assert (words in given_advice.warns) is (
            found.is_allowed and any(one.severity is Severity.WARN for one in found.findings)
        )


def test_every_change_is_advised_on_once() -> None:
    for (format_, transform), rows in EDITS.items():
        policy = Policy(CONFLUENT_LEVELS["FULL"], transform=transform)
        found = advise(policy, format_)
        words = [*found.allows, *found.warns, *found.forbids]
        assert sorted(words) == sorted(row[1] for row in rows)
    assert edits(Format.AVRO, Transform.OPTIONAL_FRIENDLY) == edits(Format.AVRO, Transform.NONE)


@pytest.mark.parametrize(
    ("level", "first"),
    [
        ("BACKWARD_TILL(3)", Upgrade.READERS),
        ("FORWARD", Upgrade.WRITERS),
        ("BACKWARD_ALL_AND_FORWARD", Upgrade.ANYONE),
        ("NONE", Upgrade.TOGETHER),
        ("FROZEN", Upgrade.NOBODY),
    ],
)
def test_who_upgrades_first_follows_from_the_directions(level: str, first: Upgrade) -> None:
    assert advice(level).upgrade_first is first


def test_features_that_nothing_can_touch_are_given_up() -> None:
    assert advice("FULL").gives_up == ("enums", "unions")
    assert advice("BACKWARD").gives_up == advice("NONE").gives_up == ()
    assert advice("FROZEN").gives_up == ("fields", "types", "names", "enums", "unions")
    assert advice("FULL", format_=Format.PROTOBUF).gives_up == ("names", "oneof")
    assert advice("FULL", format_=Format.JSON).gives_up == ("fields", "types", "enums", "unions")


def test_optional_friendly_gives_optional_properties_back() -> None:
    policy = Policy(CONFLUENT_LEVELS["FULL"], transform=Transform.OPTIONAL_FRIENDLY)
    found = advise(policy, Format.JSON)
    assert "add an optional property to a closed object" in found.allows
    assert found.gives_up == ("types", "enums", "unions")
    assert found.cautions[-1] == "Optional-friendly keeps its promise under transitive levels only."
    transitive = Policy(CONFLUENT_LEVELS["FULL_TRANSITIVE"], transform=Transform.OPTIONAL_FRIENDLY)
    assert advise(transitive, Format.JSON).cautions == ()


@pytest.mark.parametrize("preset", ["optional-friendly:1", "accord:queue-safe:1"])
def test_a_preset_may_bring_the_transform_along(preset: str) -> None:
    found = advice("FULL", preset=preset, format_=Format.JSON)
    assert "add an optional property to a closed object" in found.allows


def test_severities_count() -> None:
    policy = Policy(CONFLUENT_LEVELS["FULL"], overrides={"MISSING_UNION_BRANCH": Severity.WARN})
    assert advise(policy, Format.AVRO).gives_up == ("enums",)
    assert "add a branch to a union" in advise(policy, Format.AVRO).warns


def test_depth_is_cautioned_about_in_each_direction() -> None:
    both = advice("FULL").cautions
    assert [one.split(",")[0] for one in both] == ["Looking backward", "Looking forward"]
    assert both[0].endswith("each step passes, and no reader of version 4 can read the records of version 2.")
    bounded = Policy(Level(backward=Bound(3)))
    assert advise(bounded, Format.AVRO).cautions == ("Looking backward, versions before 3 are not compared.",)


def test_the_three_steps_of_the_caution_are_true() -> None:
    first, number = avro(record(A)), avro(record(A, {**B, "default": 0}))
    text = avro(record(A, {"name": "b", "type": "string", "default": ""}))
    for level in ("BACKWARD", "FORWARD", "FULL"):
        assert allows(number, first, level=level)
        assert allows(first, first, number, level=level)
        assert allows(text, first, number, first, level=level)
        assert not allows(text, first, number, first, level=f"{level}_TRANSITIVE")


def test_recommendations_are_better_levels_the_best_first() -> None:
    assert [name for name, _ in advice("BACKWARD").recommends] == list(RECOMMENDED)
    assert [name for name, _ in advice("BACKWARD_TRANSITIVE").recommends] == ["FULL_TRANSITIVE"]
    assert advice("FULL_TRANSITIVE").recommends == advice("FROZEN").recommends == ()
    assert advise(Policy(FROZEN), Format.AVRO).shown_as == "FULL_TRANSITIVE"


@given(levels)
def test_any_level_gets_advice(level: Level) -> None:
    for format_ in Format:
        found = advise(Policy(level), format_)
        assert found.upgrade
        assert "BACKWARD" not in [name for name, _ in found.recommends]


def test_a_frozen_level_holds_only_where_it_is_locked() -> None:
    policy = Policy(FROZEN)
    assert advise(policy, Format.AVRO, is_locked=True).cautions == ()
    (caution,) = advise(policy, Format.AVRO).cautions
    assert "`locked: true`" in caution
    assert advice("FULL_TRANSITIVE").cautions == ()
