"""What a second preset warns of: all that it would refuse, in its own eyes, each place and rule once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from accord.errors import InvalidPolicy
from accord.model import Comparison, Direction, Finding, Level, Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Budget, HistoryEntry, Policy, judge
from accord.policy.besides import joined, told_once, weighed
from accord.policy.explanation import Texts, explain
from accord.policy.judgement import Trials
from tests.accord.avro_texts import avro, record
from tests.accord.json_texts import json_schema
from tests.accord.protobuf_texts import schema_of

if TYPE_CHECKING:
    from accord.model import Verdict

CONFLUENT, QUEUE_SAFE, HOUSE = "confluent:8.1", "accord:queue-safe:1", "accord:1"
INFO, WARN, BLOCK = Severity.INFO, Severity.WARN, Severity.BLOCK
GROUP = "message M { optional group G = 1 { optional int64 a = 1; } }"
IMPORTED = 'import "b.proto"; message M { q.B b = 1; }'
OLD_ENUM, MORE, OTHER = (f"enum B {{ Z = 0; {one} }}" for one in ("A = 1;", "A = 1; C = 2;", "A = 2;"))
# What Confluent's registry does not look at: the old text, the new one, the syntax, what is imported.
UNSEEN: dict[str, tuple[str, str, str, tuple[str, str]]] = {
    "a field in a new oneof, of another type": (
        "message M { int64 a = 1; }",
        "message M { oneof o { uint64 a = 1; } }",
        "proto3",
        ("", ""),
    ),
    "a field in a new oneof": (
        "message M { int64 a = 1; }",
        "message M { oneof o { int64 a = 1; } }",
        "proto3",
        ("", ""),
    ),
    "a oneof renamed": (
        "message M { oneof o { int32 a = 1; } }",
        "message M { oneof q { int32 a = 1; } }",
        "proto3",
        ("", ""),
    ),
    "a oneof renamed, its member of another type": (
        "message M { oneof o { int32 a = 1; } }",
        "message M { oneof q { int64 a = 1; } }",
        "proto3",
        ("", ""),
    ),
    "the content of a group": (GROUP, GROUP.replace("int64", "string"), "proto2", ("", "")),
    "a group that became a message": (
        "message N { optional int32 a = 1; } message M { optional group G = 1 { optional int32 a = 1; } }",
        "message N { optional int32 a = 1; } message M { optional N g = 1; }",
        "proto2",
        ("", ""),
    ),
    "an imported enum with a value more": (IMPORTED, IMPORTED, "proto3", (OLD_ENUM, MORE)),
    "an imported enum with another number": (IMPORTED, IMPORTED, "proto3", (OLD_ENUM, OTHER)),
}


def sides(name: str) -> list[Any]:
    """Both schemas of a change, the old one first."""
    old, new, syntax, imported = UNSEEN[name]
    head = f'syntax = "{syntax}";\n'
    return [
        schema_of(
            {"a.proto": f"{head}package p;\n{text}"}
            | ({"b.proto": f"{head}package q;\n{more}"} if more else {})
        )
        for text, more in zip((old, new), imported, strict=True)
    ]


def told(old: Any, new: Any, *, level: str = "BACKWARD", preset: str = CONFLUENT, **said: Any) -> Verdict:
    """What a policy makes of a change, queue-safe's warnings included."""
    policy = Policy(CONFLUENT_LEVELS[level], preset, also_warns=QUEUE_SAFE, **said)
    return judge(new, [HistoryEntry(1, old)], policy)


def rules(verdict: Verdict, *weights: Severity) -> list[str]:
    return sorted(one.rule for one in verdict.findings if one.severity in weights)


@pytest.mark.parametrize("level", ["BACKWARD", "FORWARD", "FULL", "FULL_TRANSITIVE"])
@pytest.mark.parametrize("name", UNSEEN)
def test_whatever_queue_safe_refuses_is_warned_of_once(name: str, level: str) -> None:
    old, new = sides(name)
    verdict = told(old, new, level=level)
    refused = judge(new, [HistoryEntry(1, old)], Policy(CONFLUENT_LEVELS[level], QUEUE_SAFE))
    assert verdict.is_allowed
    assert not refused.is_allowed
    assert rules(verdict, WARN) == rules(refused, BLOCK)
    told_of = Counter((one.rule, one.path, one.lost, one.name) for one in verdict.findings)
    assert set(told_of.values()) == {1} or level in {"FULL", "FULL_TRANSITIVE"}


