"""Messages string for string as Confluent's registry sends them."""

from __future__ import annotations

import pytest

from accord.formats import parse
from accord.model import Comparison, Direction, Finding, Format, SchemaText, Severity, Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Budget, HistoryEntry, Policy, judge
from accord.policy.confluent import messages
from tests.accord.avro_texts import avro, record, verdict
from tests.accord.stand_ins import ForeignSchema

SETTINGS = "{{validateFields: 'false', compatibility: '{}'}}"


def said(new: object, *olds: object, level: str = "BACKWARD") -> list[str]:
    """The messages for a candidate against versions 1, 2 and so on."""
    parsed = [avro(old, strict=False) for old in olds]
    texts: dict[int | None, str] = {number: old.canonical for number, old in enumerate(parsed, start=1)}
    return messages(verdict(avro(new, strict=False), *parsed, level=level), old_texts=texts, level_name=level)


def test_an_allowed_candidate_has_no_messages() -> None:
    assert said('"int"', '"int"', level="FULL") == []


def difference(kind: str, description: str, info: str) -> str:
    return f"{{errorType:'{kind}', description:'{description}', additionalInfo:'{info}'}}"


ENUM = {"type": "enum", "name": "E", "symbols": ["A"]}
# kind, reader, writer, description, additional information
KINDS = [
    (
        "READER_FIELD_MISSING_DEFAULT_VALUE",
        record(("f1", "int"), ("f2", "string")),
        record(("f1", "int")),
        (
            "The field 'f2' at path '/fields/1' in the new schema has no default value"
            " and is missing in the old schema"
        ),
        "f2",
    ),
    (
        "TYPE_MISMATCH",
        '"int"',
        '"string"',
        "The type (path '/') of a field in the new schema does not match with the old schema",
        "reader type: INT not compatible with writer type: STRING",
    ),
    (
        "NAME_MISMATCH",
        record(name="x.New"),
        record(name="x.Old"),
        "The name of the schema has changed (path '/name')",
        "expected: x.Old",
    ),
    (
        "MISSING_ENUM_SYMBOLS",
        ENUM,
        ENUM | {"symbols": ["C", "A", "B"]},
        "The new schema is missing enum symbols '[B, C]' at path '/symbols' in the old schema",
        "[B, C]",
    ),
    (
        "MISSING_UNION_BRANCH",
        ["null"],
        ["null", "int"],
        "The new schema is missing a type inside a union field at path '/1' in the old schema",
        "reader union lacking writer type: INT",
    ),
    (
        "FIXED_SIZE_MISMATCH",
        {"type": "fixed", "name": "F", "size": 8},
        {"type": "fixed", "name": "F", "size": 4},
        ("The size of FIXED type field at path '/size' in the new schema does not match with the old schema"),
        "expected: 4, found: 8",
    ),
]


@pytest.mark.parametrize(("kind", "new", "old", "description", "info"), KINDS)
def test_each_kind_has_its_words(kind: str, new: object, old: object, description: str, info: str) -> None:
    text = avro(old).canonical
    assert said(new, old) == [
        difference(kind, description, info),
        "{oldSchemaVersion: 1}",
        f"{{oldSchema: '{text}'}}",
        SETTINGS.format("BACKWARD"),
    ]


def test_forward_swaps_the_labels() -> None:
    assert said('"int"', '"string"', level="FORWARD") == [
        difference(
            "TYPE_MISMATCH",
            "The type (path '/') of a field in the old schema does not match with the new schema",
            "reader type: STRING not compatible with writer type: INT",
        ),
        "{oldSchemaVersion: 1}",
        "{oldSchema: '\"string\"'}",
        SETTINGS.format("FORWARD"),
    ]


def heads(lines: list[str]) -> list[str]:
    return [line.split(":")[0].strip("{") for line in lines]


def test_full_says_forward_then_backward_then_the_old_schema_once() -> None:
    lines = said('"int"', '"string"', level="FULL")
    assert heads(lines) == ["errorType", "errorType", "oldSchemaVersion", "oldSchema", "validateFields"]
    assert "in the old schema does not match with the new" in lines[0]
    assert "in the new schema does not match with the old" in lines[1]


def test_full_that_fails_forward_only_carries_no_old_schema() -> None:
    assert heads(said('"long"', '"int"', level="FULL")) == ["errorType", "validateFields"]


def test_full_that_fails_backward_only_carries_it() -> None:
    lines = said('"int"', '"long"', level="FULL_TRANSITIVE")
    assert heads(lines) == ["errorType", "oldSchemaVersion", "oldSchema", "validateFields"]


def test_the_failing_version_is_named() -> None:
    lines = said('"int"', '"string"', '"int"', level="BACKWARD_TRANSITIVE")
    assert lines[1:3] == ["{oldSchemaVersion: 1}", "{oldSchema: '\"string\"'}"]


def long_doc(length: int) -> dict[str, object]:
    bare = len(avro(record(("a", "string"), doc="")).canonical)
    return record(("a", "string"), doc="d" * (length - bare))


def test_a_long_old_schema_is_cut_at_10240_characters() -> None:
    new = record(("a", "int"))
    exact, longer = avro(long_doc(10240)).canonical, avro(long_doc(10241)).canonical
    assert said(new, long_doc(10240))[2] == f"{{oldSchema: '{exact}'}}"
    assert said(new, long_doc(10241))[2] == f"{{oldSchema: <truncated> '{longer[:10240]}...'}}"


def test_versions_without_number_or_text_are_left_out() -> None:
    history = [HistoryEntry(None, avro('"string"'))]
    found = judge(avro('"int"'), history, Policy(CONFLUENT_LEVELS["BACKWARD"]))
    assert heads(messages(found, old_texts={}, level_name="BACKWARD")) == ["errorType", "validateFields"]


