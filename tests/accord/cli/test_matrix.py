"""`accord matrix`: who accepts a change, who refuses it, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.accord.cli.schemas import BARE, NEEDS_NOTE, NOTE, closed, column

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write

RULE = "READER_FIELD_MISSING_DEFAULT_VALUE"


def test_presets_that_say_the_same_stand_together(accord: Program, write: Write) -> None:
    old, new = write("old.avsc", BARE), write("new.avsc", NEEDS_NOTE)
    result = accord("matrix", old, new, "--preset", "confluent", "--preset", "accord:1")
    *found, advice, summary = result.stdout.splitlines()
    assert advice.startswith('    what to do: give field "note" a default')
    assert (result.exit_code, summary, found) == (
        0,
        "Of 2 presets 2 refuse the change, 0 warn of it and 0 let it pass.",
        [
            f"refused because of {RULE}",
            "  confluent:8.1, accord:1",
            f"{RULE}: A field that the reader expects is absent from the data and has no default.",
            (
                f"  {new}:1:{column(NEEDS_NOTE, NOTE)} (new reads old, the other side: {old}:1:1): the new"
                " schema expects field note, which data of the old schema lacks and no default supplies"
            ),
        ],
    )


def test_the_level_says_who_reads(accord: Program, write: Write) -> None:
    old, new = write("old.avsc", BARE), write("new.avsc", NEEDS_NOTE)
    told = accord("matrix", old, new, "--preset", "confluent", "--level", "FORWARD").stdout.splitlines()
    assert told[0] == "allowed"


def test_protobuf_is_asked_of_every_preset(accord: Program, write: Write) -> None:
    head = 'syntax = "proto3"; message M {'
    old, new = write("old.proto", {}), write("new.proto", {})
    Path(old).write_text(f"{head} int32 a = 1; }}")
    Path(new).write_text(f"{head} int64 a = 1; }}")
    answer = json.loads(accord("matrix", old, new, "--json", "--format", "protobuf").stdout)
    assert (answer["old"], answer["new"], len(answer["presets"])) == (old, new, 30)
    told = {one["preset"]: (one["verdict"], one["rules"]) for one in answer["presets"]}
    assert told["confluent:8.1"] == ("allowed", [])
    assert told["buf:v2:FILE"] == ("blocked", ["FIELD_SAME_TYPE"])
    places = {one["rule"]: one["findings"][0]["new"] for one in answer["rules"]}
    assert places["FIELD_SAME_TYPE"] == {"line": 1, "column": len(f"{head} ") + 1}


def test_another_format_and_too_much_to_tell(accord: Program, write: Write) -> None:
    told = accord("matrix", write("old.avsc", BARE), write("new.json", closed())).stdout
    assert "(new reads old, the other side: " in told
    assert "Of 6 presets 6 refuse the change, 0 warn of it and 0 let it pass." in told
    many = {"type": "record", "name": "R", "fields": [{"name": f"f{n}", "type": "int"} for n in range(25)]}
    none = {**many, "fields": []}
    new = write("many.avsc", many)
    assert "  ... and 5 more" in accord("matrix", write("none.avsc", none), new).stdout


def test_open_objects_are_told_without_another_side(accord: Program, write: Write) -> None:
    text = {"type": "object"}
    told = accord(
        "matrix", write("a.json", text), write("b.json", text), "--preset", "accord:queue-safe"
    ).stdout
    assert "refused because of OBJECT_NOT_CLOSED" in told
    assert "the other side" not in told
