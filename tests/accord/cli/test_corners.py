"""Corners of the command line: odd configs, lost references and findings without a place."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from typing import TYPE_CHECKING

import click
import pytest

from accord.cli.cases import Case, Outcome, Source, Status
from accord.cli.deciding import Decision
from accord.cli.explaining import explained
from accord.cli.options import format_
from accord.cli.reporting.github import github_lines
from accord.cli.reporting.sarif import sarif_lines
from accord.cli.reporting.summary import Report
from accord.model import Finding, Format, Level, SchemaText, Severity, Verdict
from accord.policy import Policy
from accord.policy.policies import Transform
from tests.accord.cli.schemas import AS_TEXT, BARE, closed, record
from tests.accord.json_texts import MODERN, with_references

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Repository, Write

HEAD = ("check", "--against", "git:HEAD")
ADDRESS = {**record(street="string"), "name": "Address"}


def test_a_consumer_without_any_grounds_cannot_read(accord: Program, write: Write) -> None:
    writer = write("1.json", closed(a="string"))
    result = accord("can-read", write("reader.json", closed(a="integer")), "-w", writer, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["can_read"], answer["grounds"]) == (1, False, None)


@pytest.mark.parametrize("text", ["[1]", "schemas: [3]"])
def test_a_config_is_made_of_objects(accord: Program, repository: Repository, text: str) -> None:
    repository.write("accord.yaml", text)
    result = accord("check", "--config", "accord.yaml", ".")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "an object belongs here, with any of " in result.stderr


def test_a_file_outside_the_folder_of_the_config_is_passed_over(
    accord: Program, repository: Repository
) -> None:
    repository.commit(a_avsc=BARE)
    repository.write("inner/accord.yaml", "schemas:\n  - files: '**/*.avsc'\n")
    result = accord(*HEAD, "--config", "inner/accord.yaml", "a.avsc")
    assert "skipped: a.avsc [no entry of the config covers it]" in result.stdout


def test_a_policy_of_the_options_hides_the_level_of_the_config(
    accord: Program, repository: Repository
) -> None:
    repository.write("accord.yaml", "schemas:\n  - files: '*.avsc'\n    level: FULL\n")
    repository.write("house.yaml", "name: house\ndefault:\n  level: NONE\n")
    repository.commit(a_avsc=BARE)
    result = accord(*HEAD, "--policy", "house.yaml", "a.avsc")
    assert "(NONE, confluent:8.1, policy house)" in result.stdout


def test_a_head_that_leads_nowhere_is_no_revision(accord: Program, repository: Repository) -> None:
    repository.write("a.avsc", BARE)
    repository.write(".git/HEAD", "1" * 40 + "\n")
    result = accord(*HEAD, "a.avsc")
    assert result.exit_code == 2
    assert "there is no revision 'HEAD' in this clone" in result.stderr


def test_a_reference_to_a_subject_needs_a_registry(accord: Program, repository: Repository) -> None:
    reference = "{name: Address, subject: address, version: 1}"
    repository.write("accord.yaml", f"schemas:\n  - files: '*.avsc'\n    references: [{reference}]\n")
    repository.commit(a_avsc=record(at="Address"))
    result = accord(*HEAD, "a.avsc")
    assert result.exit_code == 2
    assert "unreadable: a.avsc: " in result.stdout


def test_a_referenced_file_outside_the_repository_has_no_older_text(
    accord: Program, repository: Repository
) -> None:
    repository.commit(a_avsc=BARE)
    repository.write("../address.avsc", ADDRESS)
    repository.write("a.avsc", record(id="long", at=(["null", "Address"], None)))
    result = accord(*HEAD, "a.avsc", "-r", "Address=../address.avsc")
    assert result.exit_code == 0, result.stdout


def test_a_referenced_file_that_was_too_long_is_not_read(accord: Program, repository: Repository) -> None:
    repository.commit(a_avsc=record(at="Address"), address_avsc=b" " * 2_000_000)
    repository.write("address.avsc", ADDRESS)
    result = accord(*HEAD, "a.avsc", "-r", "Address=address.avsc")
    assert result.exit_code == 2
    assert "unreadable: a.avsc" in result.stdout


def test_sarif_of_a_checkout_names_no_version(
    accord: Program, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    repository.commit(a_avsc=BARE)
    monkeypatch.setattr("accord.cli.reporting.sarif.version", missing)
    log = json.loads(accord(*HEAD, "--output", "sarif", "a.avsc").stdout)
    assert "version" not in log["runs"][0]["tool"]["driver"]


def test_a_finding_without_a_place_names_the_file_alone() -> None:
    policy = Policy(Level())
    case = Case(Source("a.proto", SchemaText(Format.PROTOBUF, "message A {}"), None), (), Decision(policy))
    finding = Finding("NAME_PATTERN", Severity.BLOCK, "/", detail="", message="no")
    explanation = explained(case, Verdict((), (finding,)))
    explanation = replace(explanation, own=(replace(explanation.own[0], new_at=None),))
    report = Report([Outcome("a.proto", Status.BLOCKED, case, explanation)])
    assert next(github_lines(report)).startswith("::error file=a.proto,title=NAME_PATTERN::no, at /")
    (result,) = json.loads("".join(sarif_lines(report)))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "a.proto"}}


def test_optional_friendly_opens_the_reader_whatever_the_preset() -> None:
    assert Policy(Level(), transform=Transform.OPTIONAL_FRIENDLY).profile.opens_reader
    assert not Policy(Level()).profile.opens_reader


def test_a_root_that_is_a_reference_beside_definitions_stands_by_itself() -> None:
    null = {"type": "null"}
    root = {"$schema": MODERN, "$ref": "n", "$defs": {"A": null}}
    bundle = json.loads(with_references(root, {"n": null}).resolved())
    assert bundle == {"$schema": MODERN, "$ref": "#/$defs/n", "$defs": {"A": null, "n": null}}


def test_a_policy_ignores_a_rule_in_some_places(accord: Program, repository: Repository) -> None:
    repository.write(
        "house.yaml",
        "name: house\ndefault:\n  rules:\n    TYPE_MISMATCH:\n"
        "      severity: block\n      parameters:\n        ignore: [/fields/0/**]\n",
    )
    repository.commit(a_avsc=BARE, b_avsc=record(x="long", id="long"))
    repository.write("a.avsc", AS_TEXT)
    repository.write("b.avsc", record(x="string", id="string"))
    assert accord(*HEAD, "--policy", "house.yaml", "a.avsc").exit_code == 0
    result = accord(*HEAD, "--policy", "house.yaml", "b.avsc")
    assert result.exit_code == 1
    assert "TYPE_MISMATCH at /fields/1" in result.stdout
    assert "at /fields/0" not in result.stdout


def test_a_format_that_is_none_is_refused() -> None:
    with pytest.raises(click.BadParameter, match="none of avro, json and protobuf"):
        format_("xml")