def test_validate_fields_is_shown_as_set() -> None:
    lines = messages(
        verdict(avro('"int"'), avro('"string"')), old_texts={}, level_name="BACKWARD", validate_fields=True
    )
    assert lines[-1] == "{validateFields: 'true', compatibility: 'BACKWARD'}"


def test_bare_sentences() -> None:
    ambiguous = record({"name": "a", "type": "int", "aliases": ["b"]})
    first = said(ambiguous, record(("a", "int"), ("b", "int")))[0]
    assert first.startswith("Unexpected exception during compatibility check: Reader record field a matches")
    other = verdict(avro('"int"'), ForeignSchema("{}", Format.JSON))
    lines = messages(other, old_texts={}, level_name="BACKWARD")
    assert lines[0] == "Incompatible because of different schema type"


def test_names_are_filled_in_as_they_are() -> None:
    lines = said(record(("pct_s", "int"), name="R"), record())
    assert "'pct_s'" in lines[0]
    odd = Finding("TYPE_MISMATCH", Severity.BLOCK, "/", "100 %s {reader}", "m", location="/{x}%d")
    found = Verdict((Comparison(Direction.BACKWARD, None, (odd,)),))
    assert messages(found, old_texts={}, level_name="FULL")[0] == (
        "{errorType:'TYPE_MISMATCH', description:'The type (path '/{x}%d') of a field in the new schema does"
        " not match with the old schema', additionalInfo:'100 %s {reader}'}"
    )


def test_findings_that_only_warn_are_left_out_and_our_own_rules_use_their_sentence() -> None:
    warn = Finding("NAMESPACE_CHANGED", Severity.WARN, "/name", "expected: a.R", "w", location="/name")
    block = Finding(
        "NAMESPACE_CHANGED", Severity.BLOCK, "/name", "expected: a.R", "moved", "/name", writer="a.R"
    )
    found = Verdict((Comparison(Direction.BACKWARD, 1, (warn, block)),))
    assert messages(found, old_texts={}, level_name="FULL")[0] == (
        "{errorType:'NAMESPACE_CHANGED', description:'At path '/name': moved; what to do: set the full name"
        ' back to a.R, or add "aliases": ["a.R"]\', additionalInfo:\'expected: a.R\'}'
    )
    assert len(messages(found, old_texts={}, level_name="FULL")) == 3


def test_our_own_rules_name_the_sides_and_who_asks() -> None:
    new, old = (record({"name": "a", "type": "int", "default": default}, name="R") for default in (2, 1))
    policy = Policy(CONFLUENT_LEVELS["FULL"], "accord:queue-safe:1")
    found = judge(avro(new), [HistoryEntry(1, avro(old))], policy)
    line = messages(found, old_texts={}, level_name="FULL", asked_by=str.lower)[0]
    assert line.startswith("{errorType:'FIELD_DEFAULT_CHANGED', description:'At path '/fields/0")
    assert "the old schema has the default 1 for field a, the new schema has the default 2" in line
    assert "; what to do: set the default of field a back: " in line
    assert "(asked by field_default_changed)'" in line


@pytest.mark.parametrize(
    ("format_", "words"), [(Format.AVRO, "unions of records"), (Format.JSON, "lists of oneOf")]
)
def test_a_check_that_is_too_large_says_what_to_shorten(format_: Format, words: str) -> None:
    schema = parse(SchemaText(format_, '{"type": "string"}'))
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"])
    found = judge(schema, [HistoryEntry(1, schema)], policy, budget=Budget(1, 1))
    line = messages(found, old_texts={}, level_name="BACKWARD")[0]
    assert "the comparison takes more than 1 steps, and one check may take no more; what to do:" in line
    assert f"split the schema, or shorten its {words}" in line


def test_a_place_in_a_long_chain_is_cut_in_the_middle() -> None:
    finding = Finding("TYPE_MISMATCH", Severity.BLOCK, "/", "", "m", location="/fields/0" * 9_000)
    found = Verdict((Comparison(Direction.BACKWARD, None, (finding,)),))
    assert len(messages(found, old_texts={}, level_name="FULL")[0]) < 1_300


def required(count: int) -> dict[str, object]:
    return record(*[(f"f{number}", "int") for number in range(count)])


def test_a_thousand_findings_are_quoted_and_the_rest_is_counted() -> None:
    said_of_all = said(required(1_001), required(1), level="BACKWARD")
    said_of_more = said(required(20_000), required(1), level="BACKWARD")
    assert "more" not in said_of_all[999]
    assert said_of_more[:1_000] == said_of_all[:1_000]
    assert said_of_more[1_000] == "... and 18999 more"
    assert said_of_more[1_001:] == said_of_all[1_000:]
    assert said_of_all[1_000] == "{oldSchemaVersion: 1}"


def test_one_count_covers_both_directions() -> None:
    both = said(required(1_501), record(("z", "int")), level="FULL")
    assert "'z'" in both[0]
    assert both[1_000] == "... and 502 more"
    assert [line[:10] for line in both[1_001:]] == ["{oldSchema", "{oldSchema", "{validateF"]


def test_long_findings_are_quoted_until_there_is_enough_of_them() -> None:
    symbols = [f"symbol{number}" for number in range(20_000)]
    fields = [("f0", {**ENUM, "symbols": symbols}), *((f"f{number}", "E") for number in range(1, 9))]
    lines = said(record(("f0", ENUM), *fields[1:]), record(*fields))
    assert lines[3] == "... and 6 more"
    assert sum(map(len, lines)) < 2_000_000
