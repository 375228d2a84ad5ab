"""`accord check`: verdicts on files, in words, JSON and exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.accord.cli.schemas import AS_TEXT, BARE, NEEDS_NOTE, NOTE, WITH_NOTE, column, record

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write


def test_a_compatible_change_ends_with_zero(accord: Program, write: Write) -> None:
    old, new = write("old.avsc", BARE), write("new.avsc", WITH_NOTE)
    result = accord("check", old, new)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"compatible: {new} against {old} (BACKWARD, confluent:8.1)\n"


def test_an_incompatible_change_names_file_place_and_rule(accord: Program, write: Write) -> None:
    old, new = write("old.avsc", BARE), write("new.avsc", NEEDS_NOTE)
    result = accord("check", old, new)
    assert result.exit_code == 1
    first, second, third, fourth, fifth, last = result.stdout.splitlines()
    place = f"{new}:1:{column(NEEDS_NOTE, NOTE)}"
    assert first == f"{place}: block READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1"
    assert second == (
        f"  the new schema expects field note, which data of {old} lacks and no default supplies"
        f" (new reads old, {old})"
    )
    assert third == f"  the other side: {old}:1:1"
    assert fourth.startswith('  what to do: give field "note" a default, such as "default": null')
    assert fifth.startswith(f"Readers on the new schema cannot read what writers on {old} wrote. Whoever")
    assert last.startswith("incompatible: ")


def test_a_path_points_into_the_side_that_reads(accord: Program, write: Write) -> None:
    old = write("old.avsc", NEEDS_NOTE)
    result = accord("check", old, write("new.avsc", BARE), "--level", "forward")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{old}:1:{column(NEEDS_NOTE, NOTE)}: ")
    assert f"(old reads new, {old})" in result.stdout


@pytest.mark.parametrize(("level", "code"), [("BACKWARD", 0), ("backward_transitive", 1), ("NONE", 0)])
def test_a_history_is_checked_as_deep_as_the_level_goes(
    accord: Program, write: Write, level: str, code: int
) -> None:
    files = [
        write(f"{number}.avsc", schema)
        for number, schema in enumerate(
            [record(id="long", n=("int", 0)), BARE, record(id="long", n=("string", ""))], 1
        )
    ]
    result = accord("check", *files, "--level", level)
    assert result.exit_code == code
    assert (f"(new reads old, {files[0]})" in result.stdout) is bool(code)


def test_a_folder_is_a_history_in_the_order_of_its_numbers(
    accord: Program, write: Write, tmp_path: Path
) -> None:
    for number, schema in ((2, BARE), (10, AS_TEXT)):
        write(f"history/v{number}.avsc", schema)
    write("history/notes.txt", b"not a schema")
    result = accord("check", str(tmp_path / "history"), write("new.avsc", AS_TEXT))
    assert result.exit_code == 0
    assert "against 2 versions" in result.stdout


def test_the_preset_decides_what_is_reported(accord: Program, write: Write) -> None:
    paths = [write("old.avsc", {**BARE, "namespace": "a"}), write("new.avsc", {**BARE, "namespace": "b"})]
    assert "NAMESPACE_CHANGED" not in accord("check", *paths).stdout
    told = accord("check", *paths, "--preset", "accord:1")
    assert told.exit_code == 0
    assert "warn NAMESPACE_CHANGED" in told.stdout


def test_json_says_the_same(accord: Program, write: Write) -> None:
    old, new = write("old.avsc", BARE), write("new.avsc", AS_TEXT)
    result = accord("check", old, new, "--json", "--level", "full")
    assert result.exit_code == 1
    answer = json.loads(result.stdout)
    (schema,) = answer["schemas"]
    assert (answer["is_compatible"], schema["level"], schema["preset"]) == (False, "FULL", "confluent:8.1")
    assert [(one["direction"], one["version"], one["old"]["file"]) for one in schema["findings"]] == [
        ("forward", 1, old),
        ("backward", 1, old),
    ]
    finding = schema["findings"][1]
    assert (finding["rule"], finding["severity"], finding["path"]) == (
        "TYPE_MISMATCH",
        "block",
        "/fields/0/type",
    )
    assert finding["new"] == {"file": new, "line": 1, "column": column(AS_TEXT, '"string"')}


def test_what_explains_a_finding_stands_further_in(accord: Program, write: Write) -> None:
    old, new = (write(f"{name}.avsc", ["null", inner]) for name, inner in (("old", BARE), ("new", AS_TEXT)))
    lines = accord("check", old, new).stdout.splitlines()
    assert lines[0] == f"{new}:1:1: block MISSING_UNION_BRANCH at /1"
    inner = column(["null", AS_TEXT], '"string"')
    assert f"  {new}:1:{inner}: block TYPE_MISMATCH at /1/fields/0/type" in lines


def test_a_schema_comes_from_standard_input_too(accord: Program, write: Write) -> None:
    result = accord("check", write("old.avsc", BARE), "-", stdin=json.dumps(WITH_NOTE).encode())
    assert result.exit_code == 0


def test_colours_are_for_terminals_that_want_them(
    accord: Program, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [write("old.avsc", BARE), write("new.avsc", NEEDS_NOTE)]
    assert "\x1b[31m" in accord("check", *paths, colour=True).stdout
    assert "\x1b" not in accord("check", *paths).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in accord("check", *paths, colour=True).stdout


def test_a_file_cannot_colour_the_terminal(accord: Program, write: Write) -> None:
    result = accord("check", write("old.avsc", BARE), write("\x1b[31mnew.avsc", BARE), colour=True)
    assert "\\x1b[31mnew.avsc" in result.stdout


BROKEN = [
    ("bad.avsc", {"type": "lon"}, "at /type"),
    ("bad.avsc", b"{", "bad.avsc: Invalid schema"),
    ("bad.avsc", b"\xff", "bad.avsc: byte 0 is not UTF-8"),
    ("bad.avsc", b" " * 2_000_000, "bad.avsc: longer than"),
    ("bad.proto", b"message A {", "bad.proto: Invalid schema of type PROTOBUF, details: line 1, column 12"),
    ("empty/x.txt", b"", "no schema file"),
]


@pytest.mark.parametrize(("name", "content", "words"), BROKEN)
def test_input_that_is_no_schema_is_blamed_by_name(
    accord: Program, write: Write, name: str, content: object, words: str
) -> None:
    path = write(name, content)
    broken = str(Path(path).parent) if "/" in name else path
    result = accord("check", broken, write("new.avsc", BARE))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {broken}: ")
    assert words in result.stderr


def test_a_missing_file_is_named(accord: Program, write: Write) -> None:
    result = accord("check", write("old.avsc", BARE), "none.avsc")
    assert (result.exit_code, result.stderr) == (2, "error: none.avsc: No such file or directory\n")


@pytest.mark.parametrize(
    "arguments", [["check"], ["check", "one.avsc"], ["check", "a", "b", "--level", "x"], ["no"]]
)
def test_wrong_usage_ends_with_two(accord: Program, arguments: list[str]) -> None:
    assert accord(*arguments).exit_code == 2


def test_a_new_schema_is_held_to_more_than_an_old_one(accord: Program, write: Write) -> None:
    sloppy = write("sloppy.avsc", record(id=("long", "not a number")))
    sound = write("sound.avsc", BARE)
    assert accord("check", sloppy, sound).exit_code == 0
    assert accord("check", sound, sloppy).exit_code == 2


def test_protobuf_files_are_judged(accord: Program, write: Write) -> None:
    text = b'syntax = "proto3"; message M { int32 a = 1; }'
    old, new = write("old.proto", text), write("new.proto", text.replace(b"int32", b"string"))
    result = accord("check", old, new)
    assert result.exit_code == 1
    assert "FIELD_WIRE_COMPATIBLE_SCALAR" in result.stdout
    assert accord("check", old, old).exit_code == 0
