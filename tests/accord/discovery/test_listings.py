"""The fields and types of schemas, alike in the three formats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.discovery.listings import listing_of
from accord.formats import listing
from accord.formats.listing import Listed, RowKind
from accord.model import Format, SchemaText

ADDRESS = {"name": "Address", "type": "record", "fields": [{"name": "zip", "type": "string"}]}
AVRO = {
    "type": "record",
    "name": "Order",
    "namespace": "shop",
    "doc": "An order",
    "confluent:tags": ["SALES"],
    "fields": [
        {"name": "id", "type": "long", "doc": "The  number\n of it", "confluent:tags": ["PII", 1]},
        {"name": "note", "type": ["null", {"type": "string", "logicalType": "uuid"}], "default": None},
        {"name": "to", "type": ADDRESS},
        {"name": "also", "type": {"type": "array", "items": "Address"}},
        {"name": "by", "type": {"type": "map", "values": "shop.Address"}},
        {"name": "next", "type": ["null", "Order"], "default": None},
        {"name": "else", "type": ["int", "Foreign"]},
        {"name": "nothing", "type": ["null"]},
        {"name": "odd", "type": {"type": {"type": "enum", "name": "E", "symbols": ["A"]}}},
    ],
}
JSON = {
    "title": "Order",
    "type": "object",
    "required": ["id", 1],
    "$defs": {
        "Address": {"type": "object", "properties": {"zip": {"type": "string"}}},
        "Loop": {"$ref": "#/$defs/Loop"},
        "list": [{"properties": {"in": {}}}],
    },
    "properties": {
        "id": {"type": "integer", "description": "The number", "confluent:tags": ["PII"], "default": 0},
        "note": {"type": ["string", "null"], "format": "uuid"},
        "to": {"$ref": "#/$defs/Address"},
        "also": {"type": "array", "items": {"$ref": "#/$defs/Address"}},
        "next": {"oneOf": [{"type": "null"}, {"$ref": "#"}]},
        "else": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "kinds": {"type": ["integer", "string"]},
        "color": {"enum": ["red"], "title": "Color"},
        "free": {"properties": {}},
        "any": {},
        "none": {"type": "null"},
        "away": {"$ref": "other.json#/Foreign"},
        "lost": {"$ref": "#/$defs/Nobody/at/all"},
        "loop": {"$ref": "#/$defs/Loop"},
        "listed": {"$ref": "#/$defs/list/0"},
        "beyond": {"$ref": "#/$defs/list/7"},
    },
}
PROTOBUF = """syntax = "proto2";
package shop;

