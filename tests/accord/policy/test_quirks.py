"""The quirk register of JSON Schema, a test for each row: what is kept from Confluent, and what is not."""

from __future__ import annotations

from typing import Any

import pytest

from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, Trials, judge
from tests.accord.json_texts import MODERN, allows, differences, json_schema

BACKWARD = CONFLUENT_LEVELS["BACKWARD"]


def passes(new: Any, old: Any) -> bool:
    """Tell whether readers of the new schema are said to cope with the data of the old one."""
    return allows(json_schema(new), json_schema(old))


def shut(**properties: Any) -> dict[str, Any]:
    """A closed object."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def test_q1_a_required_property_with_a_default_counts_as_filled() -> None:
    old = shut(a={"type": "string", "default": "x"})
    assert passes({**old, "required": ["a"]}, old)


def test_q2_required_names_that_are_not_declared_are_not_looked_at() -> None:
    assert passes({**shut(a={"type": "string"}), "required": ["z"]}, shut(a={"type": "string"}))


def test_q3_chains_of_references_are_followed() -> None:
    def chain(type_: str) -> Any:
        steps = {"one": {"$ref": "#/definitions/two"}, "two": {"type": type_}}
        return {**shut(a={"$ref": "#/definitions/one"}), "definitions": steps}

    assert passes(chain("string"), shut(a={"type": "string"}))
    assert not passes(chain("string"), chain("integer"))


def test_q4_some_keywords_are_not_compared() -> None:
    def holder(type_: str) -> Any:
        return {
            "type": "object",
            "patternProperties": {"^x": {"type": type_}},
            "propertyNames": {"maxLength": 3},
        }

    assert passes(holder("string"), holder("integer"))


def test_q5_a_format_on_what_is_no_text_makes_a_combined_schema() -> None:
    assert differences({"type": "integer", "format": "int32"}, {"type": "integer"}) != []


NUMBER: Any = {"type": "integer", "format": "int32"}
OPTED_OUT: list[tuple[Any, Any, bool]] = [
    (NUMBER, {"type": "integer"}, True),
    ({"type": "integer"}, NUMBER, True),
    (NUMBER, {"type": "string"}, False),
    ({**NUMBER, "minimum": 1}, {**NUMBER, "format": "int64"}, False),
    ({**NUMBER, "enum": [1, 2]}, {"type": "integer", "enum": [1, 2]}, True),
    ({**NUMBER, "enum": [1]}, {"type": "integer", "enum": [1, 2]}, False),
    ({"type": ["integer", "null"], "format": "x"}, {"type": ["integer", "null"]}, True),
    ({"type": ["string", "null"], "format": "x"}, {"type": ["string", "null"]}, True),
    ({**NUMBER, "maxLength": 1}, {"type": "integer"}, False),
    ({"type": "string", "format": "date", "enum": ["a"]}, {"type": "string", "format": "date"}, False),
    ({"format": "date"}, {}, False),
    (shut(a={"oneOf": [NUMBER, {"type": "null"}]}), shut(a={"type": "integer"}), True),
]


@pytest.mark.parametrize(("new", "old", "is_allowed"), OPTED_OUT)
def test_q5_can_be_left_out(new: Any, old: Any, is_allowed: bool) -> None:
    policy = Policy(BACKWARD, ignores_formats=True)
    assert judge(json_schema(new), [HistoryEntry(1, json_schema(old))], policy).is_allowed is is_allowed


def test_q5_left_out_is_another_question_and_a_format_is_still_told() -> None:
    trials = Trials(json_schema(NUMBER), [HistoryEntry(1, json_schema({"type": "integer"}))])
    kept, left_out = Policy(BACKWARD, "accord:1"), Policy(BACKWARD, "accord:1", ignores_formats=True)
    rules = [[one.rule for one in trials.verdict(policy).findings] for policy in (kept, left_out)]
    assert rules == [["TYPE_CHANGED"], ["FORMAT_CHANGED"]]


def test_q6_a_content_model_with_patterns_is_not_open() -> None:
    old = {"type": "object", "additionalProperties": True, "patternProperties": {"^x": {}}}
    found = differences({**old, "properties": {"a": {"type": "string"}}}, old)
    assert all("TO_OPEN" not in one for one in found)
    assert found


def test_q7_an_empty_schema_for_the_rest_is_less_open_than_true() -> None:
    true: Any = {"type": "object", "additionalProperties": True}
    empty: Any = {**true, "additionalProperties": {}}
    assert differences(empty, true) == ["ADDITIONAL_PROPERTIES_NARROWED #/additionalProperties"]
    assert differences(true, empty) == ["ADDITIONAL_PROPERTIES_EXTENDED #/additionalProperties"]


def test_q8_unevaluated_properties_made_explicit_are_narrower() -> None:
    old = {"$schema": MODERN, "type": "object"}
    found = differences({**old, "unevaluatedProperties": True}, old)
    assert found == ["UNEVALUATED_PROPERTIES_NARROWED #/unevaluatedProperties"]


def test_q9_exclusive_bounds_are_held_against_each_other() -> None:
    found = differences({"type": "number", "exclusiveMaximum": 5}, {"type": "number", "exclusiveMaximum": 9})
    assert found == ["EXCLUSIVE_MAXIMUM_DECREASED #/exclusiveMaximum"]


def test_q10_multiples_are_exact() -> None:
    assert differences({"type": "number", "multipleOf": 2.0}, {"type": "number", "multipleOf": 2}) == []
    found = differences({"type": "number", "multipleOf": 0.1}, {"type": "number", "multipleOf": 0.2})
    assert found == ["MULTIPLE_OF_REDUCED #/multipleOf"]


def test_q11_null_is_a_constant_like_any_other() -> None:
    assert differences({"const": None}, {"const": None}) == []


def test_q12_a_branch_that_says_two_things_stays_one_branch() -> None:
    def choice(**more: Any) -> Any:
        return {"$schema": MODERN, "anyOf": [{"type": "string", **more}, {"type": "null"}]}

    assert not passes(choice(enum=["a"]), choice())
    assert passes(choice(), choice(enum=["a"]))


def test_q13_unknown_keywords_hide_no_others() -> None:
    old = {"$schema": MODERN, "type": "object", "x-owner": "me", "$defs": {}}
    assert differences({**old, "unevaluatedProperties": False}, old) != []


def test_q14_a_default_beside_a_reference_is_lost() -> None:
    def holder(*required: str) -> Any:
        held = shut(a={"$ref": "#/definitions/t", "default": "x"})
        return {**held, "required": [*required], "definitions": {"t": {"type": "string"}}}

    assert not passes(holder("a"), holder())


def test_q15_the_first_pattern_that_covers_a_name_decides() -> None:
    def covered(*types: str) -> Any:
        patterns = {"^a": {"type": types[0]}, "b$": {"type": types[1]}}
        return {"type": "object", "patternProperties": patterns, "additionalProperties": False}

    def added(old: Any) -> Any:
        return {**old, "properties": {"ab": {"type": "string"}}}

    assert passes(added(covered("string", "integer")), covered("string", "integer"))
    assert not passes(added(covered("integer", "string")), covered("integer", "string"))


def test_q16_a_percent_sign_in_a_path_is_one_like_any_other() -> None:
    found = differences(shut(**{"a%s": {"type": "integer"}}), shut(**{"a%s": {"type": "string"}}))
    assert found == ["TYPE_CHANGED #/properties/a%s"]


def test_q17_an_enum_and_a_constant_are_of_different_types() -> None:
    assert differences({"enum": ["a"]}, {"const": "a"}) == ["TYPE_CHANGED #/"]


def test_q18_a_list_of_one_type_is_that_type() -> None:
    assert passes({"type": ["string"]}, {"type": "string"})
    assert passes({"type": "string"}, {"type": ["string"]})


def test_q19_bounds_are_judged_keyword_by_keyword() -> None:
    assert not passes({"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 1})


def test_q20_branches_that_overlap_are_not_noticed() -> None:
    wide = {"type": "string", "maxLength": 9}
    assert passes(
        {"oneOf": [{"type": "integer"}, wide, {"type": "string"}]}, {"oneOf": [{"type": "integer"}, wide]}
    )
