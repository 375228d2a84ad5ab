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
STOPS = (
    "Whoever reads with the new schema stops at the first record of version 3 that it cannot read."
    " Upgrading the writers first helps only once no such record is left."
)
DETAILS = 'Schema being registered is incompatible with an earlier schema for subject "a", details: [...]'


@pytest.fixture
def arguments(registry: StandIn, write: Write) -> list[str]:
    registry.refuse("POST /subjects/a/versions", 409, 40901, DETAILS)
    answer = {"is_compatible": False, "messages": MESSAGES}
    registry.answer("POST /compatibility/subjects/a/versions?verbose=true", answer)
    return ["register", "a", write("a.avsc", "string"), "--url", registry.url]


def test_the_registry_is_heard_where_it_shows_no_versions(accord: Program, arguments: list[str]) -> None:
    result = accord(*arguments, colour=True)
    assert (result.exit_code, result.stdout) == (1, "")
    lines = result.stderr.splitlines()
    assert lines[0].endswith("incompatible with what is registered (HTTP 409, code 40901)")
    assert lines[1].endswith("TYPE_MISMATCH at /")
    assert lines[2].startswith("  The type (path '/fields/0/type') of a field in the new")
    assert "reader type: STRING not compatible with writer type: LONG (said by the registry)" in lines[2]
    assert lines[3].startswith("  what to do: ")
    assert lines[4].endswith(" ODD\\x1b at /")
    assert lines[5] == "  d (said by the registry)"


def test_a_refusal_is_explained_from_the_stored_versions(
    accord: Program, registry: StandIn, arguments: list[str]
) -> None:
    registry.answer("GET /subjects/a/versions", [3])
    stored = {"subject": "a", "version": 3, "id": 1, "schema": '"long"'}
    registry.answer("GET /subjects/a/versions/3?deleted=false", stored)
    registry.answer("GET /config/a?defaultToGlobal=true", {"compatibilityLevel": "BACKWARD"})
    lines = accord(*arguments).stderr.splitlines()
    file = arguments[2]
    assert lines[1:] == [
        f"{file}:1:1: block TYPE_MISMATCH at /",
        "  the new schema expects string, data of version 3 was written as long (new reads old, version 3)",
        "  the other side: a version 3:1:1",
        "  what to do: keep the type long here, and add an optional field of another name for the new type",
        f"Readers on the new schema cannot read what writers on version 3 wrote. {STOPS}",
    ]
    (finding,) = json.loads(accord(*arguments, "--json").stdout)["findings"]
    assert (finding["rule"], finding["version"]) == ("TYPE_MISMATCH", 3)


@pytest.mark.parametrize("answer", [{"is_compatible": True}, {"messages": 3}])
def test_a_refusal_that_nobody_explains_keeps_its_words(
    accord: Program, registry: StandIn, write: Write, answer: object
) -> None:
    registry.refuse("POST /subjects/a/versions", 409, 40901, DETAILS)
    registry.answer("POST /compatibility/subjects/a/versions?verbose=true", answer)
    assert DETAILS in accord("register", "a", write("a.avsc", "string"), "--url", registry.url).stderr


def test_programs_get_a_document(accord: Program, arguments: list[str]) -> None:
    result = accord(*arguments, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (1, "")
    assert (answer["code"], answer["error_code"], answer["details"]) == ("registry_conflict", 40901, DETAILS)
    assert answer["findings"][0]["rule"] == "TYPE_MISMATCH"
    assert [one["rule"] for one in answer["findings"]] == ["TYPE_MISMATCH", "ODD\x1b"]


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