// An order.
message Order {
  // The number
  required int64 id = 1 [default = 7];
  optional string note = 2;
  optional Address to = 3;
  repeated Address also = 4;
  map<string, .shop.Address> by = 5;
  oneof either {
    string left = 6;
    group Right = 7 { optional int32 deep = 1; }
  }
  optional Order next = 8;
  optional away.Foreign away = 9;
  optional .away.Foreign far = 10;
  extensions 100 to 200;
  message Address { optional string zip = 1; }
}
message Lone { optional Color color = 1; }
enum Color { RED = 0; }
extend Order { optional string more = 100; }
"""


def rows(format_: Format, schema: Any) -> tuple[Listed, ...]:
    text = schema if isinstance(schema, str) else json.dumps(schema)
    return listing_of(SchemaText(format_, text)).rows


def told(format_: Format, schema: Any) -> dict[str, str]:
    return {one.path: one.type for one in rows(format_, schema) if one.kind is RowKind.FIELD}


def types(format_: Format, schema: Any) -> dict[str, str]:
    return {one.path: one.type for one in rows(format_, schema) if one.kind is RowKind.TYPE}


def test_avro() -> None:
    assert told(Format.AVRO, AVRO) == {
        "id": "long",
        "note": "string",
        "to": "Address",
        "also": "array of Address",
        "by": "map to Address",
        "next": "Order",
        "else": "union of int, Foreign",
        "nothing": "null",
        "odd": "E",
        "to.zip": "string",
        "also.zip": "string",
        "by.zip": "string",
    }
    assert types(Format.AVRO, AVRO) == {"shop.Order": "record", "shop.Address": "record", "shop.E": "enum"}


def test_json_schema() -> None:
    assert told(Format.JSON, JSON) == {
        "id": "integer",
        "note": "string",
        "to": "Address",
        "also": "array of Address",
        "next": "#",
        "else": "union of integer, string",
        "kinds": "union of integer, string",
        "color": "enum",
        "free": "object",
        "any": "any",
        "none": "null",
        "away": "Foreign",
        "lost": "all",
        "loop": "Loop",
        "listed": "0",
        "beyond": "7",
        "to.zip": "string",
        "also.zip": "string",
        "listed.in": "any",
    }
    assert types(Format.JSON, JSON) == {"Order": "object", "Address": "object", "Color": "enum"}


def test_protobuf() -> None:
    assert told(Format.PROTOBUF, PROTOBUF) == {
        "id": "int64",
        "note": "string",
        "to": "Address",
        "also": "array of Address",
        "by": "map to .shop.Address",
        "left": "string",
        "right": "group",
        "next": "Order",
        "away": "away.Foreign",
        "far": ".away.Foreign",
        "to.zip": "string",
        "also.zip": "string",
        "right.deep": "int32",
        "Lone.color": "Color",
        "Order.more": "string",
    }
    assert types(Format.PROTOBUF, PROTOBUF) == {
        "shop.Color": "enum",
        "shop.Order": "message",
        "shop.Order.Right": "message",
        "shop.Order.Address": "message",
        "shop.Lone": "message",
    }


@pytest.mark.parametrize(
    ("format_", "schema"), [(Format.AVRO, AVRO), (Format.JSON, JSON), (Format.PROTOBUF, PROTOBUF)]
)
def test_what_is_said_of_a_field(format_: Format, schema: Any) -> None:
    found = {one.path: one for one in rows(format_, schema)}
    assert found["id"].doc.startswith("The number")
    assert found["id"].is_required
    assert not found["id"].is_nullable
    assert found["note"].is_nullable
    assert not found["also"].is_nullable
    assert found["id"].has_default is (format_ is not Format.AVRO)


def test_tags_and_logical_types() -> None:
    for format_, schema in ((Format.AVRO, AVRO), (Format.JSON, JSON)):
        found = {one.path: one for one in rows(format_, schema)}
        assert found["id"].tags == ("PII",)
        assert found["note"].logical == "uuid"
    tagged = 'syntax = "proto3";\nmessage M {\n  string a = 1 [(confluent.field_meta).tags = "PII"];\n}\n'
    assert rows(Format.PROTOBUF, tagged)[0].tags == ("PII",)


@pytest.mark.parametrize(
    ("format_", "text"), [(Format.AVRO, '"int"'), (Format.AVRO, '{"type":"int"}'), (Format.JSON, "true")]
)
def test_schemas_without_fields(format_: Format, text: str) -> None:
    assert rows(format_, text) == ()


def test_a_union_at_the_root_and_records_in_place() -> None:
    union = [{"type": "error", "name": "A", "fields": []}, {"type": "array", "items": AVRO}]
    assert "to.zip" in told(Format.AVRO, union)
    assert rows(Format.AVRO, {"type": "record", "name": "A", "fields": "none"})[0].kind is RowKind.TYPE


def test_long_and_odd_texts_are_cut() -> None:
    field = {
        "name": "a",
        "type": "int",
        "doc": "x" * 5_000 + "\0",
        "confluent:tags": ["", "t" * 500, "T", "T"],
    }
    long = {"name": "n" * 1_001, "type": "int", "doc": 7}
    (row, kind) = rows(Format.AVRO, {"type": "record", "name": "R", "fields": [field, long]})
    assert len(row.doc) == listing.LONGEST_DOC
    assert row.tags == ("T",)
    assert kind.kind is RowKind.TYPE


def wide(levels: int, width: int) -> dict[str, Any]:
    """Make a record whose fields have the next one as their type, and so on: far more ways than text."""
    made: dict[str, Any] = {
        "type": "record",
        "name": f"L{levels}",
        "fields": [{"name": "end", "type": "int"}],
    }
    for level in range(levels - 1, -1, -1):
        fields = [{"name": f"f{at}", "type": made if at == 0 else f"L{level + 1}"} for at in range(width)]
        made = {"type": "record", "name": f"L{level}", "fields": fields}
    return made


def test_ways_without_end_are_cut() -> None:
    found = listing_of(SchemaText(Format.AVRO, json.dumps(wide(10, 10))))
    assert found.is_cut
    fields = [one for one in found.rows if one.kind is RowKind.FIELD]
    assert len(fields) == listing.MOST_ROWS
    messages = "".join(
        f"message M{n} {{ {' '.join(f'M{n + 1} f{at} = {at + 1};' for at in range(10))} }}\n"
        for n in range(9)
    )
    found = listing_of(SchemaText(Format.PROTOBUF, f'syntax = "proto3";\n{messages}message M9 {{}}\n'))
    assert found.is_cut


def test_branches_without_end_are_cut() -> None:
    names = [f"N{at}" for at in range(listing.MOST_PLACES + 10)]
    found = listing_of(SchemaText(Format.AVRO, json.dumps(names)))
    assert found.is_cut


def test_many_extensions_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.formats.protobuf.listing.MOST_ROWS", 1)
    found = listing_of(SchemaText(Format.PROTOBUF, PROTOBUF))
    assert found.is_cut
    text = 'syntax = "proto2";\nextend A { optional int32 b = 1; optional int32 c = 2; }\n'
    assert listing_of(SchemaText(Format.PROTOBUF, text)).is_cut


def test_depth_is_bounded() -> None:
    inner: Any = {"type": "integer"}
    for _ in range(30):
        inner = {"properties": {"a": inner}}
    deepest = max(len(one.path.split(".")) for one in rows(Format.JSON, inner))
    assert deepest == listing.DEEPEST
