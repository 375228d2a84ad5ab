"""Policy texts become documents, or all their problems at once."""

from __future__ import annotations

import pytest

from accord.formats import Limits
from accord.model import Format, Level, Severity
from accord.model.levels import ALL, CONFLUENT_LEVELS
from accord.policy.documents import JudgedAs, PolicyDocument, read_document
from accord.rules import parameters
from accord.rules.parameters import Parameter, ParameterType

WHOLE = """
name: payments
description: Who pays, and what.
default:
  level: {backward: all}
  locked: true
  naming: {types: "[A-Z]\\\\w*", severity: WARN}
  required: {docs: [record, field], owners: [owner]}
  limits: {bytes: 2000}
formats:
  avro:
    preset: confluent
    also_warns: accord:1
    rules:
      NAME_MISMATCH: off
      NAMESPACE_CHANGED: {judged_as: NAME_MISMATCH}
      TYPE_MISMATCH: {severity: warn}
  json:
    transform: optional-friendly
  protobuf: {}
"""


def problems(text: str, *, is_json: bool = False) -> list[str]:
    """What is wrong with a text, each with its place."""
    read = read_document(text, is_json=is_json)
    assert (read.document is None) is bool(read.problems)
    return [str(one) for one in read.problems]


def test_a_whole_document() -> None:
    read = read_document(WHOLE)
    assert read.problems == ()
    assert read.document == PolicyDocument(
        "payments",
        "Who pays, and what.",
        {
            "level": Level(ALL),
            "limits.bytes": 2000,
            "locked": True,
            "naming.severity": Severity.WARN,
            "naming.types": "[A-Z]\\w*",
            "required.docs": ("record", "field"),
            "required.owners": ("owner",),
        },
        {
            Format.AVRO: {
                "also_warns": "accord:1",
                "preset": "confluent",
                "rules.NAMESPACE_CHANGED": JudgedAs("NAME_MISMATCH"),
                "rules.NAME_MISMATCH": Severity.OFF,
                "rules.TYPE_MISMATCH": Severity.WARN,
            },
            Format.JSON: {"transform.name": "optional-friendly"},
        },
    )


@pytest.mark.parametrize("written", ["off", "Off", "OFF", "'off'", '"off"'])
def test_off_is_a_severity_and_no_flag(written: str) -> None:
    read = read_document(f"name: ab\ndefault: {{rules: {{NAME_MISMATCH: {written}}}}}")
    assert read.document is not None
    assert read.document.default == {"rules.NAME_MISMATCH": Severity.OFF}


@pytest.mark.parametrize("written", ["NONE", "none", "None", "'NONE'"])
def test_none_is_a_level(written: str) -> None:
    read = read_document(f"name: ab\ndefault:\n  level: {written}")
    assert read.document is not None
    assert read.document.default == {"level": CONFLUENT_LEVELS["NONE"]}


