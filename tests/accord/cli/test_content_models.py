"""`accord json`: opening and closing objects, and the consumer's schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.cli.content_models import indented
from tests.accord.cli.schemas import closed

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write

PARTLY = {"type": "object", "additionalProperties": {"type": "string"}}


def test_closed_objects_are_opened(accord: Program, write: Write) -> None:
    nested = {**closed(a="string"), "items": closed()}
    made = json.loads(accord("json", "open", write("a.json", nested)).stdout)
    assert (made["additionalProperties"], made["items"]["additionalProperties"]) == (True, True)


def test_open_objects_are_closed_and_partly_open_ones_stay(accord: Program, write: Write) -> None:
    made = json.loads(accord("json", "close", write("a.json", {"type": "object", "items": PARTLY})).stdout)
    assert made == {"type": "object", "items": PARTLY, "additionalProperties": False}


def test_closing_undoes_opening(accord: Program, write: Write) -> None:
    schema = closed(a="string")
    opened = accord("json", "open", write("a.json", schema)).stdout
    assert json.loads(accord("json", "close", "-", stdin=opened.encode()).stdout) == schema


def test_a_consumer_s_schema_says_where_one_of_went(accord: Program, write: Write) -> None:
    result = accord("json", "consumer", write("a.json", {"oneOf": [closed(a="string"), closed(b="string")]}))
    assert result.exit_code == 0
    assert result.stderr == "oneOf became anyOf at /\n"
    made = json.loads(result.stdout)
    assert [branch["additionalProperties"] for branch in made["anyOf"]] == [True, True]


@pytest.mark.parametrize(("verb", "written", "is_open"), [("open", False, True), ("close", True, False)])
def test_what_a_file_refers_to_is_changed_and_printed_too(
    accord: Program, write: Write, verb: str, written: object, is_open: object
) -> None:
    inner = write("b.json", {"type": "object", "additionalProperties": written})
    made = accord("json", verb, write("a.json", {"items": {"$ref": "b.json"}}), "-r", f"b.json={inner}")
    assert json.loads(made.stdout) == {
        "items": {"$ref": "#/definitions/b.json"},
        "definitions": {"b.json": {"type": "object", "additionalProperties": is_open}},
    }


def test_the_models_of_all_objects_are_listed(accord: Program, write: Write) -> None:
    inner = write("b.json", PARTLY)
    path = write("a.json", {**closed(a="string"), "items": {"$ref": "b.json"}, "anyOf": [{"required": []}]})
    asked = ("json", "models", path, "-r", f"b.json={inner}")
    assert accord(*asked).stdout.splitlines() == [
        "closed       /",
        "open         /anyOf/0",
        "partly open  /items",
        "1 open, 1 closed, 1 partly open",
    ]
    told = json.loads(accord(*asked, "--json").stdout)
    assert told["counts"] == {"open": 1, "closed": 1, "partly open": 1}
    assert told["objects"][2] == {"path": "/items", "model": "partly open"}


def test_what_is_not_listed_is_counted(accord: Program, write: Write) -> None:
    result = accord("json", "models", write("a.json", {"items": [{"type": "object"}] * 1_002}))
    assert result.stdout.splitlines()[-2:] == ["and 2 more", "1002 open, 0 closed, 0 partly open"]


def test_a_consumer_s_schema_needs_no_references(accord: Program, write: Write) -> None:
    inner = write("b.json", closed(x="integer"))
    made = accord("json", "consumer", write("a.json", {"items": {"$ref": "b.json"}}), "-r", f"b.json={inner}")
    assert json.loads(made.stdout)["definitions"]["b.json"]["additionalProperties"] is True


def test_the_format_is_not_guessed(accord: Program, write: Write) -> None:
    assert json.loads(accord("json", "open", write("a.avsc", {"type": "object"})).stdout) == {
        "type": "object"
    }


@pytest.mark.parametrize("verb", ["open", "close", "consumer", "models"])
def test_what_is_no_json_schema_is_named(accord: Program, write: Write, verb: str) -> None:
    path = write("a.json", {"$ref": "#/nowhere"})
    result = accord("json", verb, path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {path}: ")
    assert json.loads(accord("json", verb, path, "--json").stdout)["code"] == "unreadable_file"


TEXTS = [
    "{}",
    "[]",
    "true",
    '{"a":1.50,"b":[1,[],{}],"c":{"d":"x,{:}\\"\\\\"}}',
    '"\\u202e\x9b\U0001f600"',
    "[[[1],[2]],3]",
]


@pytest.mark.parametrize("text", TEXTS)
def test_indenting_changes_nothing_but_spaces(text: str) -> None:
    printed = "\n".join(indented(text))
    assert json.loads(printed) == json.loads(text)
    assert (
        printed == json.dumps(json.loads(text), indent=2, ensure_ascii=False)
        or "1.50" in printed
        or "\\u" in printed
    )
    assert "\x9b" not in printed


def test_digits_stay_as_they_were_written() -> None:
    assert list(indented('{"a":1.50}')) == ["{", '  "a": 1.50', "}"]
