"""Whether data is read, which no policy decides, and the sentences that say so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.formats import parse
from accord.model import Comparison, Direction, Finding, Format, SchemaText, Severity, Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.explanation import Explanation, Texts, explain
from accord.policy.readability import Readability, readability
from tests.accord.avro_texts import record

QUEUE_SAFE = Policy(CONFLUENT_LEVELS["FULL"], "accord:queue-safe:1")


def found(rule: str, *reasons: Finding, severity: Severity = Severity.BLOCK) -> Finding:
    return Finding(rule, severity, "/", "", "m", reasons=reasons)


@pytest.mark.parametrize(
    ("finding", "means"),
    [
        (found("TYPE_MISMATCH", severity=Severity.WARN), Readability.UNREADABLE),
        (found("FIELD_DEFAULT_CHANGED"), Readability.READABLE),
        (found("REQUIRED_ATTRIBUTE_REMOVED"), Readability.READABLE),
        (found("CHECK_TOO_LARGE"), Readability.UNKNOWN),
        (found("PATTERN_UNREADABLE"), Readability.UNKNOWN),
        (found("TOLD_BY_ANOTHER_REGISTRY"), Readability.UNKNOWN),
        (found("FIELD_BECAME_REQUIRED"), Readability.UNREADABLE),
        (found("FILE_SAME_PACKAGE"), Readability.UNTOLD),
        (found("FILE_SAME_GO_PACKAGE"), Readability.READABLE),
        (found("ENUM_VALUE_NO_DELETE"), Readability.UNTOLD),
        (found("MISSING_UNION_BRANCH"), Readability.UNREADABLE),
        (found("MISSING_UNION_BRANCH", found("TYPE_PROMOTED")), Readability.READABLE),
        (found("MISSING_UNION_BRANCH", found("TYPE_MISMATCH")), Readability.UNREADABLE),
        (found("SUM_TYPE_NARROWED", found("TYPE_EXTENDED")), Readability.UNKNOWN),
    ],
)
def test_the_formats_decide_what_is_read(finding: Finding, means: Readability) -> None:
    assert readability([finding]) is means
    assert readability([finding, found("TITLE_CHANGED")]) is means


def told(*findings: Finding) -> Explanation:
    return explain(Verdict((Comparison(Direction.FORWARD, 1, findings),)), Texts(Format.AVRO, '"int"'))


def explained(new: Any, old: Any) -> Explanation:
    text = json.dumps(new)
    is_, was = (parse(SchemaText(Format.AVRO, one)) for one in (text, json.dumps(old)))
    return explain(judge(is_, [HistoryEntry(3, was)], QUEUE_SAFE), Texts(Format.AVRO, text))


def test_what_a_policy_alone_refuses_is_not_called_unreadable() -> None:
    one, two = ({"name": "a", "type": "int", "default": default} for default in (1, 2))
    forward, backward = explained(record(two), record(one)).comparisons
    assert backward.sentence == (
        "Readers on the new schema can read what writers on version 3 wrote,"
        " but the policy does not allow the change."
    )
    assert "No reader stops." in backward.upgrade
    assert "No reader stops." in forward.upgrade


def test_what_cannot_be_found_out_is_said_so() -> None:
    (made,) = told(found("CHECK_TOO_LARGE")).comparisons
    assert made.sentence == (
        "It cannot be told whether readers on version 1 can read what writers on the new schema write."
    )
    assert made.upgrade == ""


def test_what_a_policy_lets_pass_is_not_called_readable() -> None:
    (made,) = told(found("TYPE_MISMATCH", severity=Severity.WARN)).comparisons
    assert made.sentence.endswith("cannot read what writers on the new schema write."
                                  " The policy lets it pass all the same.")  # fmt: skip
    assert not made.is_blocked


def test_each_finding_tells_of_its_own_effect() -> None:
    (made,) = told(found("TYPE_MISMATCH"), found("TYPE_PROMOTED", severity=Severity.INFO)).comparisons
    assert [" cannot " in one.effect for one in made.findings] == [True, False]
    assert made.findings[1].effect == ("Readers on version 1 can read what writers on the new schema write.")


def test_a_frozen_subject_stops_no_reader() -> None:
    (made,) = told(found("FROZEN")).comparisons
    assert (made.sentence, made.upgrade) == ("The subject is frozen at version 1.", "")


def test_long_paths_are_cut_in_the_middle() -> None:
    chain = "/properties/a" * 10_000
    inner = Finding("TYPE_MISMATCH", Severity.BLOCK, chain, "", "m", reader='"int"')
    outer = Finding("SUM_TYPE_NARROWED", Severity.BLOCK, chain, "", "m", reasons=(inner,))
    (finding,) = told(outer).comparisons[0].findings
    assert len(finding.path) == 1_003
    assert finding.path.startswith("/properties/a/")
    assert len(finding.advice) < 500


def test_one_warning_is_one() -> None:
    assert told(found("TYPE_PROMOTED", severity=Severity.WARN)).summary == (
        "The new schema is compatible, with 1 warning."
    )
    named = explain(Verdict(), Texts(Format.AVRO, '"int"'), name="a.avsc")
    assert named.summary == "a.avsc is compatible."


def test_values_that_one_side_lacks_are_said_in_words() -> None:
    new, old = (
        parse(SchemaText(Format.JSON, json.dumps({"enum": values}))) for values in (["a"], ["a", "b"])
    )
    verdict = judge(new, [HistoryEntry(1, old)], Policy(CONFLUENT_LEVELS["BACKWARD"]))
    assert verdict.findings[0].message == ('the writer allows "b", the reader does not')
