"""Levels in all their spellings, and what Confluent's clients see of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import InvalidPolicy, UnknownLevel
from accord.model import Bound, Level
from accord.model.levels import ALL, CONFLUENT_LEVELS, LATEST
from accord.policy.level_names import (
    ALIASES,
    FROZEN,
    NAMED,
    level_after,
    nearest_confluent,
    read_level,
    spell_level,
)

bounds = st.none() | st.builds(Bound, st.none() | st.integers(1, 2**31 - 1))
levels = st.just(FROZEN) | st.builds(Level, backward=bounds, forward=bounds)


def depth(bound: Bound | None) -> float:
    """How much a direction promises: nothing, the latest, some, all."""
    if bound is None or bound.oldest is None:
        return 0 if bound is None else 1
    return 2 + 1 / bound.oldest


@given(levels)
def test_a_level_survives_its_spelling(level: Level) -> None:
    spelled = spell_level(level)
    assert read_level(spelled) == level
    assert read_level(spelled.lower().replace("_", "-")) == level


@given(levels)
def test_the_shown_level_never_promises_more_than_holds(level: Level) -> None:
    shown = CONFLUENT_LEVELS[nearest_confluent(level)]
    if not level.frozen:
        assert depth(shown.backward) <= depth(level.backward)
        assert depth(shown.forward) <= depth(level.forward)
        assert (shown.backward is None, shown.forward is None) == (
            level.backward is None,
            level.forward is None,
        )


@pytest.mark.parametrize("name", CONFLUENT_LEVELS)
def test_a_confluent_level_is_spelled_and_shown_as_itself(name: str) -> None:
    assert spell_level(CONFLUENT_LEVELS[name]) == nearest_confluent(read_level(name)) == name


@pytest.mark.parametrize(("name", "aliases"), ALIASES.items())
def test_other_products_names_mean_the_same(name: str, aliases: tuple[str, ...]) -> None:
    for alias in aliases:
        assert read_level(alias) == read_level(alias.title().replace("_", "")) == NAMED[name]


@pytest.mark.parametrize(
    ("written", "level", "spelled", "shown"),
    [
        ("backward_till(3)", Level(backward=Bound(3)), "BACKWARD_TILL(3)", "BACKWARD"),
        ("FORWARD_TILL(2)", Level(forward=Bound(2)), "FORWARD_TILL(2)", "FORWARD"),
        ("FULL_TILL(3)", Level(Bound(3), Bound(3)), "FULL_TILL(3)", "FULL"),
        ("BACKWARD_TILL(1)", Level(ALL), "BACKWARD_TRANSITIVE", "BACKWARD_TRANSITIVE"),
        ("FORWARD and BACKWARD_ALL", Level(ALL, LATEST), "BACKWARD_TRANSITIVE_AND_FORWARD", "FULL"),
        (
            "BACKWARD_TILL(3)_AND_FORWARD_TILL(2)",
            Level(Bound(3), Bound(2)),
            "BACKWARD_TILL(3)_AND_FORWARD_TILL(2)",
            "FULL",
        ),
        ({"backward": {"till": 3}, "forward": "latest"}, Level(Bound(3), LATEST), None, "FULL"),
        ({"forward": "ALL"}, Level(forward=ALL), "FORWARD_TRANSITIVE", "FORWARD_TRANSITIVE"),
        ({"backward": "latest", "forward": None}, Level(LATEST), "BACKWARD", "BACKWARD"),
        ("Always_Incompatible", FROZEN, "FROZEN", "FULL_TRANSITIVE"),
        ("AllowAny", Level(), "NONE", "NONE"),
    ],
)
def test_spellings(written: str | dict[str, object], level: Level, spelled: str | None, shown: str) -> None:
    assert read_level(written) == level
    assert spelled is None or spell_level(level) == spelled
    assert nearest_confluent(level) == shown


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("BOGUS", "there is no level 'BOGUS'; write one of the seven names"),
        ("", "there is no level ''"),
        ("x" * 5000, "there is no level 'x{100}'"),
        ("BACKWARD_TILL(0)", "a version from 1 to 2147483647"),
        ("BACKWARD_TILL(9999999999)", "a version from 1 to 2147483647"),
        ("BACKWARD_TILL(99999999999)", "there is no level"),
        ("BACKWARD_AND_BACKWARD_TILL(2)", "does not join one backward and one forward side"),
        ("FULL_AND_FORWARD", "does not join one backward and one forward side"),
        ("BACKWARD_AND_BOGUS", "does not join one backward and one forward side"),
        ("BACKWARD_AND_FORWARD_AND_FORWARD", "does not join"),
        ({"sideways": "all"}, "a level has no side 'sideways'"),
        ({}, "the level has no side"),
        ({"backward": "some"}, r"latest, all or \{till: VERSION\}"),
        ({"backward": {"till": True}}, "latest, all or"),
        ({"backward": {"till": 2, "from": 1}}, "latest, all or"),
        ({"backward": {"till": -1}}, "a version from 1 to"),
    ],
)
def test_what_is_no_level_is_refused_with_what_to_write(written: str | dict[str, object], words: str) -> None:
    with pytest.raises(InvalidPolicy, match=words):
        read_level(written)


def test_sending_back_the_name_that_is_shown_changes_nothing() -> None:
    assert level_after(FROZEN, "full_transitive") is FROZEN
    assert level_after(FROZEN, "FULL") == CONFLUENT_LEVELS["FULL"]
    assert level_after(Level(Bound(3)), "BACKWARD") == Level(Bound(3))
    with pytest.raises(UnknownLevel, match=re.escape("Valid values are none, backward")):
        level_after(FROZEN, "FROZEN")
