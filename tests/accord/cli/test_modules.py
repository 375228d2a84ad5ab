"""`accord check` over folders: Protobuf files that import each other, and two folders side by side."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.cli import checking
from tests.accord.cli.schemas import BARE, NEEDS_NOTE

if TYPE_CHECKING:
    from click.testing import Result

    from tests.accord.cli.conftest import Program, Repository

HEAD = ("check", "--against", "git:HEAD")
FILE = ("--preset", "buf:v2:FILE")
X = 'syntax = "proto3";\npackage a;\nimport "a/y.proto";\nmessage X {\n  Y y = 1;\n  int32 n = 2;\n}\n'
Y = 'syntax = "proto3";\npackage a;\nmessage Y {\n  string s = 1;\n}\n'
Z = 'syntax = "proto3";\npackage a;\nmessage Z {\n  string only = 1;\n  int64 total = 2;\n}\n'


@pytest.fixture
def protos(repository: Repository) -> Repository:
    """Three committed files; one of them imports another."""
    for path, text in {"x": X, "y": Y, "z": Z}.items():
        repository.write(f"proto/a/{path}.proto", text)
    repository.commit()
    return repository


def told(result: Result) -> dict[str, Any]:
    return {one["file"]: one for one in json.loads(result.stdout)["schemas"]}


def test_files_that_import_each_other_need_no_references(accord: Program, protos: Repository) -> None:
    protos.write("proto/a/x.proto", X.replace("int32 n", "string n"))
    result = accord(*HEAD, "proto", "--json")
    assert result.exit_code == 1
    found = told(result)
    assert {name: one["verdict"] for name, one in found.items()} == {
        "proto/a/x.proto": "blocked",
        "proto/a/y.proto": "allowed",
        "proto/a/z.proto": "allowed",
    }
    (finding,) = found["proto/a/x.proto"]["findings"]
    assert finding["path"] == "/a~1x.proto/messages/X/fields/2/type"
    assert finding["new"] == {"file": "proto/a/x.proto", "line": 6, "column": 3}
    assert finding["old"] == {"file": "git:HEAD:proto/a/x.proto", "line": 6, "column": 3}
    levels = found["proto/a/x.proto"]["levels"]
    assert (levels["NONE"]["is_compatible"], levels["FULL"]["is_compatible"]) == (True, False)
    assert found["proto/a/y.proto"]["levels"]["FULL"]["is_compatible"] is True


def test_a_change_counts_where_it_stands_not_where_it_is_imported(
    accord: Program, protos: Repository
) -> None:
    protos.write("proto/a/y.proto", Y.replace("string s", "bytes s"))
    found = told(accord(*HEAD, "proto", "--json", *FILE))
    assert [name for name, one in found.items() if one["verdict"] == "blocked"] == ["proto/a/y.proto"]


def test_a_warning_of_the_second_preset_is_told_at_its_own_file_alone(
    accord: Program, protos: Repository
) -> None:
    protos.write("proto/a/y.proto", Y.replace("string s = 1;", "oneof o { string s = 1; }"))
    protos.write("house.yaml", "name: house\ndefault: {preset: confluent, also_warns: accord:queue-safe}\n")
    found = told(accord(*HEAD, "proto", "--policy", "house.yaml", "--json"))
    warned = {name for name, one in found.items() if "FIELD_SAME_ONEOF" in str(one["findings"])}
    assert warned == {"proto/a/y.proto"}


def test_a_lost_file_breaks_under_presets_that_see_it(accord: Program, protos: Repository) -> None:
    protos.git("rm", "--quiet", "proto/a/z.proto")
    result = accord(*HEAD, "proto", *FILE)
    assert result.exit_code == 1
    assert "git:HEAD:proto/a/z.proto:1:1: block FILE_NO_DELETE" in result.stdout
    assert "skipped: proto/a/z.proto [deleted since git:HEAD]" in accord(*HEAD, "proto").stdout


def test_a_renamed_file_is_held_against_what_it_was(accord: Program, protos: Repository) -> None:
    protos.git("mv", "proto/a/z.proto", "proto/a/zz.proto")
    protos.write("proto/a/zz.proto", Z.replace("int64", "string"))
    result = accord(*HEAD, "proto")
    assert result.exit_code == 1
    assert "incompatible: proto/a/zz.proto against git:HEAD:proto/a/z.proto" in result.stdout
    assert "[renamed from a/z.proto]" in result.stdout


def test_what_is_new_is_told(accord: Program, repository: Repository) -> None:
    repository.commit()
    repository.write("proto/.hidden/a.proto", "nothing")
    repository.write("proto/a/y.proto", Y)
    result = accord(*HEAD, "proto", *FILE)
    assert result.exit_code == 0
    assert "[new: git:HEAD has no such file]" in result.stdout


def test_files_that_cannot_be_compiled_are_told_apart(accord: Program, protos: Repository) -> None:
    protos.write("proto/a/y.proto", Y.replace("= 1", "= 0"))
    result = accord(*HEAD, "proto")
    assert result.exit_code == 2
    assert "unreadable: proto/a/y.proto: line 4, column" in result.stdout
    assert "unreadable: proto/a/x.proto: line 3, column 1: Import" in result.stdout
    assert "skipped: proto/a/z.proto [not judged: other files cannot be compiled]" in result.stdout


def test_an_old_side_that_cannot_be_compiled_is_named(accord: Program, repository: Repository) -> None:
    repository.write("proto/y.proto", "message {")
    repository.commit()
    repository.write("proto/y.proto", Y)
    result = accord(*HEAD, "proto")
    assert result.exit_code == 2
    assert "unreadable: proto/y.proto: git:HEAD:proto/y.proto: line 1" in result.stdout


def test_a_file_that_is_no_text_hinders_no_other(accord: Program, protos: Repository) -> None:
    protos.write("proto/a/w.proto", b"\xff")
    result = accord(*HEAD, "proto")
    assert result.exit_code == 2
    assert "unreadable: proto/a/w.proto: byte 0 is not UTF-8" in result.stdout
    assert "compatible: proto/a/x.proto" in result.stdout
    for name in "xyz":
        protos.write(f"proto/a/{name}.proto", b"\xff")
    assert accord(*HEAD, "proto").stdout.count("is not UTF-8") == 4


def test_an_old_file_that_is_no_text_is_named(accord: Program, protos: Repository) -> None:
    protos.write("proto/a/z.proto", b"\xff")
    protos.commit()
    protos.write("proto/a/z.proto", Z)
    said = "unreadable: proto/a/x.proto: git:HEAD:proto/a/z.proto: byte 0 is not UTF-8"
    assert said in accord(*HEAD, "proto").stdout


def test_a_folder_outside_the_repository_is_refused(accord: Program, protos: Repository) -> None:
    outside = protos.top.parent / "outside"
    outside.mkdir()
    (outside / "y.proto").write_text(Y)
    result = accord(*HEAD, str(outside))
    assert result.exit_code == 2
    assert "outside the repository" in result.stdout


def test_references_and_other_formats_leave_files_by_themselves(accord: Program, protos: Repository) -> None:
    result = accord(*HEAD, "proto/a", "-r", "a/y.proto=proto/a/y.proto")
    assert "compatible: proto/a/x.proto against" in result.stdout
    assert accord(*HEAD, "proto", "--format", "avro").exit_code == 2


def test_lint_of_a_policy_has_a_verb_of_its_own(accord: Program, protos: Repository) -> None:
    protos.write("p.yaml", "name: house\nformats:\n  protobuf: {lint: {use: [BASIC]}}\n")
    assert "see accord lint --policy" in accord(*HEAD, "proto", "--policy", "p.yaml").stdout


def test_names_docs_and_sizes_are_asked_of_every_file(accord: Program, protos: Repository) -> None:
    asked = "{naming: {types: '[X-Y]', severity: WARN}, limits: {bytes: 70}}"
    protos.write("p.yaml", f"name: house\nformats:\n  protobuf: {asked}\n")
    result = accord(*HEAD, "proto", "--policy", "p.yaml", "--json")
    assert result.exit_code == 1
    found = told(result)
    messages = {name: [each["sentence"] for each in one["findings"]] for name, one in found.items()}
    assert messages == {
        "proto/a/x.proto": ["the schema has 90 bytes, the policy allows 70"],
        "proto/a/y.proto": [],
        "proto/a/z.proto": [
            "the schema has 82 bytes, the policy allows 70",
            "the record 'Z' does not match '[X-Y]'",
        ],
    }
    assert found["proto/a/z.proto"]["findings"][1]["new"] == {
        "file": "proto/a/z.proto",
        "line": 3,
        "column": 1,
    }
    assert found["proto/a/x.proto"]["levels"]["NONE"]["is_compatible"] is False


def test_what_a_registration_sends_along_is_not_asked_for(accord: Program, protos: Repository) -> None:
    protos.write("p.yaml", "name: house\ndefault: {required: {owners: [team]}}\n")
    note = "owners are not looked at here: a registration sends them along"
    for paths in (("proto",), ("proto/a/y.proto",)):
        result = accord(*HEAD, *paths, "--policy", "p.yaml")
        assert (result.exit_code, f"[{note}]" in result.stdout) == (0, True), result.output


def test_a_check_that_is_too_large_is_told(
    accord: Program, protos: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    from accord.cli import module_checks

    monkeypatch.setattr(module_checks, "STEPS", 1)
    protos.write("proto/a/x.proto", X.replace("int32 n", "string n"))
    assert "block CHECK_TOO_LARGE" in accord(*HEAD, "proto", *FILE).stdout


def test_the_time_ends_a_run(accord: Program, protos: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter((0.0, 9_999.0, 9_999.0))
    monkeypatch.setattr(checking, "monotonic", lambda: next(seconds))
    result = accord(*HEAD, "proto")
    assert result.stdout.count("the time is up (--timeout)") == 3


def test_two_folders_are_compared_file_by_file(accord: Program, repository: Repository) -> None:
    repository.write("old/a.avsc", BARE)
    repository.write("new/a.avsc", NEEDS_NOTE)
    repository.write("new/b.avsc", BARE)
    repository.write("old/c.avsc", BARE)
    for side in ("old", "new"):
        repository.write(f"{side}/a/x.proto", X)
        repository.write(f"{side}/a/y.proto", Y if side == "old" else Y.replace("string s", "int32 s"))
    repository.write("old/a/z.proto", Z)
    result = accord("check", "old", "new")
    assert result.exit_code == 1
    for line in (
        "incompatible: new/a.avsc against old/a.avsc",
        "new/b.avsc by itself (BACKWARD, confluent:8.1) [new: old has no such file]",
        "incompatible: new/a/y.proto against old/a/y.proto",
        "compatible: new/a/x.proto against old/a/x.proto",
        "skipped: old/c.avsc [deleted since old]",
        "skipped: old/a/z.proto [deleted since old]",
    ):
        assert line in result.stdout
    assert "skipped: old/a/z.proto" not in accord("check", "old", "new", *FILE).stdout


@pytest.mark.parametrize("paths", [("old.avsc", "new"), ("old", "older", "new")])
def test_a_folder_is_compared_with_one_folder(
    accord: Program, repository: Repository, paths: tuple[str, ...]
) -> None:
    for name in ("old", "older", "new"):
        repository.write(f"{name}/a.avsc", BARE)
    repository.write("old.avsc", BARE)
    result = accord("check", *paths)
    assert result.exit_code == 2
    assert "compared with one other folder" in result.stderr