def section(text: str) -> list[str]:
    """What is wrong with one line of ``default``."""
    return [one.partition("default.")[2] for one in problems(f"name: ab\ndefault:\n  {text}\n")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("level: null", "level: there is no level; write NONE to allow every change"),
        ("level: ~", "level: there is no level; write NONE to allow every change"),
        ("level:", "level: there is no level; write NONE to allow every change"),
        ("level: no", "level: there is no level 'no'; write one of the seven names"),
        ("level: [FULL]", "level: a list or an object stands here; write a level"),
        ("level: {backward: {till: 010}}", "level: a side of a level is latest, all or"),
        ("level: {backward: {till: 2, x: 1}}", "level: a side of a level is latest, all or"),
        ("level: {forward: null}", "level: a side of a level is latest, all or"),
        ("locked: yes", "locked: a flag is true or false"),
        ("locked: 'true'", "locked: a flag is true or false"),
        ("limits: {depth: 010}", "limits.depth: write a whole number from 1 to 160, in plain digits"),
        ("limits: {depth: 1:30}", "limits.depth: write a whole number"),
        ("limits: {depth: 1_0}", "limits.depth: write a whole number"),
        ("limits: {depth: '10'}", "limits.depth: write a whole number"),
        ("limits: {depth: [1]}", "limits.depth: write a whole number"),
        ("limits: {depth: 0}", "limits.depth: 0 is too small; write at least 1"),
        ("limits: {depth: 161}", "limits.depth: 161 is more than allowed; write at most 160"),
        ("limits: {deep: 1}", "limits.deep: there is no member 'deep' here; did you mean depth?"),
        ("limits: 5", "limits: an object belongs here, with any of bytes, depth, fields"),
        ("naming: {types: '(a'}", "naming.types: the pattern is not RE2 syntax (missing ): (a)"),
        ("naming: {types: '(?=a)'}", "naming.types: the pattern is not RE2 syntax (invalid perl operator"),
        (f"naming: {{types: '{'a' * 301}'}}", "naming.types: the pattern is longer than 300 characters"),
        ("naming: {types: null}", "naming.types: there is no value; give one, or leave the member out"),
        ('naming: {types: "a\\0"}', "naming.types: the text holds a control character"),
        ("naming: {severity: of}", "naming.severity: there is no 'of' here; did you mean off?"),
        ("ignored: {paths: [a]}", "ignored: there is no member 'ignored' here"),
        ("required: {docs: record}", "required.docs: write a list of at most 50 words"),
        ("required: {docs: [record, record]}", "required.docs[1]: 'record' is given twice"),
        ("required: {docs: [symbol]}", "required.docs[0]: there is no 'symbol' here; write one of enum,"),
        ("required: {owners: ['']}", "required.owners[0]: '' does not do; write the name of a metadata"),
        ("preset: conflunt", "preset: there is no preset 'conflunt'; did you mean confluent?"),
        ("preset: none", "preset: there is no preset 'none'"),
        ("transform: optional-friendly", "transform: there is no member 'transform' here"),
        ("rules: off", "rules: an object belongs here, with the ids of rules"),
        ("rules: {FOO: warn}", "rules.FOO: there is no rule 'FOO' here; write one of "),
        ("rules: {name_mismatch: warn}", "rules.name_mismatch: there is no rule 'name_mismatch' here; did"),
        ("rules: {CHECK_TOO_LARGE: off}", "rules.CHECK_TOO_LARGE: the rule CHECK_TOO_LARGE always blocks"),
        ("rules: {NAME_PATTERN: off}", "rules.NAME_PATTERN: the rule NAME_PATTERN weighs what naming"),
        (
            "rules: {DIFFERENT_SCHEMA_TYPE: [off]}",
            "rules.DIFFERENT_SCHEMA_TYPE: an object belongs here, with any of judged_as,",
        ),
        (
            "rules: {DIFFERENT_SCHEMA_TYPE: {judged_as: DIFFERENT_SCHEMA_TYPE}}",
            "rules.DIFFERENT_SCHEMA_TYPE.judged_as: 'DIFFERENT_SCHEMA_TYPE' is no other rule",
        ),
        (
            "rules: {DIFFERENT_SCHEMA_TYPE: {judged_as: }}",
            "rules.DIFFERENT_SCHEMA_TYPE.judged_as: there is no value",
        ),
        (
            "rules: {DIFFERENT_SCHEMA_TYPE: {judged_as: TYPE_MISMATCH, severity: off}}",
            "rules.DIFFERENT_SCHEMA_TYPE.judged_as: a rule has a severity or is judged as another;",
        ),
        (
            "rules: {DIFFERENT_SCHEMA_TYPE: {parameters: {a: 1}}}",
            "rules.DIFFERENT_SCHEMA_TYPE.parameters.a: there is no member 'a' here; write one of ignore",
        ),
        (
            "rules: {DIFFERENT_SCHEMA_TYPE: {parameters: {ignore: [a]}}}",
            "rules.DIFFERENT_SCHEMA_TYPE.parameters.ignore[0]: 'a' does not do: a place begins with /",
        ),
        (
            "rules: {DIFFERENT_SCHEMA_TYPE: {parameters: {ignore: [1]}}}",
            "rules.DIFFERENT_SCHEMA_TYPE.parameters.ignore[0]: '1' does not do: a place begins with /",
        ),
        (
            "rules: {DIFFERENT_SCHEMA_TYPE: {parameters: {ignore: [[]]}}}",
            "rules.DIFFERENT_SCHEMA_TYPE.parameters.ignore[0]: a list or an object stands here; write a",
        ),
    ],
)
def test_what_is_wrong_in_a_section_is_named_with_what_to_change(text: str, problem: str) -> None:
    assert [one[: len(problem)] for one in section(text)] == [problem]


