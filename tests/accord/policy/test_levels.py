from __future__ import annotations

import pytest

from accord.errors import UnknownLevel
from accord.model import Level
from accord.model.levels import ALL, CONFLUENT_LEVELS, LATEST, Bound
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.level_names import parse_level
from tests.accord.avro_texts import avro, record


@pytest.mark.parametrize("name", CONFLUENT_LEVELS)
def test_a_level_is_known_in_any_case(name: str) -> None:
    assert parse_level(name) is parse_level(name.lower()) is CONFLUENT_LEVELS[name]


def test_an_unknown_level_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(UnknownLevel, match="Valid values are none, backward, forward, full"):
        parse_level("BOGUS")


def test_levels_are_directions_and_depth() -> None:
    full = parse_level("FULL_TRANSITIVE")
    assert (full.backward, full.forward) == (CONFLUENT_LEVELS["BACKWARD_TRANSITIVE"].backward, full.backward)
    assert full.backward is not None
    assert full.backward.is_transitive
    backward = parse_level("BACKWARD")
    assert backward.forward is None
    assert backward.backward is not None
    assert not backward.backward.is_transitive
    assert parse_level("NONE") == Level()


def test_a_level_looks_far_back_when_one_direction_does() -> None:
    far = {name for name, level in CONFLUENT_LEVELS.items() if level.is_transitive}
    assert far == {name for name in CONFLUENT_LEVELS if name.endswith("TRANSITIVE")}
    assert Level(forward=ALL).is_transitive
    assert not Level(frozen=True).is_transitive


@pytest.mark.parametrize(
    ("level", "compared"),
    [
        (Level(Bound(2), LATEST), [("forward", 4), ("backward", 4), ("backward", 3), ("backward", 2)]),
        (
            Level(Bound(3), ALL),
            [
                *((side, n) for n in (4, 3) for side in ("forward", "backward")),
                ("forward", 2),
                ("forward", 1),
            ],
        ),
        (Level(LATEST, Bound(9)), [("forward", 4), ("backward", 4)]),
    ],
)
def test_each_direction_looks_as_deep_as_its_own_bound(level: Level, compared: list[tuple[str, int]]) -> None:
    history = [HistoryEntry(number, avro(record())) for number in (1, 2, 3, 4)]
    found = judge(avro(record()), history, Policy(level)).comparisons
    assert [(str(one.direction), one.version) for one in found] == compared


@pytest.mark.parametrize(
    ("level", "fails_on"),
    [
        (Level(Bound(2), LATEST), None),
        (Level(Bound(1), LATEST), 1),
        (Level(LATEST, Bound(1)), None),
        (Level(LATEST, Bound(2)), None),
    ],
)
def test_the_verdict_is_that_of_the_versions_within_the_bounds(level: Level, fails_on: int | None) -> None:
    """Version 1 alone lacks the field, so reading it fails, and being read by it does not."""
    needed = avro(record(("a", "int")))
    history = [HistoryEntry(1, avro(record())), HistoryEntry(2, needed), HistoryEntry(3, needed)]
    verdict = judge(needed, history, Policy(level))
    assert next((one.version for one in verdict.comparisons if one.is_blocked), None) == fails_on
