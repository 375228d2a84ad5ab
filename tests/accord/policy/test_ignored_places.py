"""Rules that do not count in some places: patterns, and what a comparison makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.errors import InvalidPolicy
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.ignored_places import NOWHERE, IgnoredPlaces, place_flaw
from tests.accord.avro_texts import avro, record
from tests.accord.json_texts import json_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

CLOSED = {"type": "object", "additionalProperties": False}


def ignores(pattern: str, *tokens: str) -> bool:
    """Tell whether a pattern covers a place."""
    places = IgnoredPlaces({"A": [pattern]})
    return places.is_ignored("A", places.start, tokens)


@pytest.mark.parametrize(
    ("pattern", "tokens", "is_covered"),
    [
        ("/", "", True),
        ("/", "a", False),
        ("/**", "", True),
        ("/a/**", "a", True),
        ("/a/**", "a b c", True),
        ("/a/**", "b a", False),
        ("/**/c", "a b c", True),
        ("/**/c", "c c d", False),
        ("/**/**/c", "c", True),
        ("/a/*/c", "a b c", True),
        ("/a/*/c", "a c", False),
        ("/a/b?/*d*", "a bc d.", True),
        ("/a/b?", "a b", False),
        ("/a.", "ab", False),
        ("/a~1b/~0", "a/b ~", True),
        ("/a", "a b", False),
    ],
)
def test_a_pattern_covers_places(pattern: str, tokens: str, is_covered: object) -> None:
    assert ignores(pattern, *tokens.split()) is is_covered


def test_nothing_is_carried_where_no_pattern_can_match() -> None:
    places = IgnoredPlaces({"A": ["/a/b"], "B": ["/a/*"]})
    assert places.after(places.start, ("b",)) == places.after(places.start, ("b", "a", "b")) == NOWHERE
    reached = places.after(places.start, ("a",))
    assert (places.is_ignored("A", reached, ("c",)), places.is_ignored("B", reached, ("c",))) == (False, True)


@pytest.mark.parametrize(
    ("pattern", "flaw"),
    [
        ("/fields/2/**", None),
        ("fields/2", "begins with /"),
        ("/a~", "followed by 0 or 1"),
        ("/" + "a" * 300, "at most 300 characters"),
        ("/a" * 33, "32 steps"),
    ],
)
def test_a_flaw_says_what_to_write(pattern: str, flaw: str | None) -> None:
    found = place_flaw(pattern)
    assert found is None if flaw is None else flaw in str(found)


def found(
    new: Any, old: Any, places: Mapping[str, tuple[str, ...]], preset: str = "confluent:8.1"
) -> list[str]:
    """Rules and places of what is found under a policy that ignores places."""
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], preset, ignored_places=places)
    return [f"{one.rule} {one.path}" for one in judge(new, [HistoryEntry(1, old)], policy).findings]


def test_one_place_of_a_type_is_ignored_and_the_other_counts() -> None:
    def two(type_: str) -> Any:
        inner = record(("n", type_), name="I")
        return avro(record({"name": "a", "type": inner}, ("b", "I")))

    places = {"TYPE_MISMATCH": ("/fields/0/**",)}
    assert len(found(two("int"), two("string"), {})) == 2
    (left,) = found(two("int"), two("string"), places)
    assert left.startswith("TYPE_MISMATCH /fields/1/")
    assert found(two("int"), two("string"), {"NAME_MISMATCH": ("/**",)}) != []


def test_a_branch_of_a_union_fits_if_what_breaks_it_is_ignored() -> None:
    def choice(type_: str) -> Any:
        return avro(record({"name": "a", "type": ["null", record(("n", type_), name="I")]}))

    (refused,) = found(choice("int"), choice("string"), {})
    assert refused.startswith("MISSING_UNION_BRANCH /fields/0/")
    assert found(choice("int"), choice("string"), {"TYPE_MISMATCH": ("/fields/0/**/n",)}) != []
    assert found(choice("int"), choice("string"), {"TYPE_MISMATCH": ("/fields/0/**",)}) == []


def test_a_branch_of_a_combined_schema_fits_as_well() -> None:
    def choice(longest: int) -> Any:
        text = {"type": "string", "maxLength": longest}
        return json_schema({"oneOf": [text, {"type": "integer"}]})

    assert found(choice(3), choice(9), {}) != []
    assert found(choice(3), choice(9), {"MAX_LENGTH_DECREASED": ("/oneOf/0/maxLength",)}) == []
    assert found(choice(3), choice(9), {"MAX_LENGTH_DECREASED": ("/oneOf/1/**",)}) != []


def test_what_ends_a_comparison_ends_nothing_where_it_is_ignored() -> None:
    old = avro(record(("x", "int"), ("y", "int"), ("z", "int")))
    new = avro(record({"name": "a", "type": "int", "aliases": ["x", "y"]}, ("z", "string")))
    assert found(new, old, {}) == ["AMBIGUOUS_FIELD_ALIAS /fields/0"]
    left = found(new, old, {"AMBIGUOUS_FIELD_ALIAS": ("/fields/0",)})
    assert any(one.startswith("TYPE_MISMATCH /fields/1") for one in left)


def test_what_is_said_of_the_candidate_alone_is_ignored_by_place() -> None:
    new = json_schema({**CLOSED, "properties": {"a": {"type": "object"}, "b": {"type": "object"}}})
    places = {"OBJECT_NOT_CLOSED": ("/properties/a",)}
    assert len(found(new, new, {}, "accord:queue-safe:1")) == 2
    assert found(new, new, places, "accord:queue-safe:1") == ["OBJECT_NOT_CLOSED /properties/b"]


def test_reasons_inside_a_finding_are_ignored_by_their_whole_place() -> None:
    def choice(one: str, other: str) -> Any:
        return avro(record({"name": "a", "type": ["null", record(("n", one), ("m", other), name="I")]}))

    places = {"TYPE_MISMATCH": ("/fields/0/type/1/fields/0/**", "/fields/0/1/fields/0/**")}
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], ignored_places=places)
    history = [HistoryEntry(1, choice("string", "string"))]
    (finding,) = judge(choice("int", "int"), history, policy).findings
    assert all("/fields/1" in reason.path for reason in finding.reasons)
    assert finding.reasons


def test_a_recursive_type_is_walked_to_an_end_whatever_the_patterns() -> None:
    def chain(type_: str) -> Any:
        return avro(record(("n", type_), {"name": "next", "type": ["null", "R"], "default": None}))

    deep = "/fields/1/*" * 12 + "/fields/0/**"
    left = found(chain("int"), chain("string"), {"TYPE_MISMATCH": (deep, "/**/0/x")})
    assert left
    assert found(chain("int"), chain("string"), {"TYPE_MISMATCH": ("/**",)}) == []


def test_rules_that_always_block_are_ignored_nowhere() -> None:
    with pytest.raises(InvalidPolicy):
        Policy(CONFLUENT_LEVELS["FULL"], ignored_places={"FROZEN": ("/",)})
