"""Which format a file is read as."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.cli.sniffing import format_of
from accord.model import Format
from tests.accord.cli.schemas import BARE, closed

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write

AVRO = ["int", ["null", "int"], BARE, {"type": "map", "values": "int"}, {"type": "array", "items": "int"}]
ARRAY = {"type": "array", "items": [{"type": "string"}]}
JSON = [closed(), {}, {"type": "string"}, ARRAY, {"$schema": "x", "type": "record"}, True, {"type": ["int"]}]


@pytest.mark.parametrize("name", ["a.json", "-", "a.txt"])
def test_the_text_decides_where_the_name_does_not(name: str) -> None:
    assert {format_of(name, json.dumps(one)) for one in AVRO} == {Format.AVRO}
    assert {format_of(name, json.dumps(one)) for one in JSON} == {Format.JSON}
    assert format_of(name, json.dumps({"type": "array", "items": ["null", "int"]})) is Format.AVRO


@pytest.mark.parametrize("text", ["{}", '"int"', "{", "[" * 100_000])
def test_a_suffix_of_one_format_decides(text: str) -> None:
    assert format_of("a.avsc", text) is Format.AVRO
    assert format_of("A.AVSC", text) is Format.AVRO
    assert format_of("a.proto", text) is Format.PROTOBUF


@pytest.mark.parametrize("text", ["{", "[" * 100_000 + "]" * 100_000, '{"a": NaN}', ""])
def test_what_is_no_json_has_the_format_of_its_name(text: str) -> None:
    assert format_of("a.json", text) is Format.JSON
    assert format_of("-", text) is Format.AVRO


def test_an_option_decides_over_all(accord: Program, write: Write) -> None:
    paths = [write("old.json", {"type": "string"}), write("new.json", {"type": "bytes"})]
    assert accord("check", *paths, "--format", "avro").exit_code == 0
    assert accord("check", write("a.avsc", {}), write("b.avsc", {}), "--format", "JSON").exit_code == 0
    assert accord("check", *paths, "--format", "protobuf").exit_code == 2


def test_two_formats_cannot_follow_each_other(accord: Program, write: Write) -> None:
    result = accord("check", write("old.avsc", BARE), write("new.json", closed()))
    assert result.exit_code == 1
    assert "DIFFERENT_SCHEMA_TYPE" in result.stdout
