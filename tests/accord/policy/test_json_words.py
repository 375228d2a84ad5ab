"""What is said about two JSON Schemas, in the words of whoever wrote them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.model import Format
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.explanation import Texts, explain
from accord.policy.policies import Policy
from accord.policy.remedies import Stance, stance_of
from tests.accord.json_texts import json_schema, verdict

if TYPE_CHECKING:
    from accord.policy.explanation import ExplainedFinding

NEGATED_5: Any = {"not": {"type": "string", "maxLength": 5}}
NEGATED_9: Any = {"not": {"type": "string", "maxLength": 9}}


def told(new: Any, old: Any, level: str = "BACKWARD") -> ExplainedFinding:
    """The first finding that refuses a schema after another one, which is version 1."""
    found = verdict(json_schema(new), json_schema(old), level=level)
    (comparison,) = explain(found, Texts(Format.JSON, "{}")).comparisons
    return next(one for one in comparison.findings if one.severity == "block")


@pytest.mark.parametrize(
    ("new", "old", "level"), [(NEGATED_9, NEGATED_5, "BACKWARD"), (NEGATED_5, NEGATED_9, "FORWARD")]
)
def test_what_must_not_hold_is_told_of_the_right_side(new: Any, old: Any, level: str) -> None:
    finding = told(new, old, level)
    values = new["not"]["maxLength"], old["not"]["maxLength"]
    said = 'inside "not", {} has maxLength {}, {} has maxLength {}'
    sides = ("the new schema", values[0], "version 1", values[1])
    if level == "FORWARD":
        sides = (*sides[2:], *sides[:2])
    assert finding.reasons[0].sentence == said.format(*sides)
    assert finding.reasons[0].rule == "MAX_LENGTH_DECREASED"
    assert finding.advice == f'at /not/maxLength: set "maxLength" back to {values[1]}'


def test_a_bound_that_a_negation_loses_is_put_back() -> None:
    finding = told({"not": {"type": "string"}}, NEGATED_5)
    assert finding.reasons[0].sentence == (
        'inside "not", the new schema has no maxLength, version 1 has maxLength 5'
    )
    assert finding.advice == 'at /not/maxLength: set "maxLength" back to 5'


def test_a_type_that_must_not_hold_is_kept() -> None:
    finding = told({"not": {"type": ["string", "integer"]}}, {"not": {"type": "string"}})
    assert finding.reasons[0].sentence == (
        'inside "not", the new schema has string or integer, version 1 has string'
    )
    assert finding.advice == "at /not: keep string here"


def test_a_difference_in_a_negation_without_values_is_named() -> None:
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    finding = told({"not": inner}, {"not": {**inner, "required": ["a"]}})
    assert finding.reasons[0].sentence == 'inside "not", a differs between the new schema and version 1'
    assert finding.advice == "at /not/required/a: leave this part as it is in version 1"


def test_a_negation_within_a_negation_is_told_as_it_is() -> None:
    finding = told({"not": NEGATED_5}, {"not": NEGATED_9})
    (inner,) = finding.reasons
    assert inner.sentence == 'inside "not", not differs between the new schema and version 1'
    assert inner.reasons[0].sentence == "the new schema's maxLength is 5, version 1's 9"
    assert finding.advice == 'at /not/not: at /not/not/maxLength: set "maxLength" back to 9'


@pytest.mark.parametrize(
    ("new", "old", "sentence"),
    [
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, 'version 1 allows "b", the new schema does not'),
        (
            {"enum": ["a", "c"]},
            {"enum": ["a", "b"]},
            'only the new schema allows "c", only version 1 "b"',
        ),
        ({"const": 2}, {"const": 1}, "only the new schema allows 2, only version 1 1"),
    ],
)
def test_values_that_are_gone_are_named(new: Any, old: Any, sentence: str) -> None:
    assert told(new, old).sentence == sentence


BRANCHES = [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]
CLASSIC = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    ("new", "old", "sentence", "advice"),
    [
        (
            {"type": "string", "enum": ["a", "b"]},
            {"type": "string"},
            'the new schema expects string with enum "a", "b", data of version 1 was written as string',
            'take enum "a", "b" out again; put it into an optional property of another name',
        ),
        (
            {"$schema": CLASSIC, "type": "integer", "format": "int64"},
            {"$schema": CLASSIC, "type": "integer"},
            "the new schema expects integer with format int64, data of version 1 was written as integer",
            "take format int64 out again; put it into an optional property of another name",
        ),
        (
            {"type": "string"},
            {"type": ["string", "null"]},
            "the new schema expects string, data of version 1 was written as string or null",
            "keep string or null here, and add an optional property of another name for the new type",
        ),
        (
            {"type": "string"},
            {"enum": ["a" * 40, "b"], "not": {}, "if": {}},
            "the new schema expects string, data of version 1 was written as enum of 2 values and not and if",
            (
                "keep enum of 2 values and not and if here,"
                " and add an optional property of another name for the new type"
            ),
        ),
        (
            {"const": "a" * 40},
            {},
            "the new schema expects const, data of version 1 was written as anything",
            "keep anything here, and add an optional property of another name for the new type",
        ),
        (
            {"oneOf": BRANCHES[:2]},
            {"oneOf": [*BRANCHES[:2], {"anyOf": [{"type": ["null", "array"]}, {}]}]},
            (
                "the new schema has 2 branches, version 1 3 branches; missing in the new schema:"
                " branch 3 (anyOf of 2 branches (null or array, anything))"
            ),
            "put branch 3 (anyOf of 2 branches (null or array, anything)) back",
        ),
        (
            {"oneOf": BRANCHES[:2]},
            {"oneOf": BRANCHES},
            (
                "the new schema has 2 branches, version 1 3 branches;"
                " missing in the new schema: branch 3 (boolean)"
            ),
            "put branch 3 (boolean) back",
        ),
        (
            {"type": ["string", "null"]},
            {"type": ["string", "integer", "null"]},
            (
                "the new schema has string or null, version 1 string or integer or null;"
                " missing in the new schema: integer"
            ),
            "put integer back",
        ),
        (
            {"allOf": [{"maxLength": 1}, {"minLength": 1}]},
            {"allOf": [{"maxLength": 1}]},
            "the new schema has 2 branches, version 1 1 branch; only in the new schema: branch 2 (string)",
            "take branch 2 (string) out again",
        ),
        (
            {"oneOf": [BRANCHES[0], BRANCHES[2]]},
            {"oneOf": BRANCHES[:2]},
            (
                "the new schema's branch 2 (boolean) does not read version 1's branch 2 (integer),"
                " and no other part is left for it"
            ),
            "set branch 2 (boolean) back to branch 2 (integer)",
        ),
        (
            {"oneOf": BRANCHES[:2]},
            {"allOf": [BRANCHES[0], {"type": "object", "title": "t" * 40}]},
            (
                "the new schema has oneOf of 2 branches (string, integer),"
                " version 1 allOf of 2 branches (string, object)"
            ),
            "keep allOf of 2 branches (string, object) here",
        ),
    ],
)
def test_a_refusal_speaks_of_what_was_written(new: Any, old: Any, sentence: str, advice: str) -> None:
    finding = told(new, old)
    assert finding.sentence == sentence
    assert finding.advice == advice


def test_looking_forward_it_is_the_new_schema_that_must_keep_what_old_readers_expect() -> None:
    finding = told({"type": "string"}, {"type": "string", "enum": ["a"]}, "FORWARD")
    assert finding.advice == 'keep enum "a"'
    gained = told({"oneOf": BRANCHES}, {"oneOf": BRANCHES[:2]}, "FORWARD")
    assert gained.advice == "take branch 3 (boolean) out again"
    listed = told({"enum": ["a", "b"]}, {"enum": ["a"]}, "FORWARD")
    assert listed.advice == 'take "b" out again; put new values into an optional property of their own'


def test_a_branch_has_its_title_and_a_number_where_it_kept_one() -> None:
    cards = [{"title": "Card", "type": "object"}, {"title": "Transfer" * 5, "type": "object"}]
    gone = told({"oneOf": [BRANCHES[0]]}, {"oneOf": [BRANCHES[0], *cards]})
    assert gone.advice == (
        f'put branch 2 (object "Card"), branch 3 (object "{("Transfer" * 5)[:30]}...") back'
    )
    repeated = told({"oneOf": [BRANCHES[0]]}, {"oneOf": [BRANCHES[0], BRANCHES[0], BRANCHES[1]]})
    assert repeated.advice == "put a branch of oneOf (integer) back"


def test_the_branch_that_went_is_known_by_what_tells_it_apart() -> None:
    def card(kind: str, length: int) -> dict[str, Any]:
        properties = {"kind": {"const": kind}, "code": {"type": "string", "maxLength": length}}
        return {"title": kind, "type": "object", "properties": properties}

    old = {"oneOf": [card("a", 9), card("b", 9), card("c", 9)]}
    gone = told({"oneOf": [card("c", 19), card("b", 19)]}, old)
    assert gone.advice == 'put branch 1 (object "a") back'


def test_names_stay_short_whatever_a_schema_holds() -> None:
    deep: Any = {"type": ["string", "null"], "enum": ["a"]}
    for _ in range(6):
        deep = {"anyOf": [deep, {"type": "null"}], "const": 1}
    found = told({"type": "boolean"}, {**deep, "title": "x" * 5000})
    assert len(found.sentence) < 300
    many = told({"type": "null"}, {"anyOf": [{"minLength": n} for n in range(50)]})
    assert "anyOf of 50 branches (string, string, string, string, 46 more)" in many.sentence


CLOSED: Any = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}


def wider(schema: Any) -> Any:
    return {**schema, "properties": {**schema["properties"], "note": {"type": "string"}}}


@pytest.mark.parametrize(
    ("new", "old", "stance", "said"),
    [
        (CLOSED, wider(CLOSED), Stance.PRODUCER, "use the preset optional-friendly"),
        (CLOSED, wider(CLOSED), Stance.CONSUMER, 'open the object, so that it passes over "note"'),
        (wider({"properties": {}}), {"properties": {}}, Stance.PRODUCER, "use the preset optional-friendly"),
        (wider({"properties": {}}), {"properties": {}}, Stance.FRIENDLY, "or begin a new subject, whose"),
        (wider({"properties": {}}), {"properties": {}}, Stance.CONSUMER, 'as in "note": {}, or leave it out'),
    ],
)
def test_advice_is_for_those_who_ask(new: Any, old: Any, stance: Stance, said: str) -> None:
    found = verdict(json_schema(new), json_schema(old))
    (comparison,) = explain(found, Texts(Format.JSON, "{}"), stance=stance).comparisons
    advice = comparison.findings[0].advice
    assert said in advice
    assert ("optional-friendly" in advice) is (stance is Stance.PRODUCER)


def test_a_policy_tells_whom_it_judges() -> None:
    assert stance_of(Policy(CONFLUENT_LEVELS["FULL"], "optional-friendly:1")) is Stance.FRIENDLY
    assert stance_of(Policy(CONFLUENT_LEVELS["FULL"])) is Stance.PRODUCER


def tagged(kind: str, **properties: str) -> Any:
    """An object that its kind tells from others."""
    typed = {name: {"type": type_} for name, type_ in properties.items()}
    return {"type": "object", "properties": {"kind": {"const": kind}, **typed}, "required": ["kind"]}


def placed(new: Any, old: Any, level: str = "BACKWARD") -> ExplainedFinding:
    """The first finding that refuses a schema after another one, with its places in both texts."""
    texts = Texts(Format.JSON, json.dumps(new), {1: json.dumps(old)})
    (comparison,) = explain(verdict(json_schema(new), json_schema(old), level=level), texts).comparisons
    return next(one for one in comparison.findings if one.severity == "block")


CARD, CASH = tagged("card", pan="string"), tagged("cash", sum="string")
RETYPED = tagged("card", pan="integer")
TITLED = [{"title": title, "properties": {"a": {"type": "string"}}} for title in "XY"]


@pytest.mark.parametrize(
    ("new", "old", "name", "places"),
    [
        ([CASH, RETYPED], [CARD, CASH], "properties/pan", (1, 0)),
        ([tagged("iban", i="string"), RETYPED, CASH], [CARD, CASH], "properties/pan", (1, 0)),
        (
            [{"title": "Y", "properties": {"a": {"type": "null"}}}, {"title": "Z"}],
            TITLED,
            "properties/a",
            (0, 1),
        ),
        (
            [{"properties": {"b": {"type": "null"}}}, {"properties": {"a": {"type": "null"}}}],
            [{"properties": {"a": {"type": "string"}}}],
            "properties/a",
            (1, 0),
        ),
        ([{"type": "null"}, {"enum": [1, 3]}], [{"enum": [1, 2]}, {"type": "null"}], "enum", (1, 0)),
        (
            [{"type": "string", "enum": ["a"]}, {"type": "null"}, {"type": "null"}],
            [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}],
            "enum",
            (0, 0),
        ),
    ],
)
@pytest.mark.parametrize("level", ["BACKWARD", "FORWARD"])
def test_a_branch_is_held_against_the_one_it_became(
    new: Any, old: Any, name: str, places: tuple[int, int], level: str
) -> None:
    is_, was = places
    newer, older = (
        ({"oneOf": new}, {"oneOf": old}) if level == "BACKWARD" else ({"oneOf": old}, {"oneOf": new})
    )
    finding = placed(newer, older, level)
    told = [
        (one.new_pointer, one.old_pointer)
        for inner in finding.reasons
        for one in (inner, *inner.reasons)
        if one.new_pointer is not None and one.new_pointer.endswith(name)
    ]
    wanted = (f"/oneOf/{is_}/{name}", f"/oneOf/{was}/{name}")
    assert told[0] == (wanted if level == "BACKWARD" else wanted[::-1])
    assert f"/oneOf/{is_ if level == 'BACKWARD' else was}/{name}: " in finding.advice


def test_a_branch_behind_a_reference_is_known_by_it() -> None:
    def choice(kind: str, *order: str) -> Any:
        made = {name: {"properties": {"v": {"type": kind}}, "minProperties": len(name)} for name in order}
        return {"oneOf": [{"$ref": f"#/definitions/{name}"} for name in order], "definitions": made}

    finding = placed(choice("null", "CC", "A"), choice("string", "A", "CC"))
    assert finding.advice.startswith("at /definitions/A/properties/v: keep string here")
    assert "at /definitions/CC/properties/v: keep string here" in finding.advice


def test_what_is_inside_a_not_has_its_place_in_the_text_that_says_it() -> None:
    def negated(*branches: Any) -> Any:
        return {"not": {"oneOf": list(branches)}}

    finding = placed(negated(CASH, RETYPED), negated(CARD, CASH))
    (inner,) = finding.reasons
    assert [(one.new_pointer, one.old_pointer) for one in inner.reasons] == [
        ("/not/oneOf/1/properties/pan", "/not/oneOf/0/properties/pan")
    ]


MODERN = "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize(
    ("new", "old", "level", "advice"),
    [
        ({"contains": {}}, {}, "BACKWARD", 'take "contains" out again'),
        ({}, {"contains": {}}, "FORWARD", 'put "contains" back'),
        ({"contains": {}, "minContains": 2}, {}, "BACKWARD", 'take "minContains" out again'),
        ({"contains": {}, "minContains": 2}, {"contains": {}}, "BACKWARD", 'set "minContains" back to 1'),
    ],
)
def test_advice_names_the_keyword_that_was_written(new: Any, old: Any, level: str, advice: str) -> None:
    base = {"$schema": MODERN, "type": "array"}
    finding = placed({**base, **new}, {**base, **old}, level)
    assert finding.advice == advice


def test_a_name_that_patterns_cover_has_its_place_in_them() -> None:
    patterned = {
        "type": "object",
        "patternProperties": {"^a": {"type": "null"}},
        "additionalProperties": False,
    }
    finding = placed(patterned, {**patterned, "properties": {"a": {"type": "string"}}})
    assert (finding.rule, finding.path) == ("TYPE_CHANGED", "/properties/a")
    assert (finding.new_pointer, finding.old_pointer) == ("/patternProperties/^a", "/properties/a")
