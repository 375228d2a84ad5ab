"""Presets of Protobuf that have no column in the golden table, and what policies make of presets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.model import Direction, Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.besides import looking
from accord.policy.explanation import sentence_of
from accord.policy.ignoring import Ignored
from accord.policy.preset_matrix import judged_by_all
from accord.policy.remedies import remedy
from accord.rules.presets import PRESETS, presets_of
from tests.accord.protobuf_texts import schema_of

if TYPE_CHECKING:
    from accord.model import Format, Verdict

QUEUE_SAFE, STRICT = "accord:queue-safe:1", "accord:strict:1"
BLOCK, WARN, OFF = Severity.BLOCK, Severity.WARN, Severity.OFF


def verdict(old: str, new: str, policy: Policy | str, syntax: str = "proto3") -> Verdict:
    """Judge two bodies of a file."""
    texts = [{"a.proto": f'syntax = "{syntax}";\npackage p;\n{one}'} for one in (old, new)]
    rules = policy if isinstance(policy, Policy) else Policy(CONFLUENT_LEVELS["BACKWARD"], policy)
    return judge(schema_of(texts[1]), [HistoryEntry(1, schema_of(texts[0]))], rules)


def said(old: str, new: str, policy: Policy | str, syntax: str = "proto3") -> Severity:
    """The gravest weight of what is found."""
    weights = [one.severity for one in verdict(old, new, policy, syntax).findings]
    return max(weights, key=list(Severity).index, default=OFF)


def field(text: str) -> str:
    """A message of one field, with a message and an enum beside it."""
    return f"message M {{ {text} }} message N {{ optional int32 x = 1; }} enum E {{ A = 0; }}"


@pytest.mark.parametrize(
    ("old", "new", "preset", "weight"),
    [
        (
            "oneof o { int32 a = 1; } int32 b = 2;",
            "oneof o { int32 a = 1; int32 b = 2; }",
            "confluent:7.4",
            OFF,
        ),
        ("int32 a = 1;", "sint32 a = 1;", "confluent:7.4", BLOCK),
        ("int32 a = 1;", "", "karapace:protopace", OFF),
        ("oneof o { int32 a = 1; }", "", "karapace:protopace", BLOCK),
        ("int32 a = 1;", "int32 b = 1;", "karapace:protopace", OFF),
        ("int32 a = 1;", "int64 a = 1;", "karapace:protopace", BLOCK),
        ("map<int32, string> m = 1;", "reserved 1;", "redpanda:26.1", OFF),
        ("map<int32, string> m = 1;", "reserved 1;", "redpanda:24.2", BLOCK),
        ("int32 a = 1;", "int32 b = 1;", "protolock:2024-02:not-strict", BLOCK),
        ("reserved 2;", "", "protolock:2024-02:not-strict", OFF),
        ("reserved 2;", "", "protolock:2024-02", BLOCK),
        ("int32 a = 1;", "string a = 1;", "pulsar:root", OFF),
        ("int32 a = 1;", "int64 a = 1;", "buf:v1:WIRE", OFF),
        ("int32 a = 1;", "int64 a = 1;", "buf:v1:WIRE_JSON", BLOCK),
        ("int32 a = 1;", "optional int32 a = 1;", "buf:v1:PACKAGE", BLOCK),
        ("int32 a = 1;", "optional int32 a = 1;", "buf:v1:FILE", BLOCK),
        ("int32 a = 1;", "int64 a = 1;", "protobuf.dev:binary", WARN),
        ("int32 a = 1;", "int32 a = 2;", "protobuf.dev:binary", BLOCK),
        ("string a = 1;", "repeated string a = 1;", "protobuf.dev:binary", WARN),
        ("int32 a = 1;", "repeated int32 a = 1;", "protobuf.dev:binary", BLOCK),
        ("N a = 1;", "bytes a = 1;", "protobuf.dev:binary", WARN),
        ("string a = 1;", "bytes a = 1;", "protobuf.dev:binary", WARN),
        ("string a = 1;", "bytes a = 1;", "protobuf.dev:json", BLOCK),
        ("int32 a = 1;", "int64 a = 1;", "protobuf.dev:json", WARN),
        ("int32 a = 1;", "int32 a = 2;", "protobuf.dev:json", WARN),
        ("E a = 1;", "string a = 1;", "protobuf.dev:json", WARN),
        ("N a = 1;", "bytes a = 1;", "protobuf.dev:json", BLOCK),
    ],
)
def test_a_preset_without_a_column_is_what_its_source_says(
    old: str, new: str, preset: str, weight: Severity
) -> None:
    found = said(field(old), field(new), preset)
    assert (found if found is not Severity.INFO else OFF) is weight


def test_a_default_is_a_rule_of_the_second_version_of_buf_alone() -> None:
    old, new = (f"message M {{ optional int32 a = 1 [default = {one}]; }}" for one in (1, 2))
    assert said(old, new, "buf:v1:FILE", "proto2") is OFF
    assert said(old, new, "buf:v2:FILE", "proto2") is BLOCK


KEPT = "int32 a = 1;"
QUEUE_SAFE_TABLE = [
    (KEPT, f"{KEPT} string b = 2;", OFF),
    (f"{KEPT} string b = 2;", f'{KEPT} reserved 2; reserved "b";', OFF),
    (f"{KEPT} string b = 2;", f"{KEPT} reserved 2;", BLOCK),
    (f"{KEPT} string b = 2;", KEPT, BLOCK),
    ('reserved 1; reserved "a";', KEPT, BLOCK),
    ("int64 a = 1;", "uint64 a = 1;", BLOCK),
    ("int32 a = 1;", "int64 a = 1;", BLOCK),
    ("string a = 1;", "bytes a = 1;", BLOCK),
    ("int32 a = 1;", "oneof o { int32 a = 1; }", BLOCK),
    ("int32 a = 1;", "optional int32 a = 1;", BLOCK),
    ("int32 a = 1;", "int32 b = 1;", BLOCK),
    ("E a = 1;", "int32 a = 1;", BLOCK),
]


@pytest.mark.parametrize("level", ["BACKWARD", "FORWARD", "FULL_TRANSITIVE"])
@pytest.mark.parametrize(("old", "new", "weight"), QUEUE_SAFE_TABLE)
def test_queue_safe_lets_optional_fields_come_and_go(
    old: str, new: str, weight: Severity, level: str
) -> None:
    policy = Policy(CONFLUENT_LEVELS[level], QUEUE_SAFE)
    assert said(field(old), field(new), policy) is weight


def test_strict_keeps_what_code_is_generated_from_as_well() -> None:
    old, new = field(f"{KEPT} string b = 2;"), field(f'{KEPT} reserved 2; reserved "b";')
    assert (said(old, new, QUEUE_SAFE), said(old, new, STRICT)) == (OFF, BLOCK)
    assert said(old, f'option go_package = "x"; {old}', STRICT) is BLOCK
    assert said(old, f"{old} message Added {{}}", STRICT) is OFF


def test_stencil_forbids_other_deletions_looking_forward() -> None:
    old, new = field(f"{KEPT} string b = 2;"), field(f'{KEPT} reserved 2; reserved "b";')
    weights = [
        said(old, new, Policy(CONFLUENT_LEVELS[level], "stencil:2025-03"))
        for level in ("BACKWARD", "FORWARD", "FULL")
    ]
    assert weights == [BLOCK, OFF, BLOCK]


def test_confluent_turns_the_sides_round_and_buf_does_not() -> None:
    old, new = f"{field(KEPT)} message Gone {{}}", field(KEPT)
    forward = CONFLUENT_LEVELS["FORWARD"]
    assert said(old, new, Policy(forward, "confluent:8.1")) is not BLOCK
    assert said(new, old, Policy(forward, "confluent:8.1")) is BLOCK
    assert said(old, new, Policy(forward, "buf:v2:FILE")) is BLOCK
    both = verdict(old, new, Policy(CONFLUENT_LEVELS["FULL"], "buf:v2:FILE"))
    assert len(both.comparisons) == 1


def test_wire_json_with_the_types_of_wire() -> None:
    mixed = Policy(
        CONFLUENT_LEVELS["BACKWARD"],
        "buf:v2:WIRE_JSON",
        overrides={"FIELD_WIRE_COMPATIBLE_TYPE": BLOCK, "FIELD_WIRE_JSON_COMPATIBLE_TYPE": OFF},
    )
    assert said(field("int32 a = 1;"), field("int64 a = 1;"), mixed) is OFF
    assert said(field("int32 a = 1;"), field("string a = 1;"), mixed) is BLOCK
    assert said(field("int32 a = 1;"), field("int32 b = 1;"), mixed) is BLOCK


@pytest.mark.parametrize(
    ("ignored", "package", "weight"),
    [
        (Ignored(), "p.v1beta1", BLOCK),
        (Ignored(unstable=True), "p.v1beta1", OFF),
        (Ignored(unstable=True), "p.v1p2alpha", OFF),
        (Ignored(unstable=True), "p.v1testing", OFF),
        (Ignored(unstable=True), "v1beta1", BLOCK),
        (Ignored(unstable=True), "p.v1", BLOCK),
        (Ignored(packages=("p",)), "p.v1", OFF),
        (Ignored(packages=("p.v",)), "p.v1", BLOCK),
        (Ignored(paths=("dir/",)), "p.v1", OFF),
        (Ignored(paths=("dir/a.proto",)), "p.v1", OFF),
        (Ignored(paths=("di",)), "p.v1", BLOCK),
    ],
)
def test_files_and_packages_may_be_ignored(ignored: Ignored, package: str, weight: Severity) -> None:
    texts = [
        f'syntax = "proto3"; package {package}; {field(one)}' for one in ("int32 a = 1;", "string a = 1;")
    ]
    sides = [schema_of({"dir/a.proto": text}) for text in texts]
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], "buf:v2:WIRE", ignored=ignored)
    found = judge(sides[1], [HistoryEntry(1, sides[0])], policy).findings
    assert max((one.severity for one in found), key=list(Severity).index, default=OFF) is weight


def test_one_change_is_judged_by_every_preset() -> None:
    old, new = (
        schema_of({"a.proto": f'syntax = "proto3"; message M {{ {one} a = 1; }}'})
        for one in ("int64", "uint64")
    )
    matrix = judged_by_all(new, [HistoryEntry(1, old)], CONFLUENT_LEVELS["BACKWARD"])
    assert list(matrix) == list(PRESETS)
    assert (matrix["confluent:8.1"].is_allowed, matrix[QUEUE_SAFE].is_allowed) == (True, False)
    assert matrix["confluent:8.1"].deciding == ()
    assert matrix[QUEUE_SAFE].deciding == ("FIELD_SAME_TYPE",)
    assert matrix["protobuf.dev:binary"].heaviest is WARN
    named = judged_by_all(new, [], CONFLUENT_LEVELS["NONE"], presets=["buf:v2:FILE"])
    assert [(one.preset, one.heaviest) for one in named.values()] == [("buf:v2:FILE", OFF)]


@pytest.mark.parametrize("format_", [None, "AVRO", "JSON"])
def test_presets_of_one_format_are_not_shown_in_others(format_: Format | None) -> None:
    assert "buf:v2:FILE" not in presets_of(format_)
    assert PRESETS["buf:v2:FILE"]["TYPE_MISMATCH"] is BLOCK


def test_advice_names_the_option_and_its_value() -> None:
    old, new = (f'option go_package = "{one}"; {field(KEPT)}' for one in ("x/a", "x/b"))
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], "buf:v2:FILE")
    (comparison,) = verdict(old, new, policy).comparisons
    advice = remedy(comparison.findings[0], comparison.direction, "version 1")
    assert advice == "set the option go_package back to x/a"


PAIRS = "message P { string key = 1; %s value = 2; }"


@pytest.mark.parametrize(
    ("pairs", "preset", "weight"),
    [
        (PAIRS % "int32", "protobuf.dev:binary", WARN),
        (PAIRS % "int64", "protobuf.dev:binary", BLOCK),
        ("message P { string key = 1; }", "protobuf.dev:binary", BLOCK),
        ("message P { string key = 1; repeated int32 value = 2; }", "protobuf.dev:binary", BLOCK),
        (PAIRS % "int32", "protobuf.dev:json", BLOCK),
    ],
)
def test_a_map_is_a_list_of_its_entries_on_the_wire(pairs: str, preset: str, weight: Severity) -> None:
    """Source: protobuf-rules, 1.9."""
    texts = [f"message M {{ {one} }} {pairs}" for one in ("map<string, int32> a = 1;", "repeated P a = 1;")]
    assert {said(old, new, preset) for old, new in (texts, texts[::-1])} == {weight}


RANGE = "message M { extensions 100 to 200; } extend M { %s }"
COMPARES_EXTENSIONS = {name for name in PRESETS if name.startswith(("buf:", "protobuf.dev:", "accord:"))}


def test_extensions_are_compared_where_their_source_does_so() -> None:
    kinds = ("optional int64 e = 100;", "optional string e = 100;")
    old, new = (RANGE % one for one in kinds)
    seen = {
        name
        for name in PRESETS
        if any("type" in one.path for one in verdict(old, new, name, "proto2").findings)
    }
    assert seen == COMPARES_EXTENSIONS | {"karapace:protopace"}


def test_a_custom_option_may_get_another_type_under_confluents_presets() -> None:
    head = (
        'import "google/protobuf/descriptor.proto"; extend google.protobuf.FieldOptions { %s owner = 50001; }'
    )
    for preset in ("confluent:8.1", "confluent:7.4", "confluent:next", "karapace:2026-06", "redpanda:26.1"):
        assert said(head % "int64", head % "string", preset) is OFF


@pytest.mark.parametrize("preset", [QUEUE_SAFE, STRICT])
def test_an_extension_stays_since_nothing_reserves_its_number(preset: str) -> None:
    old, new = (RANGE % one for one in ("optional int64 e = 100;", "optional int64 f = 101;"))
    assert "EXTENSION_NO_DELETE" in {one.rule for one in verdict(old, new, preset, "proto2").findings}
    assert (
        said(
            RANGE % "optional int64 e = 100;",
            RANGE % "optional int64 e = 100; optional int32 f = 101;",
            preset,
            "proto2",
        )
        is OFF
    )


@pytest.mark.parametrize(
    ("preset", "weight"),
    [
        ("confluent:8.1", OFF),
        ("confluent:7.4", OFF),
        ("confluent:next", OFF),
        ("redpanda:26.1", BLOCK),
        ("pulsar:2026", BLOCK),
        ("protobuf.dev:binary", BLOCK),
        (QUEUE_SAFE, BLOCK),
    ],
)
def test_no_text_of_an_edition_has_the_label_required(preset: str, weight: Severity) -> None:
    """Source: protobuf-rules, 0.2."""
    required = "int32 a = 1 [features.field_presence = LEGACY_REQUIRED];"
    old, new = (
        schema_of({"a.proto": f'edition = "2023"; package p; message M {{ {one} }}'})
        for one in ("", required)
    )
    for level, sides in (("BACKWARD", (old, new)), ("FORWARD", (new, old))):
        found = judge(sides[1], [HistoryEntry(1, sides[0])], Policy(CONFLUENT_LEVELS[level], preset)).findings
        weights = [one.severity for one in found if one.rule.startswith("REQUIRED_FIELD")]
        if level == "BACKWARD" or PRESETS[preset]["REQUIRED_FIELD_REMOVED"] is BLOCK:
            assert max(weights, key=list(Severity).index, default=OFF) is weight


@pytest.mark.parametrize("preset", ["confluent:8.1", "confluent:7.4", "confluent:next", "karapace:2026-06"])
def test_groups_are_no_members_of_a_oneof_where_texts_are_compared(preset: str) -> None:
    """Source: protobuf-rules, 0.2."""
    group = "group G = 1 { optional int64 a = 1; }"
    with_group, without = (f"message M {{ oneof o {{ {one} int32 b = 2; }} }}" for one in (group, ""))
    for old, new in ((with_group, without), (without, with_group)):
        assert said(old, new, preset, "proto2") in {OFF, Severity.INFO}
    outside = f"message M {{ optional {group} oneof o {{ int32 b = 2; }} }}"
    assert said(outside, with_group, preset, "proto2") in {OFF, Severity.INFO}
    assert said(with_group, without, "redpanda:26.1", "proto2") is BLOCK


def test_pulsar_stops_at_the_first_finding_that_refuses() -> None:
    """Source: protobuf-rules, 1.8 and P9."""
    old, new = (
        "message M { int32 a = 1; int32 b = 2; int32 c = 3; }",
        "message M { int32 x = 1; int32 b = 4; int32 c = 5; }",
    )
    assert [one.rule for one in verdict(old, new, "pulsar:2026").findings] == ["FIELD_SAME_NUMBER"]
    retyped = "message M { int64 a = 1; int32 b = 4; int32 c = 5; }"
    assert [one.severity for one in verdict(old, retyped, "pulsar:pip-246").findings] == [WARN, BLOCK]
    assert [
        one.severity for one in verdict(old, old.replace("int32 a", "int64 a"), "pulsar:pip-246").findings
    ] == [WARN]


ADDED = ("message M { int32 a = 1; }", "message M { int32 a = 1; int32 b = 2; }")


@pytest.mark.parametrize(
    ("sides", "preset", "rule", "sentence", "advice"),
    [
        (
            ADDED,
            "apicurio:3.3",
            "FIELD_NO_DELETE_UNLESS_NAME_AND_NUMBER_RESERVED",
            "the new schema has field b = 2, the old schema neither has it nor reserves its name and number",
            "leave b = 2 out until every reader has it",
        ),
        (
            ADDED,
            "confluent:8.1",
            "FIELD_NO_DELETE",
            "the new schema has field b = 2, the old schema does not",
            "leave b = 2 out until every reader has it",
        ),
        (
            ("message M { }", "message M { reserved 2; }"),
            "apicurio:3.3",
            "RESERVED_MESSAGE_NO_DELETE",
            "message M of the old schema does not reserve 2",
            "reserve no more than version 1 does",
        ),
        (
            (ADDED[1], "message M { int32 a = 1; reserved 2; }"),
            "apicurio:3.3",
            "FIELD_NO_REUSE_OF_RESERVED",
            "b of the old schema uses 2, which the new schema reserves",
            "reserve nothing that version 1 uses",
        ),
        (
            ("message M { oneof o { int32 a = 1; int32 b = 2; } }", "message M { oneof o { int32 a = 1; } }"),
            "confluent:8.1",
            "ONEOF_FIELD_ADDED",
            "member b of the oneof is new",
            "put b back into its oneof",
        ),
        (
            ADDED[::-1],
            "stencil:2025-03",
            "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED",
            "the old schema has field b = 2, the new schema neither has it nor reserves its number",
            "add `reserved` with the number of b = 2",
        ),
    ],
)
def test_looking_forward_speaks_of_what_was_done(
    sides: tuple[str, str], preset: str, rule: str, sentence: str, advice: str
) -> None:
    (comparison,) = verdict(*sides, Policy(CONFLUENT_LEVELS["FORWARD"], preset)).comparisons
    (finding,) = (one for one in comparison.findings if one.rule == rule)
    assert comparison.direction is Direction.FORWARD
    direction = looking(finding, comparison.direction)
    assert sentence_of(finding, direction) == sentence
    assert remedy(finding, direction, "version 1") == advice
