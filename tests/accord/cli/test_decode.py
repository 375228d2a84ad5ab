"""`accord decode`: framed records to JSON lines, with and without a registry."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

from accord.codecs import avro_schema, encode_record
from accord.model import Format, SchemaText

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write
    from tests.accord.client.stand_in import StandIn

ORDER = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
FIVE = b"\x00\x00\x00\x00\x07\x0a"


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_record_is_read_with_a_schema_file(accord: Program, write: Write) -> None:
    result = accord("decode", "-", "--schema", write("o.avsc", ORDER), stdin=FIVE)
    assert (result.exit_code, lines(result.stdout)) == (0, [{"schema": 7, "value": {"id": 5}}])


def test_the_schema_is_avro_whatever_its_file_is_called(accord: Program, write: Write) -> None:
    path = write("o.json", {"type": "string"})
    result = accord("decode", "-", "--schema", path, stdin=b"\x00\x00\x00\x00\x07\x02a")
    assert lines(result.stdout) == [{"schema": 7, "value": "a"}]


@pytest.mark.parametrize(("spelling", "text"), [("hex", FIVE.hex()), ("base64", b64encode(FIVE).decode())])
def test_records_come_one_a_line(accord: Program, write: Write, spelling: str, text: str) -> None:
    path = write("records", f"{text}\n\n{text}\n".encode())
    result = accord("decode", path, "--schema", write("o.avsc", ORDER), "--input", spelling)
    assert lines(result.stdout) == [{"schema": 7, "value": {"id": 5}}] * 2


def test_the_registry_is_asked_for_each_schema(accord: Program, registry: StandIn) -> None:
    registry.answer("GET /schemas/ids/7", {"schema": json.dumps(ORDER)})
    result = accord("decode", "-", "--url", registry.url, stdin=FIVE)
    assert lines(result.stdout) == [{"schema": 7, "value": {"id": 5}}]


def test_references_are_files(accord: Program, write: Write) -> None:
    home = {"type": "record", "name": "Home", "fields": [{"name": "order", "type": "Order"}]}
    files = ["--schema", write("h.avsc", home), "-r", f"Order={write('o.avsc', ORDER)}"]
    assert lines(accord("decode", "-", *files, stdin=FIVE).stdout)[0]["value"] == {"order": {"id": 5}}


def test_what_json_lacks_is_text(accord: Program, write: Write) -> None:
    kinds = {
        "raw": "bytes",
        "far": "double",
        "day": {"type": "int", "logicalType": "date"},
        "price": {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2},
        "many": {"type": "array", "items": "boolean"},
    }
    odd = {
        "type": "record",
        "name": "O",
        "fields": [{"name": one, "type": kind} for one, kind in kinds.items()],
    }
    value = {"raw": b"\xff", "far": float("inf"), "day": 0, "price": b"\x05", "many": [True]}
    data = encode_record(1, value, avro_schema(SchemaText(Format.AVRO, json.dumps(odd))))
    shown = lines(accord("decode", "-", "--schema", write("o.avsc", odd), stdin=data).stdout)[0]["value"]
    assert shown == {"raw": "/w==", "far": "inf", "day": "1970-01-01", "price": "0.05", "many": [True]}


WRONG = [
    ([], b"", "record 1: the record is empty"),
    ([], b"\x05", "record 1: the first byte is 5"),
    ([], FIVE + b"\x00", "1 bytes are left over"),
    (["--input", "hex"], b"zz", "record 1: no hex"),
    (["--input", "base64"], b"AAAAAAcK\n===", "record 2: no base64"),
]


@pytest.mark.parametrize(("options", "stdin", "words"), WRONG)
def test_what_is_no_record_is_named(
    accord: Program, write: Write, options: list[str], stdin: bytes, words: str
) -> None:
    result = accord("decode", "-", "--schema", write("o.avsc", ORDER), *options, stdin=stdin)
    assert result.exit_code == 2
    assert words in result.stderr


def test_errors_are_json_for_programs(accord: Program, write: Write) -> None:
    result = accord("decode", "-", "--schema", write("o.avsc", ORDER), "--json", stdin=b"\x05")
    assert (result.exit_code, json.loads(result.stdout)["code"]) == (2, "unreadable_record")


def test_a_schema_or_a_registry_is_needed(accord: Program) -> None:
    result = accord("decode", "-", stdin=FIVE)
    assert result.exit_code == 2
    assert "Give --schema FILE, or --url" in result.stderr
    assert accord("decode", "none", "--url", "http://127.0.0.1:9").exit_code == 2


def test_an_input_that_is_too_long_is_not_read_to_its_end(
    accord: Program, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["accord.cli.decode"], "LONGEST_INPUT", len(FIVE))
    files = ("--schema", write("o.avsc", ORDER))
    assert accord("decode", "-", *files, stdin=FIVE).exit_code == 0
    refused = accord("decode", "-", *files, stdin=FIVE + b"\x00")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"-: longer than {len(FIVE)} bytes" in refused.stderr