def test_what_both_presets_tell_is_one_warning() -> None:
    old, new = (
        schema_of({"a.proto": f'syntax = "proto3"; message M {{ int32 {one} = 1; }}'}) for one in "ab"
    )
    verdict = told(old, new)
    assert Counter(one.rule for one in verdict.findings) == {"FIELD_SAME_NAME": 1, "FIELD_SAME_JSON_NAME": 1}
    assert rules(verdict, WARN) == ["FIELD_SAME_JSON_NAME", "FIELD_SAME_NAME"]


def test_what_the_first_preset_refuses_stays_refused() -> None:
    old, new = (
        schema_of({"a.proto": f'syntax = "proto3"; message M {{ {one} a = 1; }}'})
        for one in ("int32", "string")
    )
    verdict = told(old, new)
    assert rules(verdict, BLOCK) == ["FIELD_WIRE_COMPATIBLE_SCALAR"]
    assert rules(verdict, WARN) == ["FIELD_SAME_TYPE"]


def test_a_rule_that_the_policy_sets_is_the_own_business() -> None:
    old, new = sides("a oneof renamed")
    set_off = {"FIELD_SAME_ONEOF": Severity.OFF}
    assert rules(told(old, new), WARN) == ["FIELD_SAME_ONEOF"]
    assert rules(told(old, new, overrides=set_off), WARN) == []
    replaced = {"FIELD_SAME_ONEOF": "FIELD_SAME_PACKED"}
    assert rules(told(old, new, replacements=replaced), WARN) == []


def test_the_words_speak_of_the_direction_in_which_something_was_found() -> None:
    texts = [
        f'syntax = "proto3";\nmessage M {{\n  {one}\n}}\n'
        for one in ("int64 a = 1;", "int64 b = 2;\n  oneof o { uint64 a = 1; }")
    ]
    old, new = (schema_of({"schema.proto": one}) for one in texts)
    (comparison,) = explain(
        told(old, new, level="FORWARD"), Texts(new.format, texts[1], {1: texts[0]})
    ).comparisons
    (found,) = (one for one in comparison.findings if one.rule == "FIELD_SAME_TYPE")
    assert comparison.direction is Direction.FORWARD
    assert (found.new_at, found.old_at) == ((4, 13), (3, 3))
    assert found.sentence == "field a = 1 has type uint64 for the new schema and int64 for version 1"


def test_warnings_take_no_steps_from_the_verdict() -> None:
    numbers = range(1, 200)
    fields = ("".join(f"{one} f{number} = {number};" for number in numbers) for one in ("int32", "int64"))
    wide = [schema_of({"a.proto": f'syntax = "proto3"; message M {{ {one} }}'}) for one in fields]
    entry = HistoryEntry(1, wide[0])
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], CONFLUENT)
    whole = Budget()
    assert judge(wide[1], [entry], policy, budget=whole).is_allowed
    needed = whole.allowed - whole.left
    verdict = judge(wide[1], [entry], replace(policy, also_warns=QUEUE_SAFE), budget=Budget(needed, needed))
    assert verdict.is_allowed
    assert rules(verdict, WARN) == ["CHECK_TOO_LARGE"]
    none = judge(wide[1], [entry], replace(policy, also_warns=QUEUE_SAFE), budget=Budget(1, 1))
    assert rules(none, BLOCK) == ["CHECK_TOO_LARGE"]


def test_steps_can_be_given_again() -> None:
    old, new = sides("a oneof renamed")
    trials = Trials(new, [HistoryEntry(1, old)], budget=Budget(40, 40))
    trials.verdict(Policy(Level(), CONFLUENT, also_warns=QUEUE_SAFE))
    trials.refill()
    assert trials.budget.left == 40


@pytest.mark.parametrize("level", ["BACKWARD", "FORWARD", "FULL"])
def test_avro_is_judged_by_the_second_preset_as_well(level: str) -> None:
    old, new = (avro(record(("a", ["null", one]))) for one in ("int", "long"))
    verdict = told(old, new)
    assert verdict.is_allowed
    assert rules(verdict, WARN) == ["MISSING_UNION_BRANCH"]
    assert told(old, old, level=level).findings == ()


