from __future__ import annotations

import sys
from typing import cast

import pytest

from accord.errors import FormatNotInstalled, Kind, UnknownFormat
from accord.formats import is_equivalent, parse
from accord.formats import protobuf as protobuf_package
from accord.formats.protobuf import service
from accord.model import Format, SchemaText
from tests.accord.avro_texts import avro, record
from tests.accord.protobuf_texts import COMPILER
from tests.accord.stand_ins import ForeignSchema


def test_a_format_without_a_parser_is_unknown() -> None:
    with pytest.raises(UnknownFormat) as caught:
        parse(SchemaText(cast("Format", "COBOL"), "{}"))
    assert str(caught.value) == "Invalid schema type COBOL"
    assert caught.value.kind is Kind.INVALID


def test_protobuf_is_parsed_where_its_packages_are(monkeypatch: pytest.MonkeyPatch) -> None:
    service.use(COMPILER)
    assert parse(SchemaText(Format.PROTOBUF, 'syntax = "proto3";')).canonical == 'syntax = "proto3";\n'
    monkeypatch.setitem(sys.modules, "accord.formats.protobuf.schema", None)
    monkeypatch.delattr(protobuf_package, "schema")
    with pytest.raises(FormatNotInstalled, match=r"install accord\[protobuf\]"):
        parse(SchemaText(Format.PROTOBUF, ""))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (record(("a", "int"), x=1, y=2), record(("a", {"type": "int"}), y=2, x=1)),
        (record(name="s.R"), record(name="R", namespace="s")),
        (record(aliases=["P", "Q"]), record(aliases=["Q", "P"])),
        (record(meta={"b": 1, "a": 2}), record(meta={"a": 2, "b": 1})),
    ],
)
def test_spelling_makes_no_difference(one: object, other: object) -> None:
    assert is_equivalent(avro(one), avro(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (record(doc=""), record()),
        (record(aliases=["P"]), record()),
        (record(x=1), record(x=1.0)),
        (record(("a", "int"), ("b", "int")), record(("b", "int"), ("a", "int"))),
        (
            {"type": "enum", "name": "E", "symbols": ["A"], "default": "A"},
            {"type": "enum", "name": "E", "symbols": ["A"]},
        ),
    ],
)
def test_meaning_makes_a_difference(one: object, other: object) -> None:
    assert not is_equivalent(avro(one), avro(other))


def test_two_formats_are_never_equivalent() -> None:
    text = avro('"int"').comparable()
    assert not is_equivalent(avro('"int"'), ForeignSchema(text, Format.JSON))
    assert is_equivalent(ForeignSchema(text, Format.JSON), ForeignSchema(text, Format.JSON))
