"""Reserved names of fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.errors import InvalidSchema
from accord.model import NO_CONTRACT, Contract, Metadata, Severity, Verdict
from accord.policy.confluent import messages
from accord.policy.reserved import RESERVED, require_plain_fields, reserved_findings, top_level_fields
from tests.accord.avro_texts import avro, record
from tests.accord.json_texts import json_schema
from tests.accord.protobuf_texts import protobuf

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.formats import ParsedSchema

REMOVED = (
    "The new schema has reserved field {} removed from its metadata which is present in the old schema's"
    " metadata."
)
INNER = {"type": "object", "properties": {"deep": {}}}
FILE = """syntax = "proto3";
import "google/protobuf/descriptor.proto";
enum Kind { ZERO = 0; }
message First { int32 a = 1; Deep b = 2; message Deep { int32 deep = 1; } }
message Second { int32 other = 1; oneof one { int32 either = 2; } }
extend google.protobuf.FileOptions { string extension = 50000; }
"""


def reserving(names: str) -> Contract:
    """A contract that reserves names."""
    return Contract(Metadata(properties=((RESERVED, names),)))


@pytest.mark.parametrize(
    ("parse", "source", "names"),
    [
        (avro, record(("a", "int"), ("b", record(("deep", "int"), name="D"))), ["a", "b"]),
        (avro, {"type": "array", "items": record(("deep", "int"))}, []),
        (avro, '"string"', []),
        (avro, {"type": "enum", "name": "E", "symbols": ["A"]}, []),
        (json_schema, {"type": "object", "properties": {"a": {}, "b": INNER}}, ["a", "b"]),
        (json_schema, {"type": "array", "items": INNER}, []),
        (json_schema, True, []),
        (protobuf, FILE, ["a", "b", "other", "either"]),
        (protobuf, 'syntax = "proto3"; enum Kind { ZERO = 0; }', []),
    ],
)
def test_the_fields_on_the_top_level(
    parse: Callable[[Any], ParsedSchema], source: object, names: list[str]
) -> None:
    assert [one.name for one in top_level_fields(parse(source))] == names


def test_what_a_schema_does_to_reserved_names() -> None:
    schema = avro(record(("f1", "int"), ("f5", "int")))
    found = reserved_findings(schema, reserving("f5 , f6,,"), reserving("f7,f6,f0"))
    assert [(one.rule, one.path, one.detail) for one in found] == [
        ("RESERVED_NAME_REMOVED", "/", "f0"),
        ("RESERVED_NAME_REMOVED", "/", "f7"),
        ("RESERVED_NAME_USED", "/fields/1", "f5"),
    ]
    assert {one.severity for one in found} == {Severity.BLOCK}
    assert messages(Verdict((), found[1:]), old_texts={}, level_name="NONE", validate_fields=True) == [
        REMOVED.format("f7"),
        "The new schema has field that conflicts with the reserved field f5.",
        "{validateFields: 'true', compatibility: 'NONE'}",
    ]


def test_protobuf_has_rules_of_its_own_for_reserved_names() -> None:
    found = reserved_findings(protobuf(FILE), reserving("other"), reserving("gone"))
    assert [(one.rule, one.path, one.detail) for one in found] == [
        ("METADATA_RESERVED_FIELD_REMOVED", "/", "gone"),
        ("METADATA_RESERVED_FIELD_IN_USE", "/schema.proto/messages/Second/fields/1", "other"),
    ]
    said = messages(Verdict((), found), old_texts={}, level_name="NONE", validate_fields=True)
    assert said[0] == REMOVED.format("gone")


def test_nothing_is_found_where_nothing_is_reserved() -> None:
    assert reserved_findings(avro(record(("f5", "int"))), NO_CONTRACT, NO_CONTRACT) == ()
    assert reserved_findings(avro(record(("f1", "int"))), reserving("f5"), reserving("f5")) == ()


def test_names_of_the_registry_itself_are_refused_on_the_top_level() -> None:
    require_plain_fields(json_schema({"type": "object", "properties": {"a$$": {}, "b": INNER}}))
    schema = json_schema({"type": "object", "properties": {"$$a": {}}})
    with pytest.raises(InvalidSchema) as refused:
        require_plain_fields(schema)
    assert (refused.value.location, "'$$a' begins with $$" in refused.value.message) == (
        "/properties/$$a",
        True,
    )