def test_objects_that_are_not_closed_are_warned_of() -> None:
    verdict = told(json_schema({"type": "object"}), json_schema({"type": "object"}))
    assert [(one.rule, one.severity) for one in verdict.own] == [("OBJECT_NOT_CLOSED", WARN)]


def test_a_frozen_level_says_all_there_is() -> None:
    old, new = sides("a oneof renamed")
    policy = Policy(Level(frozen=True), CONFLUENT, also_warns=QUEUE_SAFE)
    assert [one.rule for one in judge(new, [HistoryEntry(1, old)], policy).findings] == ["FROZEN"]


def test_a_preset_that_looks_both_ways_may_warn_beside_one_that_does_not() -> None:
    old, new = (
        schema_of({"a.proto": f'syntax = "proto3"; message M {{ }} {one}'}) for one in ("", "message N { }")
    )
    policy = Policy(CONFLUENT_LEVELS["FULL"], "buf:v2:WIRE", also_warns=CONFLUENT)
    (comparison,) = judge(new, [HistoryEntry(1, old)], policy).comparisons
    assert comparison.direction is Direction.BACKWARD
    assert [(one.rule, one.severity, one.is_turned) for one in comparison.findings] == [
        ("SCOPED_MESSAGE_NO_DELETE", WARN, True),
        ("MESSAGE_ADDED", WARN, False),
    ]


@pytest.mark.parametrize("name", UNSEEN)
def test_the_house_preset_warns_of_what_confluent_does_not_see(name: str) -> None:
    old, new = sides(name)
    verdict = judge(new, [HistoryEntry(1, old)], Policy(CONFLUENT_LEVELS["BACKWARD"], HOUSE))
    assert verdict.is_allowed
    assert bool(rules(verdict, WARN)) is not name.startswith("an imported enum")


def test_a_cell_set_over_the_house_preset_counts_wherever_that_looks() -> None:
    old, new = sides("a oneof renamed")
    for weight in (BLOCK, INFO):
        policy = Policy(CONFLUENT_LEVELS["BACKWARD"], HOUSE, overrides={"FIELD_SAME_ONEOF": weight})
        assert "FIELD_SAME_ONEOF" in rules(judge(new, [HistoryEntry(1, old)], policy), weight)


def test_the_house_preset_can_be_the_second() -> None:
    old, new = sides("a oneof renamed")
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], CONFLUENT, also_warns=HOUSE)
    assert "FIELD_SAME_ONEOF" in rules(judge(new, [HistoryEntry(1, old)], policy), WARN)


def test_an_unknown_second_preset_is_refused() -> None:
    with pytest.raises(InvalidPolicy, match="no preset 'x'"):
        Policy(Level(), CONFLUENT, also_warns="x")


def finding(rule: str, severity: Severity, **more: Any) -> Finding:
    return Finding(rule, severity, "/a", "", "", **more)


def test_findings_are_joined_by_rule_place_and_thing() -> None:
    own = (finding("A", INFO), finding("B", BLOCK))
    others = [finding("A", WARN), finding("B", WARN), finding("A", INFO, name="x"), finding("C", WARN)]
    weights = [(one.rule, one.name, one.severity) for one in joined(own, others)]
    assert weights == [("A", "", WARN), ("B", "", BLOCK), ("A", "x", INFO), ("C", "", WARN)]
    assert joined((), ()) == ()


def test_reasons_weigh_no_more_than_what_they_explain() -> None:
    inner = (finding("B", BLOCK), finding("C", INFO))
    made = weighed(finding("A", BLOCK, reasons=inner), WARN)
    assert [one.severity for one in (made, *made.reasons)] == [WARN, WARN, INFO]


def test_directions_are_told_once() -> None:
    turned, plain = finding("A", WARN, is_turned=True), finding("A", WARN)
    forward, backward = Direction.FORWARD, Direction.BACKWARD
    (alone,) = told_once([Comparison(forward, 1, (turned,))])
    assert alone.findings == (turned,)
    both = told_once([Comparison(forward, 1, (turned, plain)), Comparison(backward, 1, (plain,))])
    assert [one.findings for one in both] == [(plain,), (plain,)]
    (merged,) = told_once([Comparison(backward, 1, (plain, turned)), Comparison(backward, 1, (plain,))])
    assert merged.findings == (plain, turned)
