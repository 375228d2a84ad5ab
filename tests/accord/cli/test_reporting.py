"""The outputs of a check: the same findings for people, programs and services."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from tests.accord.cli.schemas import AS_TEXT, BARE, NEEDS_NOTE, NOTE, closed, column, record

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Repository

RULE = "READER_FIELD_MISSING_DEFAULT_VALUE"
OUTPUTS = ("text", "json", "github", "junit", "sarif")
ODD = "o%d,:d::x\x1b[31m.avsc"


@pytest.fixture
def mixed(repository: Repository) -> Repository:
    """One file of each kind of outcome, and one with a warning."""
    repository.commit(
        a_avsc=BARE, gone_avsc={"type": "enum", "name": "E", "symbols": []}, warned_json={"type": "object"}
    )
    Path("gone.avsc").unlink()
    repository.write("a.avsc", NEEDS_NOTE)
    repository.write("bad.avsc", b"\xff")
    return repository


def run(accord: Program, output: str, *more: str) -> str:
    preset = ("--preset", "optional-friendly", "--output", output)
    return accord("check", "--against", "git:HEAD", *preset, *more, "." if not more else more[-1]).stdout


def test_json_tells_of_every_file(accord: Program, mixed: Repository) -> None:
    answer = json.loads(run(accord, "json"))
    verdicts = {one["file"]: one["verdict"] for one in answer["schemas"]}
    assert verdicts == {
        "a.avsc": "blocked",
        "bad.avsc": "unreadable",
        "gone.avsc": "skipped",
        "warned.json": "allowed_with_warnings",
    }
    assert answer["is_compatible"] is False


def test_github_gets_annotations_at_the_places(accord: Program, mixed: Repository) -> None:
    lines = [line for line in run(accord, "github").splitlines() if line.startswith("::")]
    place = f"file=a.avsc,line=1,col={column(NEEDS_NOTE, NOTE)},title={RULE}"
    assert lines[0].startswith(f"::error {place}::the new schema expects field note")
    assert '%0AWhat to do: give field "note" a default' in lines[0]
    assert lines[1].startswith("::error file=bad.avsc,title=unreadable::byte 0 is not UTF-8")
    assert lines[2].startswith("::warning file=warned.json,line=1,col=1,title=OBJECT_NOT_CLOSED::")
    assert len(lines) == 3


def test_a_file_cannot_command_github(accord: Program, repository: Repository) -> None:
    repository.commit(a_avsc=BARE)
    repository.write("::error file=x::y\n::z##[set-env]%0A.avsc", AS_TEXT)
    repository.write(ODD, "{")
    printed = run(accord, "github").splitlines()
    assert [line for line in printed if line.startswith("::")] == [
        "::error file=o%25d%2C%3Ad%3A%3Ax\\x1b[31m.avsc,title=unreadable::"
        + line.partition("unreadable::")[2]
        for line in printed
        if "title=unreadable" in line
    ]
    assert all(line.startswith(("::error ", "| ")) for line in printed if line)
    assert not any("##[" in line for line in printed)


def test_junit_has_a_case_for_each_file(accord: Program, mixed: Repository) -> None:
    suite = ET.fromstring(run(accord, "junit").encode())[0]  # noqa: S314  # our own output
    facts = {name: suite.get(name) for name in ("name", "tests", "failures", "errors", "skipped")}
    assert facts == {"name": "accord check", "tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    inner = {case.get("name"): [(one.tag, one.get("type")) for one in case] for case in suite}
    assert inner == {
        "a.avsc": [("failure", RULE)],
        "bad.avsc": [("error", None)],
        "gone.avsc": [("skipped", None)],
        "warned.json": [("system-out", None)],
    }


def test_junit_stays_xml_whatever_files_are_called(accord: Program, repository: Repository) -> None:
    repository.commit(a_avsc=BARE)
    repository.write("<\"&'\x01\x1b]]>.avsc", AS_TEXT)
    suite = ET.fromstring(run(accord, "junit").encode())[0]  # noqa: S314  # our own output
    assert [case.get("name") for case in suite] == ["<\"&'??]]>.avsc", "a.avsc"]


def test_sarif_has_what_its_schema_requires(accord: Program, mixed: Repository) -> None:
    log = json.loads(run(accord, "sarif"))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    (one,) = log["runs"]
    driver = one["tool"]["driver"]
    assert driver["name"] == "accord"
    assert [(r["ruleId"], r["level"]) for r in one["results"]] == [
        (RULE, "error"),
        ("OBJECT_NOT_CLOSED", "warning"),
    ]
    assert all(driver["rules"][r["ruleIndex"]]["id"] == r["ruleId"] for r in one["results"])
    assert all(r["message"]["text"] for r in one["results"])
    (invocation,) = one["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"].startswith("bad.avsc: ")


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("text", "  BACKWARD            incompatible with git:HEAD (new reads old)\n"),
        ("github", "|   FORWARD             compatible\n"),
        ("junit", 'name="level.FULL" value="incompatible with git:HEAD (new reads old)"/>'),
        ("sarif", '"FULL_TRANSITIVE": "incompatible with git:HEAD (new reads old)"'),
    ],
)
def test_every_level_is_told_where_it_is_asked_for(
    accord: Program, repository: Repository, output: str, words: str
) -> None:
    repository.commit(a_avsc=BARE, b_avsc=BARE)
    repository.write("a.avsc", NEEDS_NOTE)
    repository.write("b.avsc", b"\xff")
    arguments = ("check", "--against", "git:HEAD", "--output", output, "--level", "NONE", ".")
    assert words in accord(*arguments, "--levels").stdout
    assert words not in accord(*arguments).stdout


def test_a_schema_that_fails_by_itself_fails_under_every_level(
    accord: Program, repository: Repository
) -> None:
    repository.commit()
    repository.write("a.json", {"type": "object"})
    preset = ("--preset", "accord:queue-safe", "--levels")
    told = accord("check", "--against", "git:HEAD", *preset, "a.json").stdout
    assert "  NONE                incompatible by itself\n" in told


def test_json_has_every_level_and_its_version(accord: Program, repository: Repository) -> None:
    for number, schema in enumerate((AS_TEXT, BARE), start=1):
        repository.write(f"{number}.avsc", schema)
    repository.write("new.avsc", NEEDS_NOTE)
    arguments = ("check", "1.avsc", "2.avsc", "new.avsc", "--json", "--level", "FORWARD")
    (schema,) = json.loads(accord(*arguments).stdout)["schemas"]
    assert schema["summary"] == "The new schema is compatible."
    assert schema["comparisons"][0]["sentence"] == (
        "Readers on 2.avsc can read what writers on the new schema write."
    )
    told = {name: (one["version"], one["directions"]) for name, one in schema["levels"].items()}
    assert told["FORWARD"] == told["NONE"] == (None, [])
    assert told["FORWARD_TRANSITIVE"] == (1, ["forward"])
    assert told["FULL_TRANSITIVE"] == told["BACKWARD"] == (2, ["backward"])


def test_findings_that_nobody_reads_are_counted(accord: Program, repository: Repository) -> None:
    repository.write("old.avsc", record(**{f"f{number}": "int" for number in range(1_005)}))
    repository.write("new.avsc", record(**{f"f{number}": "string" for number in range(1_005)}))
    assert "\n5 more findings are left out.\n" in accord("check", "old.avsc", "new.avsc").stdout


def place_of(log: dict[str, Any]) -> dict[str, Any]:
    """The physical place of the first result."""
    place: dict[str, Any] = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    return place


def test_sarif_places_are_addresses(accord: Program, repository: Repository) -> None:
    repository.commit(**{"a b_avsc": BARE})
    repository.write("a b.avsc", NEEDS_NOTE)
    assert place_of(json.loads(run(accord, "sarif"))) == {
        "artifactLocation": {"uri": "a%20b.avsc"},
        "region": {"startLine": 1, "startColumn": column(NEEDS_NOTE, NOTE)},
    }
    absolute = place_of(json.loads(run(accord, "sarif", str(repository.top / "a b.avsc"))))
    assert absolute["artifactLocation"]["uri"].startswith("file:///")


def test_a_fingerprint_survives_moved_lines(accord: Program, repository: Repository) -> None:
    repository.commit(a_avsc=BARE)
    prints = []
    for text in (json.dumps(NEEDS_NOTE), json.dumps(NEEDS_NOTE, indent=4)):
        repository.write("a.avsc", text)
        prints.append(json.loads(run(accord, "sarif"))["runs"][0]["results"][0]["partialFingerprints"])
    assert prints[0] == prints[1]


@pytest.mark.parametrize("output", OUTPUTS)
def test_an_empty_folder_is_no_trouble(accord: Program, repository: Repository, output: str) -> None:
    repository.commit()
    assert accord("check", "--against", "git:HEAD", ".", "--output", output).exit_code == 0


@pytest.mark.parametrize("output", OUTPUTS)
def test_warnings_refuse_where_they_are_asked_to(
    accord: Program, repository: Repository, output: str
) -> None:
    repository.commit(a_json={"type": "object"}, b_json=closed())
    arguments = ("check", "--against", "git:HEAD", "--preset", "optional-friendly", "--output", output, ".")
    assert accord(*arguments).exit_code == 0
    strict = accord(*arguments, "--warnings-as-errors")
    assert strict.exit_code == 1
    words = {
        "text": "incompatible: a.json",
        "json": '"blocked"',
        "github": "::error file=a.json",
        "junit": '<failure type="OBJECT_NOT_CLOSED"',
        "sarif": '"level": "error"',
    }
    assert words[output] in strict.stdout


def test_other_reports_go_to_files(accord: Program, mixed: Repository) -> None:
    told = run(accord, "text", "--report", "sarif=out.sarif", "--report", "junit=out.xml", ".")
    assert "incompatible: a.avsc" in told
    assert json.loads(Path("out.sarif").read_text())["version"] == "2.1.0"
    assert Path("out.xml").read_text().startswith("<?xml")


@pytest.mark.parametrize("report", ["sarif", "pdf=x", "sarif=", "sarif=/nowhere/x"])
def test_a_report_needs_a_format_and_a_file(accord: Program, repository: Repository, report: str) -> None:
    repository.commit(a_avsc=BARE)
    assert accord("check", "--against", "git:HEAD", ".", "--report", report).exit_code == 2


def test_time_is_bounded(accord: Program, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(a_avsc=BARE, b_avsc=BARE)
    clock = iter([0.0, 1.0, 9.0])
    monkeypatch.setattr("accord.cli.checking.monotonic", lambda: next(clock))
    result = accord("check", "--against", "git:HEAD", ".", "--timeout", "5")
    assert result.exit_code == 2
    assert "unreadable: b.avsc: not judged: the time is up (--timeout)" in result.stdout


def test_every_finding_of_a_text_says_what_to_do(accord: Program, repository: Repository) -> None:
    def typed(kind: str) -> dict[str, Any]:
        return {"type": "object", "properties": {name: {"type": kind} for name in "ab"}}

    repository.commit(a_json=typed("string"))
    repository.write("a.json", json.dumps(typed("integer")))
    told = accord("check", "--against", "git:HEAD", "--level", "BACKWARD", "a.json").stdout
    assert told.count("what to do: keep string here, and add an optional property") == 2
