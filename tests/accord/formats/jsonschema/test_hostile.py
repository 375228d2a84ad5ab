"""Input that means harm: refused or compared in good time, never a crash.

The times are safety margins for a busy machine, not figures of speed.
"""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.formats import DEFAULT_LIMITS, Limits
from accord.formats.jsonschema.patterns import is_found
from tests.accord.json_texts import MODERN, json_schema, verdict

BIG = 10_000_000
ROOMY = Limits(text_bytes=4 * BIG)
SAFETY_SECONDS = 240


def nested(keyword: str, depth: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {keyword: schema}
    return schema


# name: text, limits, words of the message
HOSTILE = {
    "ten megabytes": ("x" * BIG, DEFAULT_LIMITS, "more than 1048576 bytes"),
    "brackets": ("[" * 100_000, DEFAULT_LIMITS, "deeper than 160 levels"),
    "objects": ('{"not":' * 100_000, DEFAULT_LIMITS, "deeper than 160 levels"),
    "200 negations": (json.dumps(nested("not", 200)), DEFAULT_LIMITS, "deeper than 160 levels"),
    "open comments": ("/*" * (BIG // 20), ROOMY, "not JSON"),
    "a long number": ('{"const":' + "9" * BIG + "}", ROOMY, "longer than 1000"),
    "a long decimal": ('{"const":0.' + "9" * BIG + "}", ROOMY, "longer than 1000"),
    "many schemas": (json.dumps({"allOf": [{}] * 9}), Limits(nodes=5), "more than 5 schemas"),
    "a circle of references": (
        json.dumps(
            {"$ref": "#/definitions/d0"}
            | {
                "definitions": {
                    f"d{n}": {"$ref": f"#/definitions/d{(n + 1) % 10_000}"} for n in range(10_000)
                }
            }
        ),
        DEFAULT_LIMITS,
        "leads back to itself",
    ),
    "a long pointer": (json.dumps({"$ref": "#" + "/a" * 100_000}), DEFAULT_LIMITS, "leads nowhere"),
    "a long index": (
        json.dumps({"$ref": "#/a/" + "9" * 100_000, "a": [{}]}),
        DEFAULT_LIMITS,
        "leads nowhere",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_in_good_time(name: str) -> None:
    text, limits, words = HOSTILE[name]
    began = time.process_time()
    with pytest.raises((InvalidSchema, SchemaTooLarge)) as caught:
        json_schema(text, limits=limits)
    assert words in str(caught.value)
    assert "(at /" in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert time.process_time() - began < SAFETY_SECONDS


def ended(new: Any, old: Any) -> tuple[bool, list[str]]:
    """The verdict and its rules, once they are there in good time."""
    began = time.process_time()
    found = verdict(json_schema(new), json_schema(old), level="FULL", preset="optional-friendly:1")
    assert time.process_time() - began < SAFETY_SECONDS
    return found.is_allowed, sorted({finding.rule for one in found.comparisons for finding in one.findings})


@pytest.mark.parametrize("keyword", ["not", "items", "additionalProperties", "propertyNames", "if"])
def test_the_deepest_schemas_that_are_allowed_work_throughout(keyword: str) -> None:
    schema = nested(keyword, 158)
    for draft in ({}, {"$schema": MODERN}):
        parsed = json_schema({**draft, **schema})
        assert json_schema(parsed.normalized().resolved()).canonical == parsed.normalized().canonical
        assert ended({**draft, **schema}, {**draft, **schema}) == (True, [])


def family(count: int, keyword: str, *, last: str = "string") -> Any:
    """Definitions that all hold a choice between all of them, told apart by a constant at the end."""
    choice = {keyword: [{"$ref": f"#/definitions/d{n}"} for n in range(count)]}
    definitions = {
        f"d{n}": {"properties": {"child": {keyword: choice[keyword]}, "kind": {"const": n}}}
        for n in range(count)
    }
    definitions["d0"]["properties"]["last"] = {"type": last}
    return {**choice, "definitions": definitions}


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf", "allOf"])
def test_mutually_recursive_choices_are_compared(keyword: str) -> None:
    assert ended(family(8, keyword), family(8, keyword)) == (True, [])
    is_allowed, found = ended(family(8, keyword, last="null"), family(8, keyword))
    assert not is_allowed
    assert found == ["COMBINED_TYPE_SUBSCHEMAS_CHANGED"]


def nested_choices(depth: int, width: int, leaf: str) -> Any:
    """Choices of choices: width to the power of depth ways to match them."""
    schema: Any = {"type": leaf}
    for level in range(depth):
        schema = {"oneOf": [{"items": schema, "minItems": level + n} for n in range(width)]}
    return schema


def test_nested_choices_end() -> None:
    assert ended(nested_choices(3, 4, "string"), nested_choices(3, 4, "string")) == (True, [])
    assert not ended(nested_choices(3, 4, "null"), nested_choices(3, 4, "string"))[0]
    huge = nested_choices(5, 5, "string")
    assert ended(huge, huge) == (False, ["CHECK_TOO_LARGE"])


def test_a_thousand_branches_end_the_check() -> None:
    wide = {"anyOf": [{"type": "object", "properties": {f"p{n}": {"const": n}}} for n in range(1_000)]}
    assert ended(wide, {"anyOf": [*wide["anyOf"][1:], {"type": "null"}]}) == (False, ["CHECK_TOO_LARGE"])


def test_ten_thousand_definitions_are_followed() -> None:
    def chain(kind: str) -> Any:
        links = {f"d{n}": {"items": {"$ref": f"#/definitions/d{n + 1}"}} for n in range(10_000)}
        return {"$ref": "#/definitions/d0", "definitions": {**links, "d10000": {"type": kind}}}

    assert ended(chain("string"), chain("string"))[0]
    assert not ended(chain("null"), chain("string"))[0]


def test_patterns_cannot_hold_the_check_up() -> None:
    slow = {"patternProperties": {r"^(([a-z])+.)+[A-Z]([a-z])+$": {"type": "string"}}, "type": "object"}
    names = {"a" * 5_000 + str(n): {"type": "string"} for n in range(20)}
    assert ended({**slow, "properties": names}, slow)[0] is False
    assert is_found("(a*)*" * 50 + "$", "a" * 10_000 + "b") is True


def test_many_patterns_against_many_names_end_the_check() -> None:
    patterned = {"type": "object", "patternProperties": {f"^x{n}$": {} for n in range(2_000)}}
    named = {**patterned, "properties": {f"p{n}": {} for n in range(2_000)}}
    assert ended(named, patterned) == (False, ["CHECK_TOO_LARGE"])


def test_large_patterns_against_long_names_end_the_check() -> None:
    """A search costs what the pattern's program times the name costs, and no less."""
    for pattern, name in (("(x{1,100}){1,9}y%d", "x" * 1_000), ("(a*)*" * 1_900 + "%d", "x" * 500_000)):
        patterned = {"type": "object", "patternProperties": {pattern % n: {} for n in range(50)}}
        named = {**patterned, "properties": {name: {}}}
        assert ended(named, patterned) == (False, ["CHECK_TOO_LARGE"])


def test_patterns_that_grow_too_large_end_the_check() -> None:
    patterned = {"type": "object", "patternProperties": {rf"\p{{L}}{{1,100}}{n}": {} for n in range(1_000)}}
    named = {**patterned, "properties": {"a": {}}}
    assert "CHECK_TOO_LARGE" in ended(named, patterned)[1]


@pytest.mark.parametrize("pattern", ["(?=a)", "(a)\\1", "(", "a{2000}{2000}", "x" * 20_000])
def test_a_pattern_that_cannot_be_run_is_reported(pattern: str) -> None:
    assert is_found(pattern, "a") is None
    old = {"type": "object", "patternProperties": {pattern: {}}}
    assert "PATTERN_UNREADABLE" in ended({**old, "properties": {"a": {}}}, old)[1]


def test_patterns_are_searched_and_know_code_points() -> None:
    assert is_found("b", "abc") is True
    assert is_found("^b", "abc") is False
    assert is_found(r"^\u00e4\u{1F600}$", "ä😀") is True
    assert is_found(r"^\\u00e4$", r"\u00e4") is True
