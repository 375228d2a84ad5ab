from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.model import Bound, Direction, Format, Level, Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.comparison import Budget
from tests.accord.avro_texts import allows, avro, record, verdict
from tests.accord.json_texts import json_schema
from tests.accord.stand_ins import ForeignSchema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.formats.jsonschema.schema import JsonSchema
    from accord.model import Finding

BARE = avro(record())
OPTIONAL_INT = avro(record({"name": "n", "type": ["null", "int"], "default": None}))
OPTIONAL_TEXT = avro(record({"name": "n", "type": ["null", "string"], "default": None}))
REQUIRED = avro(record(("n", "int")))


@pytest.mark.parametrize("level", CONFLUENT_LEVELS)
def test_the_first_version_is_always_allowed(level: str) -> None:
    assert verdict(BARE, level=level).comparisons == ()


@pytest.mark.parametrize("level", CONFLUENT_LEVELS)
def test_a_schema_is_compatible_with_itself(level: str) -> None:
    assert allows(REQUIRED, REQUIRED, level=level)


def test_an_optional_number_that_comes_back_as_text_breaks_the_first_version() -> None:
    history = [OPTIONAL_INT, BARE]
    assert allows(BARE, OPTIONAL_INT)
    assert allows(OPTIONAL_TEXT, *history)
    refused = verdict(OPTIONAL_TEXT, *history, level="BACKWARD_TRANSITIVE")
    assert not refused.is_allowed
    assert [(one.version, one.is_blocked) for one in refused.comparisons] == [(2, False), (1, True)]


def test_the_newest_failing_version_ends_the_check() -> None:
    refused = verdict(OPTIONAL_TEXT, OPTIONAL_INT, OPTIONAL_INT, level="FULL_TRANSITIVE")
    assert [one.version for one in refused.comparisons] == [2, 2]


@pytest.mark.parametrize(
    ("level", "added", "removed"),
    [("NONE", True, True), ("BACKWARD", False, True), ("FORWARD", True, False), ("FULL", False, False)],
)
def test_levels_say_who_reads_whom(level: str, added: bool, removed: bool) -> None:
    assert allows(REQUIRED, BARE, level=level) is added
    assert allows(BARE, REQUIRED, level=level) is removed


def test_both_directions_are_compared_forward_first_even_if_that_fails() -> None:
    refused = verdict(avro('"int"'), avro('"string"'), level="FULL")
    assert [one.direction for one in refused.comparisons] == [Direction.FORWARD, Direction.BACKWARD]
    assert all(one.is_blocked for one in refused.comparisons)


def bounded(oldest: int | None, *numbers: int | None) -> list[int | None]:
    """The versions that a backward bound reaches."""
    level = Level(backward=Bound(oldest))
    history = [HistoryEntry(number, BARE) for number in numbers]
    return [one.version for one in judge(BARE, history, Policy(level)).comparisons]


def test_a_bound_says_how_far_back() -> None:
    assert bounded(None, 1, 2, 3) == [3]
    assert bounded(1, 1, 2, 3) == [3, 2, 1]
    assert bounded(2, 1, 2, 3) == [3, 2]
    assert bounded(9, 1, 2, 3) == [3]
    assert bounded(2, None, None) == [None, None]


def test_a_frozen_subject_takes_its_latest_content_only() -> None:
    policy = Policy(Level(frozen=True))
    history = [HistoryEntry(1, REQUIRED), HistoryEntry(2, BARE)]
    assert judge(avro(record()), history, policy).is_allowed
    (finding,) = judge(REQUIRED, history, policy).findings
    assert (finding.rule, finding.severity) == ("FROZEN", Severity.BLOCK)
    assert judge(REQUIRED, [], policy).is_allowed


def test_another_format_blocks_in_each_direction() -> None:
    refused = verdict(BARE, ForeignSchema("{}", Format.JSON), level="FULL")
    assert [finding.rule for finding in refused.findings] == ["DIFFERENT_SCHEMA_TYPE"] * 2


def test_another_format_may_be_let_through() -> None:
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], overrides={"DIFFERENT_SCHEMA_TYPE": Severity.OFF})
    history = [HistoryEntry(1, ForeignSchema("{}", Format.JSON))]
    assert judge(BARE, history, policy).findings == ()


def test_overrides_change_the_answers_about_inner_types() -> None:
    new = avro(["null", record(("n", "int"))])
    old = avro(["null", record(("n", "string"))])
    assert not allows(new, old)
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], overrides={"TYPE_MISMATCH": Severity.WARN})
    (warning,) = judge(new, [HistoryEntry(1, old)], policy).findings
    assert (warning.rule, warning.severity, warning.path) == (
        "TYPE_MISMATCH",
        Severity.WARN,
        "/1/fields/0/type",
    )


