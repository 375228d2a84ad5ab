"""All seven levels at once, and other policies, without judging anything twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from accord.model import Direction, Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Budget, HistoryEntry, Policy, Trials, judge
from accord.policy.matrix import matrix, what_if
from tests.accord.avro_texts import avro, record

OPTIONAL = {"name": "x", "type": "int", "default": 0}
TEXTS = [record(), record(("a", "int")), record(OPTIONAL), record(("a", "string")), record(("a", "long"))]


def history(picked: list[int]) -> list[HistoryEntry]:
    """Versions from 1 on, each a schema of its own."""
    return [HistoryEntry(number, avro(TEXTS[one])) for number, one in enumerate(picked, start=1)]


@given(st.integers(0, 4), st.lists(st.integers(0, 4), max_size=5))
def test_every_level_says_what_it_says_alone(new: int, picked: list[int]) -> None:
    candidate, versions = avro(TEXTS[new]), history(picked)
    found = matrix(candidate, versions, Policy(CONFLUENT_LEVELS["NONE"]))
    assert list(found) == list(CONFLUENT_LEVELS)
    for name, level in CONFLUENT_LEVELS.items():
        assert found[name].verdict == judge(candidate, versions, Policy(level))


def test_the_first_version_that_fails_is_named_newest_first() -> None:
    found = matrix(avro(TEXTS[1]), history([3, 0, 1]), Policy(CONFLUENT_LEVELS["NONE"]))
    assert {name: one.version for name, one in found.items() if not one.is_allowed} == {
        "BACKWARD_TRANSITIVE": 2,
        "FORWARD_TRANSITIVE": 1,
        "FULL_TRANSITIVE": 2,
    }
    assert [one.direction for one in found["FULL_TRANSITIVE"].failing] == [Direction.BACKWARD]
    assert found["BACKWARD"].failing == ()


def test_seven_levels_take_the_steps_of_the_deepest_one() -> None:
    versions = history([0, 1, 2, 4] * 3)
    alone, all_of_them = Budget(), Budget()
    judge(avro(record()), versions, Policy(CONFLUENT_LEVELS["BACKWARD_TRANSITIVE"]), budget=alone)
    trials = Trials(avro(record()), versions, budget=all_of_them)
    for _ in range(2):
        trials.verdict(Policy(CONFLUENT_LEVELS["BACKWARD_TRANSITIVE"]))
        trials.verdict(Policy(CONFLUENT_LEVELS["BACKWARD"]))
    assert all_of_them.left == alone.left


def test_other_policies_are_tried_without_saving_them() -> None:
    level = CONFLUENT_LEVELS["BACKWARD"]
    found = what_if(
        avro(record(("a", "string"))),
        history([1]),
        {"now": Policy(level), "lax": Policy(level, overrides={"TYPE_MISMATCH": Severity.WARN})},
    )
    assert [found[name].is_allowed for name in ("now", "lax")] == [False, True]
