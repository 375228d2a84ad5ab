"""Lint as a member of policies: read, inherited, weighed, explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.formats import parse
from accord.lint.profile import NO_LINT, FieldCase, LintOptions, LintProfile
from accord.model import Direction, Finding, Format, SchemaText, Severity, SubjectName, Verdict
from accord.policy.documents import read_document
from accord.policy.explanation import Texts, explain
from accord.policy.inheritance import Binding, effective
from accord.policy.origins import INSTALLED, BindingPlace, Reach
from accord.policy.remedies import remedy
from accord.policy.requirements import check_content

if TYPE_CHECKING:
    from accord.policy.effective import EffectivePolicy

POLICY = """
name: house
default:
  lint:
    use: [STANDARD, COMMENTS]
    except: [AVRO_NAMESPACE_DEFINED]
    severity: info
    severities: {BASIC: warn, AVRO_ENUM_DEFAULT: block}
    ignore: [old/types]
    ignore_only: {COMMENTS: [orders-value]}
    disallow_comment_ignores: true
    enum_zero_value_suffix: _NONE
    service_suffix: API
    rpc_allow_same_request_response: true
    rpc_allow_google_protobuf_empty_requests: true
    rpc_allow_google_protobuf_empty_responses: true
    field_case: snake
"""
ENUM = '{"type": "enum", "name": "payment", "symbols": ["CARD"]}'
PLACE = BindingPlace(Reach.TENANT, "acme")


def in_force(text: str, subject: str = "orders-value") -> EffectivePolicy:
    """The policy in force where a text alone is bound."""
    read = read_document(text)
    assert read.document is not None, read.problems
    return effective([Binding(PLACE, 1, read.document)], Format.AVRO, subject=SubjectName(subject))


def found(text: str, subject: str = "orders-value") -> list[tuple[str, Severity]]:
    """What a policy has to say about the enum."""
    schema = parse(SchemaText(Format.AVRO, ENUM))
    asked = in_force(text, subject).requirements
    return [(one.rule, one.severity) for one in check_content(schema, asked, subject=subject)]


def test_every_member_reaches_the_profile() -> None:
    profile = in_force(POLICY).lint
    assert (profile.use, profile.without) == (("STANDARD", "COMMENTS"), ("AVRO_NAMESPACE_DEFINED",))
    assert profile.severity is Severity.INFO
    assert profile.severities["AVRO_ENUM_DEFAULT"] is Severity.BLOCK
    assert profile.severities["FIELD_LOWER_SNAKE_CASE"] is Severity.WARN
    assert "SERVICE_SUFFIX" not in profile.severities
    assert (profile.ignore, profile.ignore_only) == (("old/types",), {"COMMENTS": ("orders-value",)})
    assert profile.disallow_comment_ignores
    assert profile.options == LintOptions("_NONE", "API", True, True, True, FieldCase.SNAKE)  # each is set


def test_findings_weigh_what_the_policy_says() -> None:
    assert found(POLICY) == [
        ("AVRO_TYPE_PASCAL_CASE", Severity.WARN),
        ("AVRO_ENUM_DEFAULT", Severity.BLOCK),
        ("AVRO_ENUM_ZERO_SYMBOL", Severity.INFO),
    ]
    assert ("AVRO_DOC_TYPE", Severity.INFO) in found(POLICY, "bills-value")
    assert found(POLICY, "old/types") == []


def test_without_a_policy_nothing_is_linted() -> None:
    nothing = effective([], Format.AVRO, subject=SubjectName("orders-value"))
    assert nothing.lint == NO_LINT == LintProfile()
    assert nothing.asked_by("AVRO_ENUM_DEFAULT") == (INSTALLED,)


def test_who_asks_is_who_says_which_rules_count() -> None:
    (origin,) = in_force(POLICY).asked_by("AVRO_ENUM_DEFAULT")
    assert origin.policy == "house"


@pytest.mark.parametrize(
    ("lint", "said"),
    [
        ("{use: [STANDARDS]}", "there is no lint rule 'STANDARDS'; did you mean STANDARD?"),
        ("{use: [FIELD_NO_DESCRIPTOR]}", "there is no lint rule 'FIELD_NO_DESCRIPTOR'"),
        ("{use: STANDARD}", "write a list"),
        ("{use: [1]}", "there is no lint rule '1'"),
        ("{ignore: [./]}", "'./' does not do"),
        ("{ignore: [/acme]}", "'/acme' does not do"),
        ("{ignore_only: [a]}", "write an object"),
        ("{ignore_only: {NOTHING: [a]}}", "there is no lint rule 'NOTHING'"),
        ("{severities: {BASIC: loud}}", "there is no 'loud' here"),
        ("{enum_zero_value_suffix: 'a b'}", "does not do"),
        ("{field_case: pascal}", "there is no 'pascal' here"),
        ("{uses: []}", "there is no member 'uses' here"),
    ],
)
def test_what_is_wrong_is_said(lint: str, said: str) -> None:
    read = read_document(f"name: house\ndefault:\n  lint: {lint}\n")
    assert read.document is None
    assert said in str(read.problems[0])


def test_a_finding_is_explained_with_the_words_of_its_rule() -> None:
    finding = Finding("AVRO_ENUM_DEFAULT", Severity.BLOCK, "/", detail="x", message="the enum has no default")
    (told,) = explain(Verdict((), (finding,)), Texts(Format.AVRO, ENUM)).own
    assert told.summary == "Every enum has a default symbol."
    assert told.advice == remedy(finding, Direction.BACKWARD, "")
    assert "default" in told.advice
