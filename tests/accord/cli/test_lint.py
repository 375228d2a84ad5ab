"""`accord lint`: files, modules of Protobuf, policies, outputs, exit codes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.accord.cli.conftest import Program

HEAD = 'syntax = "proto3";\npackage acme.v1;\n'
ORDER = f'{HEAD}import "acme/v1/line.proto";\nmessage order {{ Line line = 1; }}\n'
LINE = f"{HEAD}message Line {{}}\n"
ENUM = '{"type": "enum", "name": "Payment", "namespace": "a", "symbols": ["UNKNOWN"]}'
POLICY = "name: house\ndefault:\n  lint: {use: [BASIC], severities: {MESSAGE_PASCAL_CASE: block}}\n"
WARNED = "protos/acme/v1/order.proto:4:9: warn MESSAGE_PASCAL_CASE"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two Protobuf files and an Avro schema, in the current folder."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "protos" / "acme" / "v1"
    place.mkdir(parents=True)
    (place / "order.proto").write_text(ORDER)
    (place / "line.proto").write_text(LINE)
    (tmp_path / "payment.avsc").write_text(ENUM)
    (tmp_path / "policy.yaml").write_text(POLICY)
    return tmp_path


def test_findings_have_their_places(accord: Program) -> None:
    result = accord("lint", "protos", "payment.avsc")
    assert result.exit_code == 1
    assert WARNED in result.stdout
    assert "payment.avsc:1:1: warn AVRO_ENUM_DEFAULT at /" in result.stdout
    assert result.stdout.endswith("1 clean, 2 faulty\n")


def test_a_file_of_its_own_is_seen_from_a_root(accord: Program) -> None:
    names = ("protos/acme/v1/line.proto", "protos/acme/v1/order.proto")
    assert WARNED in accord("lint", *names, "--root", "protos").stdout
    result = accord("lint", *names, "--root", "protos/acme/v1/line.proto")
    assert result.exit_code == 2
    assert "name the folder that imports begin in with --root" in result.stdout


def test_without_paths_this_folder_is_linted(accord: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("protos")
    assert "acme/v1/order.proto:4:9: warn MESSAGE_PASCAL_CASE" in accord("lint").stdout


def test_rules_are_chosen_by_name(accord: Program) -> None:
    assert accord("lint", "protos", "--except", "message_pascal_case").exit_code == 0
    assert "COMMENT_MESSAGE" in accord("lint", "protos", "--use", "comments").stdout
    refused = accord("lint", "protos", "--use", "NOTHING")
    assert refused.exit_code == 2
    assert "`accord rules lint`" in refused.stderr


def test_warnings_may_pass_and_blocking_ones_do_not(accord: Program) -> None:
    assert accord("lint", "protos", "--only-blocking").exit_code == 0
    result = accord("lint", "protos", "--only-blocking", "--policy", "policy.yaml")
    assert result.exit_code == 1
    assert "block MESSAGE_PASCAL_CASE" in result.stdout
    assert accord("lint", "protos", "--policy", "policy.yaml", "--except", "BASIC").exit_code == 0


def test_a_config_says_which_files_and_by_which_policy(accord: Program, folder: Path) -> None:
    entry = {"schemas": [{"files": "protos/**/*.proto", "policy": "policy.yaml"}]}
    (folder / "accord.yaml").write_text(json.dumps(entry))
    result = accord("lint", "protos", "payment.avsc")
    assert "block MESSAGE_PASCAL_CASE" in result.stdout
    assert "no entry of the config covers it" in result.stdout


def test_json_is_for_programs(accord: Program) -> None:
    made = json.loads(accord("lint", "protos", "--json").stdout)
    assert not made["is_clean"]
    (finding,) = made["files"][1]["findings"]
    assert (finding["rule"], finding["line"], finding["column"]) == ("MESSAGE_PASCAL_CASE", 4, 9)
    assert finding["message"] == 'the message "order" should be "Order"'


def test_other_outputs_are_those_of_a_check(accord: Program, folder: Path) -> None:
    annotated = accord("lint", "protos", "--output", "github", "--report", "junit=lint.xml").stdout
    assert "::error file=protos/acme/v1/order.proto,line=4,col=9,title=MESSAGE_PASCAL_CASE::" in annotated
    suite = ET.fromstring((folder / "lint.xml").read_text())  # noqa: S314  # our own text
    assert [one.get("type") for one in suite.iter("failure")] == ["MESSAGE_PASCAL_CASE"]
    assert [suite.get("name"), suite[0].get("name")] == ["accord lint", "accord lint"]
    sarif = json.loads(accord("lint", "protos", "--output", "sarif").stdout)
    (rule,) = sarif["runs"][0]["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == "The names of messages are in `PascalCase`."


def test_an_edition_that_is_unknown_is_told_in_our_words(accord: Program, folder: Path) -> None:
    (folder / "protos" / "new.proto").write_text('edition = "2099";\npackage p;\n')
    told = accord("lint", "protos").stdout
    assert "new.proto: line 1, column 11: Edition 2099 is not supported; use 2023 or 2024" in told


def test_files_that_do_not_compile_are_told_and_the_others_left_out(accord: Program, folder: Path) -> None:
    (folder / "protos" / "acme" / "v1" / "line.proto").write_text(
        f"{HEAD}message Line {{ Nothing a = 1; }}\n"
    )
    result = accord("lint", "protos", "payment.avsc", "--use", "MINIMAL", "--json")
    made = {one["file"]: one for one in json.loads(result.stdout)["files"]}
    assert result.exit_code == 2
    assert "line 3" in made["protos/acme/v1/line.proto"]["problem"]
    assert made["payment.avsc"]["status"] == "clean"


def test_files_after_one_that_does_not_compile_are_skipped(accord: Program, folder: Path) -> None:
    (folder / "protos" / "alone.proto").write_text("syntax = 3;\n")
    made = json.loads(accord("lint", "protos", "--json").stdout)["files"]
    assert {one["file"]: one["status"] for one in made}["protos/acme/v1/order.proto"] == "skipped"


def test_a_file_name_that_nothing_can_import_is_told(accord: Program, folder: Path) -> None:
    (folder / "protos" / ("x" * 240 + ".proto")).write_text(LINE)
    assert "is longer than" in accord("lint", "protos").stdout


def test_a_text_that_is_no_schema_is_told(accord: Program, folder: Path) -> None:
    (folder / "broken.avsc").write_text('{"type": "nothing"}')
    result = accord("lint", "broken.avsc")
    assert result.exit_code == 2
    assert "unreadable: broken.avsc" in result.stdout