def test_a_replaced_rule_weighs_what_the_other_one_does() -> None:
    new, old = avro(record(("n", "int"))), avro(record(("n", "string")))
    policy = Policy(
        CONFLUENT_LEVELS["BACKWARD"],
        overrides={"NAMESPACE_CHANGED": Severity.WARN},
        replacements={"TYPE_MISMATCH": "NAMESPACE_CHANGED"},
    )
    (finding,) = judge(new, [HistoryEntry(1, old)], policy).findings
    assert (finding.rule, finding.severity, finding.judged_as) == (
        "TYPE_MISMATCH",
        Severity.WARN,
        "NAMESPACE_CHANGED",
    )


def test_an_ambiguous_alias_that_does_not_block_goes_on() -> None:
    new = avro(record({"name": "a", "type": "int", "aliases": ["b"]}))
    old = avro(record(("a", "string"), ("b", "int")))
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], overrides={"AMBIGUOUS_FIELD_ALIAS": Severity.INFO})
    findings = judge(new, [HistoryEntry(1, old)], policy).findings
    assert [finding.rule for finding in findings] == ["AMBIGUOUS_FIELD_ALIAS", "TYPE_MISMATCH"]


def test_the_work_of_a_check_is_shared_by_its_versions() -> None:
    text = {"type": "array", "items": {"type": "array", "items": "int"}}
    wide, history = avro(text), [HistoryEntry(number, avro(text)) for number in range(1, 10)]
    policy = Policy(CONFLUENT_LEVELS["BACKWARD_TRANSITIVE"])
    assert judge(wide, history, policy, budget=Budget(300, 300)).is_allowed
    refused = judge(wide, history, policy, budget=Budget(120, 120))
    assert [finding.rule for finding in refused.findings] == ["CHECK_TOO_LARGE"]
    assert len(refused.comparisons) == 5


def holder(kind: str, name: str, keyword: str | None = None) -> JsonSchema:
    """An object with one property, which holds a hundred others of a type."""
    wide: object = {"properties": {f"p{number}": {"type": kind} for number in range(100)}}
    return json_schema({"properties": {name: wide if keyword is None else {keyword: [wide]}}})


def told(name: str, *, steps: int, keyword: str | None = None) -> Sequence[Finding]:
    """What is reported when the hundred properties change their type."""
    new, old = (holder(kind, name, keyword) for kind in ("string", "null"))
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"])
    return judge(new, [HistoryEntry(1, old)], policy, budget=Budget(steps, steps)).findings


def test_every_finding_has_its_price() -> None:
    assert len(told("k", steps=5_000)) == 100
    assert [one.rule for one in told("k", steps=3_000)] == ["CHECK_TOO_LARGE"]


def test_long_names_are_paid_for_wherever_they_are_repeated() -> None:
    assert [one.rule for one in told("k" * 3_200, steps=10_000)] == ["CHECK_TOO_LARGE"]
    assert len(told("k" * 3_200, steps=30_000)) == 100


def test_reasons_pay_for_the_long_names_before_them() -> None:
    long, short = (told(name, steps=60_000, keyword="oneOf") for name in ("k" * 3_200, "k"))
    assert [one.rule for one in (*long, *short)] == ["COMBINED_TYPE_SUBSCHEMAS_CHANGED"] * 2
    assert [len(one.reasons) for one in (*long, *short)] == [0, 100]


def test_a_schema_met_again_is_not_compared_again() -> None:
    wide = avro({"type": "array", "items": {"type": "array", "items": "int"}})
    history = [HistoryEntry(number, wide) for number in range(1, 100)]
    policy = Policy(CONFLUENT_LEVELS["BACKWARD_TRANSITIVE"])
    verdict = judge(wide, history, policy, budget=Budget(120, 120))
    assert verdict.is_allowed
    assert [one.version for one in verdict.comparisons] == list(range(99, 0, -1))


def nest(inner: str, depth: int) -> object:
    schema: object = inner
    for level in range(depth):
        schema = record(("f", ["null", schema]), name=f"R{level}")
    return schema


def test_reasons_go_a_few_levels_deep() -> None:
    (finding,) = verdict(avro(nest("int", 9)), avro(nest("string", 9))).findings
    depth = 0
    while finding.reasons:
        (finding,) = finding.reasons
        depth += 1
        assert finding.path == "/fields/0/type/1" + "/fields/0/type/1" * depth
    assert depth == 4


def test_only_some_findings_are_explained() -> None:
    def wide(inner: str) -> object:
        return [record(("f", inner), name=f"R{n}") for n in range(25)]

    findings = verdict(avro(wide("int")), avro(wide("string"))).findings
    assert [len(finding.reasons) for finding in findings] == [1] * 20 + [0] * 5
