"""The walk over JSON Schemas where the rules' cases do not reach: places, escapes, recursion, reasons."""

from __future__ import annotations

from typing import Any

import pytest

from tests.accord.json_texts import MODERN, allows, differences, json_schema, verdict

STRING: dict[str, Any] = {"type": "string"}
NULL: dict[str, Any] = {"type": "null"}


def short(length: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": length}


@pytest.mark.parametrize(
    ("new", "old", "found"),
    [
        ({"anyOf": [NULL, short(9)]}, short(3), ["MAX_LENGTH_INCREASED #/maxLength", "SUM_TYPE_EXTENDED #/"]),
        ({"oneOf": [short(9)]}, short(3), ["MAX_LENGTH_INCREASED #/maxLength"]),
        ({"allOf": [STRING, NULL]}, STRING, ["TYPE_CHANGED #/"]),
        ({"allOf": [short(1)]}, short(3), ["TYPE_CHANGED #/"]),
        (
            short(9),
            {"allOf": [NULL, short(3)]},
            ["MAX_LENGTH_INCREASED #/maxLength", "PRODUCT_TYPE_NARROWED #/"],
        ),
        (STRING, {"anyOf": [STRING, NULL]}, ["TYPE_CHANGED #/"]),
        ({"anyOf": []}, STRING, ["TYPE_CHANGED #/"]),
        (STRING, {"allOf": []}, ["TYPE_CHANGED #/"]),
        ({}, {"anyOf": [STRING, NULL]}, []),
        (True, {}, []),
        ({}, True, []),
        (
            {"anyOf": [STRING, STRING]},
            {"anyOf": [STRING, NULL]},
            ["SUM_TYPE_NARROWED #/"],
        ),
        ({"oneOf": [STRING, NULL]}, {"allOf": [NULL, {}]}, ["COMBINED_TYPE_CHANGED #/"]),
        ({"allOf": [NULL]}, {"oneOf": [NULL]}, ["COMBINED_TYPE_EXTENDED #/"]),
        ({"oneOf": [STRING, NULL]}, {"anyOf": [NULL]}, ["COMBINED_TYPE_EXTENDED #/", "SUM_TYPE_EXTENDED #/"]),
        ({"oneOf": [NULL]}, {"allOf": [NULL, {}]}, ["COMBINED_TYPE_EXTENDED #/", "PRODUCT_TYPE_NARROWED #/"]),
    ],
)
def test_combined_against_plain_and_combined(new: Any, old: Any, found: list[str]) -> None:
    assert differences(new, old) == found


def test_what_is_inside_a_branch_is_named_by_the_olds_place() -> None:
    old = {"oneOf": [NULL, {"properties": {"a": short(3)}}]}
    new = {"anyOf": [{"properties": {"a": short(9)}}, NULL]}
    assert differences(new, old) == [
        "COMBINED_TYPE_EXTENDED #/",
        "MAX_LENGTH_INCREASED #/oneOf/1/properties/a/maxLength",
    ]


def test_paths_are_pointers_and_locations_are_not_escaped() -> None:
    old, new = ({"properties": {"a/b~": {"type": kind}}} for kind in ("string", "null"))
    (finding,) = verdict(json_schema(new), json_schema(old)).findings
    assert (finding.path, finding.location) == ("/properties/a~1b~0", "#/properties/a/b~")


def test_a_change_inside_a_recursive_definition_is_found() -> None:
    def tree(kind: str) -> Any:
        node = {"properties": {"kids": {"items": {"$ref": "#/definitions/N"}}, "v": {"type": kind}}}
        return {"$ref": "#/definitions/N", "definitions": {"N": node}}

    assert allows(json_schema(tree("number")), json_schema(tree("integer")))
    assert differences(tree("null"), tree("string")) == ["TYPE_CHANGED #/properties/v"]


def test_a_definition_used_twice_is_told_of_in_both_places() -> None:
    def twice(kind: str) -> Any:
        refs = {name: {"$ref": "#/definitions/D"} for name in "ab"}
        return {"properties": refs, "definitions": {"D": {"properties": {"x": {"type": kind}}}}}

    assert differences(twice("null"), twice("string")) == [
        "TYPE_CHANGED #/properties/a/properties/x",
        "TYPE_CHANGED #/properties/b/properties/x",
    ]


def test_a_branch_that_failed_says_why() -> None:
    old = {"anyOf": [NULL, {"properties": {"a": short(9)}}]}
    new = {"anyOf": [NULL, {"properties": {"a": short(3)}}]}
    (finding,) = verdict(json_schema(new), json_schema(old)).findings
    assert [(one.rule, one.path) for one in finding.reasons] == [
        ("MAX_LENGTH_DECREASED", "/anyOf/1/properties/a/maxLength")
    ]
    assert finding.reasons[0].message == "the reader's maxLength is 3, the writer's 9"


def test_a_negation_says_why() -> None:
    (finding,) = verdict(json_schema({"not": short(9)}), json_schema({"not": short(3)})).findings
    assert [one.rule for one in finding.reasons] == ["MAX_LENGTH_DECREASED"]


@pytest.mark.parametrize(
    ("new", "old", "found"),
    [
        ({"unevaluatedProperties": True}, {"unevaluatedProperties": {}}, []),
        (
            {"unevaluatedProperties": {"type": "null"}, "properties": {"a": {}}},
            {"unevaluatedProperties": {"type": "null"}, "properties": {}},
            [
                "OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a",
                "PROPERTY_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/properties/a",
            ],
        ),
        (
            {"unevaluatedProperties": False},
            {"unevaluatedProperties": False, "properties": {"a": {}}},
            ["PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL #/properties/a"],
        ),
        (
            {"prefixItems": [{}, NULL], "unevaluatedItems": NULL},
            {"prefixItems": [{}], "unevaluatedItems": NULL},
            ["ITEM_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/items/1"],
        ),
        (
            {"additionalProperties": False, "unevaluatedProperties": NULL},
            {"additionalProperties": False, "unevaluatedProperties": NULL, "properties": {"a": NULL}},
            ["PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL #/properties/a"],
        ),
    ],
)
def test_unevaluated_parts_count_where_nothing_else_speaks(new: Any, old: Any, found: list[str]) -> None:
    assert differences({"$schema": MODERN, **new}, {"$schema": MODERN, **old}) == found


def test_the_first_pattern_that_is_found_covers_a_name() -> None:
    patterns = {"patternProperties": {"^b": NULL, "a": STRING, "^a": NULL}, "additionalProperties": NULL}
    old = {"properties": {}, **patterns}
    assert differences({**old, "properties": {"a": STRING}}, old) == [
        "OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a",
        "PROPERTY_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/properties/a",
    ]


def test_a_branch_that_implies_a_combination_stays_one_branch_in_every_draft() -> None:
    listed = {"anyOf": [{"type": "string", "enum": ["a"]}, NULL]}
    plain = {"anyOf": [STRING, NULL]}
    for draft in ({}, {"$schema": MODERN}):
        assert differences({**draft, **listed}, {**draft, **plain}) == ["COMBINED_TYPE_SUBSCHEMAS_CHANGED #/"]
        assert differences({**draft, **plain}, {**draft, **listed}) == ["PRODUCT_TYPE_NARROWED #/anyOf/0"]


def test_unknown_keywords_hide_nothing() -> None:
    old = {"$schema": MODERN, "type": "object", "x": 1, "$defs": {"A": NULL}}
    assert differences({**old, "unevaluatedProperties": False}, old) == [
        "UNEVALUATED_PROPERTIES_REMOVED #/unevaluatedProperties"
    ]


def test_decimals_are_compared_exactly() -> None:
    for new, old, found in (
        ("0.3", "0.1", ["MULTIPLE_OF_EXPANDED #/multipleOf"]),
        ("0.1", "0.3", ["MULTIPLE_OF_REDUCED #/multipleOf"]),
        ("0.25", "0.1", ["MULTIPLE_OF_CHANGED #/multipleOf"]),
        ("2.0", "2", []),
        ("1", "0", ["MULTIPLE_OF_REDUCED #/multipleOf"]),
        ("1e-300", "1e300", ["MULTIPLE_OF_REDUCED #/multipleOf"]),
    ):
        assert differences(f'{{"multipleOf":{new}}}', f'{{"multipleOf":{old}}}') == found
