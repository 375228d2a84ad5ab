"""Refusals as people and programs read them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write
    from tests.accord.client.stand_in import StandIn

TYPE_MISMATCH = (
    "{errorType:'TYPE_MISMATCH', description:'The type (path '/fields/0/type') of a field in the new schema"
    " does not match with the old schema', additionalInfo:'reader type: STRING not compatible with writer"
    " type: LONG'}"
)
MESSAGES = [
    TYPE_MISMATCH,
    "{oldSchemaVersion: 1}",
    "{errorType:'ODD\x1b', description:'d', additionalInfo:''}",
]
DETAILS = 'Schema being registered is incompatible with an earlier schema for subject "a", details: [...]'


@pytest.fixture
def arguments(registry: StandIn, write: Write) -> list[str]:
    registry.refuse("POST /subjects/a/versions", 409, 40901, DETAILS)
    answer = {"is_compatible": False, "messages": MESSAGES}
    registry.answer("POST /compatibility/subjects/a/versions?verbose=true", answer)
    return ["register", "a", write("a.avsc", "string"), "--url", registry.url]


def test_each_difference_has_its_line_and_its_advice(accord: Program, arguments: list[str]) -> None:
    result = accord(*arguments, colour=True)
    assert (result.exit_code, result.stdout) == (1, "")
    lines = result.stderr.splitlines()
    assert lines[0].endswith("incompatible with what is registered (HTTP 409, code 40901)")
    assert lines[1].startswith("  TYPE_MISMATCH: The type (path '/fields/0/type') of a field in the new")
    assert lines[1].endswith("(reader type: STRING not compatible with writer type: LONG)")
    assert lines[3:] == [
        "    More: accord rules explain TYPE_MISMATCH",
        "  {oldSchemaVersion: 1}",
        "  ODD\\x1b: d",
    ]


def test_programs_get_a_document(accord: Program, arguments: list[str]) -> None:
    result = accord(*arguments, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (1, "")
    assert (answer["code"], answer["error_code"], answer["details"]) == ("registry_conflict", 40901, DETAILS)
    assert answer["findings"][0]["rule"] == "TYPE_MISMATCH"
    assert answer["findings"][1] == {"message": "{oldSchemaVersion: 1}"}


def test_a_refusal_without_differences_stays_what_it_is(
    accord: Program, registry: StandIn, write: Write
) -> None:
    registry.refuse("POST /subjects/a/versions", 422, 42201, "why")
    result = accord("register", "a", write("a.avsc", "string"), "--url", registry.url, "--json")
    assert (result.exit_code, json.loads(result.stdout)["code"]) == (1, "registry_invalid")
    assert "findings" not in json.loads(result.stdout)


@pytest.mark.parametrize(
    "arguments", [["check", "none.avsc", "none.avsc"], ["register", "a"], ["get", "a", "0"], ["nonsense"]]
)
def test_what_is_wrong_with_the_call_is_a_document_too(accord: Program, arguments: list[str]) -> None:
    result = accord(*arguments, "--json")
    assert result.exit_code == 2
    assert set(json.loads(result.stdout)) == {"code", "message"}


def test_types_from_other_files_are_checked(accord: Program, write: Write) -> None:
    address = {"type": "record", "name": "geo.Address", "fields": [{"name": "city", "type": "string"}]}
    home = {"type": "record", "name": "Home", "fields": [{"name": "at", "type": "geo.Address"}]}
    street = {"type": "record", "name": "Street", "fields": [{"name": "home", "type": "Home"}]}
    old, new = write("old.avsc", street), write("new.avsc", {**street, "doc": "now with a word"})
    files = ["-r", f"geo.Address={write('address.avsc', address)}", "-r", f"Home={write('home.avsc', home)}"]
    assert accord("check", old, new, *files).exit_code == 0
    result = accord("check", old, new, *files[2:])
    assert (result.exit_code, "geo.Address" in result.stderr) == (2, True)
    result = accord("check", old, new, "-r", "Home=none.avsc")
    assert (result.exit_code, "none.avsc: No such file" in result.stderr) == (2, True)
    assert accord("check", old, new, "-r", "Home").exit_code == 2
    assert "-r NAME=FILE" in accord("check", old, new).stderr
