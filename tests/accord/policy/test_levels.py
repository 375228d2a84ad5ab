from __future__ import annotations

import pytest

from accord.errors import UnknownLevel
from accord.model import Level
from accord.model.levels import ALL, CONFLUENT_LEVELS
from accord.policy.level_names import parse_level


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
