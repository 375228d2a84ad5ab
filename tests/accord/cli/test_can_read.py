"""`accord can-read`: may a consumer with a schema of its own read a subject?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.accord.cli.schemas import AS_TEXT, BARE, NEEDS_NOTE, WITH_NOTE, closed

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write
    from tests.accord.client.stand_in import StandIn

OPEN = {**closed(a="string"), "additionalProperties": True}


def test_avro_is_told_version_by_version(accord: Program, write: Write) -> None:
    old, new = write("1.avsc", BARE), write("2.avsc", NEEDS_NOTE)
    result = accord("can-read", write("reader.avsc", NEEDS_NOTE), "-w", old, "-w", new)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == f"{old}: cannot be read as it is"
    assert "block READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1" in lines[1]
    assert f"{new}: can be read" in lines
    assert lines[-1].endswith("reader.avsc: cannot read everything")


def test_a_folder_stands_for_its_schemas(accord: Program, write: Write) -> None:
    write("history/v1.avsc", BARE)
    folder = write("history/v2.avsc", NEEDS_NOTE).rpartition("/")[0]
    result = accord("can-read", write("reader.avsc", WITH_NOTE), "--writers", folder)
    assert result.exit_code == 0
    assert result.stdout.endswith("can read: it reads every version\n")


GROUNDS = [
    (OPEN, [closed(a="string")], "closed, it is version 1"),
    (closed(a="string", b="string"), [closed(a="string")], "it reads every version"),
    ({"type": "object"}, [closed(a="string"), closed(a="integer")], "it reads every version"),
    (
        {**closed(a="string"), "additionalProperties": True},
        [closed(a="string", b="string"), closed(a="integer")],
        "it is a reduced view of what a consumer of version 1 reads",
    ),
]


@pytest.mark.parametrize(("reader", "writers", "words"), GROUNDS)
def test_a_consumer_of_json_schema_may_read_on_several_grounds(
    accord: Program, write: Write, reader: object, writers: list[object], words: str
) -> None:
    files = [write(f"{number}.json", one) for number, one in enumerate(writers, start=1)]
    options = [word for file in files for word in ("--writers", file)]
    result = accord("can-read", write("reader.json", reader), *options)
    assert result.exit_code == 0, result.stdout
    assert result.stdout.endswith(f"can read: {words}\n")


def test_json_says_the_same(accord: Program, write: Write) -> None:
    writer = write("writer.avsc", BARE)
    result = accord("can-read", write("reader.avsc", AS_TEXT), "-w", writer, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["can_read"], answer["grounds"]) == (1, False, None)
    (version,) = answer["versions"]
    assert (version["name"], version["version"], version["can_read"]) == (writer, 1, False)
    assert version["findings"][0]["rule"] == "TYPE_MISMATCH"


def test_the_versions_of_a_subject_are_read(accord: Program, write: Write, registry: StandIn) -> None:
    registry.answer("GET /subjects/s/versions", [4, 7])
    for number, schema in ((4, BARE), (7, AS_TEXT)):
        facts = {"subject": "s", "version": number, "id": number, "schema": json.dumps(schema)}
        registry.answer(f"GET /subjects/s/versions/{number}?deleted=false", facts)
    result = accord("can-read", write("a.avsc", WITH_NOTE), "--subject", "s", "--url", registry.url)
    assert result.exit_code == 1
    assert result.stdout.startswith("s version 4: can be read\ns version 7: cannot be read as it is\n")


def test_a_missing_subject_cannot_be_read(accord: Program, write: Write, registry: StandIn) -> None:
    reader = write("a.avsc", BARE)
    assert accord("can-read", reader, "--subject", "s", "--url", registry.url).exit_code == 1


@pytest.mark.parametrize("options", [[], ["--subject", "s"], ["--subject", "s", "-w", "x"]])
def test_it_wants_to_know_what_to_read(accord: Program, write: Write, options: list[str]) -> None:
    result = accord("can-read", write("a.avsc", BARE), *options)
    assert (result.exit_code, result.stdout) == (2, "")
