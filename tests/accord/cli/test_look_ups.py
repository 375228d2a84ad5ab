"""`accord find`, `accord uses` and `accord canonical`."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write
    from tests.accord.client.stand_in import StandIn

TENANT = "/api/v1/tenants/north"
FOUND = {"id": 3, "context": ".", "format": "AVRO", "guid": "g", "digest": "d"}
USED = {"namespace": "default", "subject": "s", "version": 2, "id": 3, "is_deleted": False}
MESSAGE = 'syntax = "proto3";\nmessage M {}\n'


def at(registry: StandIn) -> tuple[str, str]:
    return "--url", f"{registry.url}/sr/north/default"


@pytest.mark.parametrize("kind", ["digest", "guid", "fingerprint"])
def test_schemas_are_found_by_name(accord: Program, registry: StandIn, kind: str) -> None:
    path = f"{TENANT}/namespaces/default/schemas/{kind}s/ab?limit=200"
    registry.answer(f"GET {path}", {"items": [FOUND], "next": None})
    done = accord("find", kind, "ab", *at(registry))
    assert (done.exit_code, done.stdout) == (0, "3  context .  AVRO  g  d\n")


def test_uses_are_listed_part_by_part(accord: Program, registry: StandIn) -> None:
    path = f"GET {TENANT}/contents/ab/uses?deleted=true&limit=200"
    registry.answer(path, {"items": [USED], "next": "x"})
    registry.answer(f"{path}&cursor=x", {"items": [{**USED, "is_deleted": True}], "next": None})
    done = accord("uses", "ab", "--deleted", *at(registry))
    line = "default  s  version 2  id 3"
    assert done.stdout.splitlines() == [line, f"{line}  deleted"]


@pytest.mark.parametrize(("options", "query"), [((), ""), (("--kind", "field"), "&kind=field")])
def test_fields_are_searched(
    accord: Program, registry: StandIn, options: tuple[str, ...], query: str
) -> None:
    hit = {
        "namespace": "default",
        "subject": "s",
        "version": 2,
        "kind": "field",
        "path": "a.b",
        "type": "string",
    }
    registry.answer(f"GET {TENANT}/search?q=b{query}&limit=200", {"items": [hit, hit], "next": None})
    done = accord("search", "b", "--most", "1", *options, *at(registry))
    assert done.stdout == "default  s  version 2  field a.b  string\n"


def test_what_is_nowhere_is_said_by_the_exit_code(accord: Program, registry: StandIn) -> None:
    registry.answer(f"GET {TENANT}/contents/ab/uses?limit=200", {"items": [], "next": None})
    done = accord("uses", "ab", "--json", *at(registry))
    assert (done.exit_code, json.loads(done.stdout)) == (1, [])


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("canonical", '{"type":"fixed","name":"F","namespace":"a","size":1,"x":2,"b":1}'),
        ("normalized", '{"type":"fixed","name":"F","namespace":"a","size":1,"b":1,"x":2}'),
        ("parsing", '{"name":"a.F","type":"fixed","size":1}'),
    ],
)
def test_a_file_is_printed_in_a_form(accord: Program, write: Write, form: str, text: str) -> None:
    file = write("a.avsc", {"name": "a.F", "size": 1, "type": "fixed", "x": 2, "b": 1})
    assert accord("canonical", file, "--form", form).stdout == f"{text}\n"


def test_what_a_file_refers_to_is_written_out(accord: Program, write: Write) -> None:
    part = write("part.avsc", {"type": "fixed", "name": "P", "size": 1})
    whole = write("whole.avsc", {"type": "array", "items": "P"})
    given = ("canonical", whole, "-r", f"P={part}", "--form")
    assert accord(*given, "canonical").stdout == '{"type":"array","items":"P"}\n'
    assert '"size":1' in accord(*given, "resolved").stdout


def test_a_form_of_another_format_is_refused_by_name(accord: Program, write: Write) -> None:
    done = accord("canonical", write("a.json", {}), "--form", "parsing")
    assert done.exit_code == 2
    assert "JSON has no such form; it has canonical, normalized, resolved" in done.stderr


def test_programs_get_every_form_and_name(accord: Program, write: Write) -> None:
    told = json.loads(accord("canonical", write("a.avsc", "int"), "--json").stdout)
    assert told["digest"] == hashlib.sha256(b'"int"').hexdigest()
    assert told["fingerprints"]["rabin"] == "7275d51a3f395c8f"
    assert told["forms"]["parsing"] == '"int"'
    told = json.loads(
        accord("canonical", "-", "--format", "protobuf", "--json", stdin=MESSAGE.encode()).stdout
    )
    assert (sorted(told["forms"]), told["fingerprints"]) == (
        ["canonical", "ignore_extensions", "normalized", "serialized"],
        {},
    )