def test_rules_of_another_format_are_not_rules_here() -> None:
    text = "name: ab\nformats: {json: {rules: {NAME_MISMATCH: off}}}"
    assert "there is no rule 'NAME_MISMATCH' here" in problems(text)[0]


def test_all_problems_come_at_once_with_their_places() -> None:
    rules = "    rules:\n      DIFFERENT_SCHEMA_TYPE: bloc\n"
    text = f"name: A\nlabel: b\nformats:\n  avro:\n{rules}  xml: {{}}\ndefault: 5\n"
    assert [one[:60] for one in problems(text)] == [
        "line 1, column 7: name: 'A' does not do; write 2 to 40 letters"[:60],
        "line 2, column 1: label: there is no member 'label' here; write one"[:60],
        "line 6, column 30: formats.avro.rules.DIFFERENT_SCHEMA_TYPE: there is no 'bloc' here; did"[:60],
        "line 7, column 3: formats.xml: there is no member 'xml' here; write one of"[:60],
        "line 8, column 10: default: an object belongs here, with any of also_warns,"[:60],
    ]


def test_problems_beyond_the_cap_are_counted() -> None:
    text = "name: ab\n" + "".join(f"m{position}: 1\n" for position in range(60))
    found = problems(text)
    assert len(found) == 51
    assert found[-1] == "line 51, column 1: and 10 more problems; mend these first"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "line 1, column 1: an object belongs here, with any of default, description, formats, name"),
        ("{}", "line 1, column 1: the policy has no name; add 'name' with one"),
        ("name: ab\nformats: []", "line 2, column 10: formats: an object belongs here, with any of avro,"),
        ("name: ab\ndescription: 'a\\x'\n", ""),
        ("name: a--b", "line 1, column 7: name: 'a--b' does not do; write 2 to 40 letters"),
    ],
)
def test_texts_that_are_no_policy(text: str, problem: str) -> None:
    found = problems(text)
    assert [one[: len(problem)] for one in found] == ([problem] if problem else [])


def test_the_limits_are_the_installations() -> None:
    text = "name: ab\ndefault: {limits: {fields: 11}}"
    assert read_document(text, limits=Limits(fields=11)).problems == ()
    assert "write at most 10" in read_document(text, limits=Limits(fields=10)).problems[0].message


def test_parameters_have_the_types_of_their_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {
        "deep": Parameter(ParameterType.FLAG, "w", default=False),
        "most": Parameter(ParameterType.COUNT, "w", default=3, largest=9),
        "word": Parameter(ParameterType.TEXT, "w", default="", largest=4),
    }
    monkeypatch.setattr(parameters, "PARAMETERS", {"DIFFERENT_SCHEMA_TYPE": rows})
    start = "name: ab\ndefault: {rules: {DIFFERENT_SCHEMA_TYPE: {parameters: "
    read = read_document(start + "{deep: true, most: 0, word: abcd}}}}")
    assert read.document is not None
    assert read.document.default == {
        "rules.DIFFERENT_SCHEMA_TYPE.parameters.deep": True,
        "rules.DIFFERENT_SCHEMA_TYPE.parameters.most": 0,
        "rules.DIFFERENT_SCHEMA_TYPE.parameters.word": "abcd",
    }
    found = read_document(start + "{deep: 1, most: 10, word: abcde, other: 1}}}}").problems
    assert [one.path.rpartition(".")[2] for one in found] == ["deep", "most", "word", "other"]
    assert len(read_document(start + "5}}}").problems) == 1
