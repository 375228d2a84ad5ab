"""Verdicts explained: who breaks, where, and what to change."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.formats import parse
from accord.model import Comparison, Direction, Finding, Format, SchemaText, Severity, Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.explanation import Explanation, Texts, explain, explanation_data
from accord.policy.level_names import FROZEN
from accord.policy.remedies import REMEDIES, remedy
from accord.rules.presets import PRESETS
from accord.rules.table import rules
from tests.accord.avro_texts import record
from tests.accord.rules.cases import Case, all_cases

BEFORE = record(("id", "int"))


def explained(new: Any, old: Any, *, level: str = "FULL", preset: str = "confluent:8.1") -> Explanation:
    """Explain the verdict on a new Avro schema against version 3."""
    texts = json.dumps(new, indent=2), json.dumps(old, indent=2)
    is_, was = (parse(SchemaText(Format.AVRO, text)) for text in texts)
    policy = Policy(CONFLUENT_LEVELS.get(level, FROZEN), preset)
    verdict = judge(is_, [HistoryEntry(3, was)], policy)
    return explain(verdict, Texts(Format.AVRO, texts[0], {3: texts[1]}), name="version 4")


def test_a_field_without_default_is_explained_looking_backward() -> None:
    found = explained(record(("id", "int"), ("x", "string")), BEFORE)
    assert not found.is_allowed
    assert found.summary == "Readers on version 4 cannot read what writers on version 3 wrote."
    (finding,) = found.comparisons[-1].findings
    assert finding.sentence == (
        "version 4 expects field x, which data of version 3 lacks and no default supplies"
    )
    assert finding.advice == 'give field "x" a default, such as "default": null with type ["null", "string"]'
    assert (finding.new_at, finding.old_at) == ((9, 5), (1, 1))
    assert "first record of version 3" in found.comparisons[-1].upgrade
    assert found.comparisons[0].upgrade == ""


def test_a_field_that_readers_need_is_explained_looking_forward() -> None:
    found = explained(BEFORE, record(("id", "int"), ("x", "string")))
    assert found.summary == "Readers on version 3 cannot read what writers on version 4 write."
    (finding,) = found.comparisons[0].findings
    assert finding.advice == 'keep field "x": version 3 gives it no default, so its readers need it'
    assert (finding.new_at, finding.old_at) == ((1, 1), (9, 5))
    assert "every reader to be upgraded" in found.comparisons[0].upgrade


def test_an_allowed_verdict_says_so_and_counts_warnings() -> None:
    assert explained(BEFORE, BEFORE).summary == "Version 4 is compatible."
    at, micros = ({"type": "long", "logicalType": f"timestamp-{unit}s"} for unit in ("milli", "micro"))
    warned = explained(record(("t", micros)), record(("t", at)), preset="accord:1")
    assert warned.summary == "Version 4 is compatible, with 2 warnings."


def test_a_frozen_subject_is_named() -> None:
    found = explained(record(("id", "long")), BEFORE, level="FROZEN")
    assert found.summary == "The subject is frozen at version 3."
    assert found.comparisons[0].findings[0].advice.startswith("register under another subject")


def test_reasons_are_explained_too() -> None:
    new = record(("u", ["null", record(("n", "int"), name="I")]))
    old = record(("u", ["null", record(("n", "string"), name="I")]))
    (finding,) = explained(new, old, level="BACKWARD").comparisons[0].findings
    assert finding.reasons[0].sentence == "version 4 expects int, data of version 3 was written as string"
    assert finding.reasons[0].advice.startswith("keep the type string here")

    assert finding.sentence == "no branch of version 4's union reads record I"
    assert finding.advice.startswith("at /fields/0/type/1/fields/0/type: keep the type string here, and add")


def test_a_branch_that_differs_in_ways_without_advice_is_left_as_it_is() -> None:
    reason = Finding("DESCRIPTION_CHANGED", Severity.INFO, "/a", "", "")
    finding = Finding("NOT_TYPE_EXTENDED", Severity.BLOCK, "/", "", "", reasons=(reason,))
    assert remedy(finding, Direction.BACKWARD, "version 3") == "leave this part as it is in version 3"


def test_a_difference_that_another_registry_tells_of_gets_the_words_of_its_rule() -> None:
    told = Finding("READER_FIELD_MISSING_DEFAULT_VALUE", Severity.BLOCK, "/", "", "")
    assert '""' not in remedy(told, Direction.BACKWARD, "")
    assert remedy(told, Direction.BACKWARD, "")


def test_old_texts_are_read_up_to_a_length(monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding("TYPE_MISMATCH", Severity.BLOCK, "/", "", "the reader expects int")
    compared = [Comparison(Direction.BACKWARD, number, (finding,)) for number in (1, 2, 3)]
    texts = Texts(Format.AVRO, '"int"', dict.fromkeys((1, 2, 3), '"long"'))
    monkeypatch.setattr("accord.policy.explanation.MOST_TEXT", 13)
    found = explain(Verdict(tuple(compared)), texts).comparisons
    assert [one.findings[0].old_at for one in found] == [(1, 1), (1, 1), None]


def test_what_people_wrote_is_not_taken_for_a_role() -> None:
    written = "what the reader should know"
    finding = Finding(
        "DESCRIPTION_CHANGED",
        Severity.INFO,
        "/",
        "",
        f"the reader's description is {written}, the writer's none",
        reader=written,
    )
    verdict = Verdict((Comparison(Direction.FORWARD, None, (finding,)),))
    found = explain(verdict, Texts(Format.JSON, "{}"))
    assert found.comparisons[0].findings[0].sentence == (
        f"the old schema's description is {written}, the new schema's none"
    )
    assert found.comparisons[0].findings[0].old_at is None


def test_an_open_side_is_called_open() -> None:
    finding = Finding("X", Severity.WARN, "/", "", "the reader declares a, the open writer does not")
    verdict = Verdict((Comparison(Direction.BACKWARD, 1, (finding,)),))
    (told,) = explain(verdict, Texts(Format.PROTOBUF, "")).comparisons[0].findings
    assert told.sentence == "the new schema declares a, version 1 (an open object) does not"
    assert (told.summary, told.advice, told.new_at) == ("", "", (1, 1))


def test_findings_about_the_schema_itself_come_first() -> None:
    text = '{"type": "object"}'
    verdict = judge(
        parse(SchemaText(Format.JSON, text)),
        [],
        Policy(CONFLUENT_LEVELS["FULL"], "accord:queue-safe:1"),
    )
    found = explain(verdict, Texts(Format.JSON, text))
    assert found.summary == "The new schema does not fulfil what the policy asks of every schema."
    assert found.own[0].advice == 'add "additionalProperties": false to the object'


def test_more_findings_than_anybody_reads_are_counted() -> None:
    finding = Finding("TYPE_MISMATCH", Severity.BLOCK, "/", "", "the reader expects int")
    many = Comparison(Direction.BACKWARD, 1, (finding,) * 1_500)
    found = explain(Verdict((many, many)), Texts(Format.AVRO, '"int"', {1: '"int"'}))
    assert [(len(one.findings), one.left_out) for one in found.comparisons] == [(1_000, 500), (0, 1_500)]


def test_an_explanation_is_json() -> None:
    data = explanation_data(explained(record(("id", "string")), BEFORE))
    assert json.loads(json.dumps(data)) == data
    comparison: Any = data["comparisons"]
    assert comparison[0]["findings"][0]["new"] == {"line": 7, "column": 15}
    assert comparison[0]["findings"][0]["judged_as"] is None


def blocking() -> list[str]:
    """The rules that refuse something under a preset of the house."""
    presets = [PRESETS[name] for name in ("confluent:8.1", "accord:queue-safe:1")]
    return [
        row.id
        for row in rules()
        if row.is_reported and any(preset[row.id] is Severity.BLOCK for preset in presets)
    ]


def test_every_rule_that_refuses_something_says_what_to_do() -> None:
    unadvised = {
        "PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL",
        "PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL",
    }
    assert {name for name in blocking() if name not in REMEDIES and not name.startswith("ITEM_")} <= unadvised
    assert REMEDIES.keys() <= {row.id for row in rules()}


@pytest.mark.parametrize(
    "case", [case for case in all_cases() if not case.is_accepted], ids=lambda one: one.name
)
def test_advice_fits_the_findings_of_every_case(case: Case) -> None:
    for finding in case.verdict().findings:
        for direction in Direction:
            advice = remedy(finding, direction, "version 3")
            assert "{" not in advice.replace(": {}", "")
            assert '""' not in advice


@pytest.mark.parametrize(
    ("type_", "example"),
    [
        ('["null", "int"]', '"default": null'),
        ('"null"', '"default": null'),
        ('"array"', '"default": []'),
        ('"map"', '"default": {}'),
        ('["int", "null"]', '"default": null with type ["null", "int"]'),
        ('"a.B"', '"default": null with type ["null", "a.B"]'),
    ],
)
def test_a_default_fits_the_type(type_: str, example: str) -> None:
    finding = Finding(
        "READER_FIELD_MISSING_DEFAULT_VALUE", Severity.BLOCK, "/", "", "", name="x", reader=type_
    )
    assert remedy(finding, Direction.BACKWARD, "").endswith(f"such as {example}")


def test_a_bound_is_set_back_or_taken_out() -> None:
    added = Finding(
        "MAX_LENGTH_ADDED", Severity.BLOCK, "/", "", "", name="maxLength", reader="5", writer="none"
    )
    assert remedy(added, Direction.BACKWARD, "") == 'take "maxLength" out again'
    assert remedy(added, Direction.FORWARD, "") == 'set "maxLength" back to 5'
