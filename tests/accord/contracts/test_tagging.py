"""Tags inside schemas of all three formats: listed, added, removed, carried over."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.contracts import tagging
from accord.contracts.limits import ContractLimits
from accord.contracts.reading import read_names, read_schema_tags
from accord.contracts.tagging import retagged, schema_tags
from accord.contracts.writing import schema_tags_data
from accord.errors import ContractTooLarge, InvalidContract, InvalidSchema
from accord.formats import parse
from accord.formats.tagging import LONGEST_PATH
from accord.model import EntityType, Format, SchemaEntity, SchemaTags, SchemaText
from tests.accord.protobuf_texts import protobuf

RECORD, FIELD = EntityType.RECORD, EntityType.FIELD

AVRO = {
    "type": "record",
    "name": "Order",
    "namespace": "com.x",
    "fields": [
        {"name": "id", "type": "string"},
        {
            "name": "lines",
            "type": {
                "type": "array",
                "items": {"type": "record", "name": "Line", "fields": [{"name": "sku", "type": "int"}]},
            },
        },
        {
            "name": "notes",
            "type": {
                "type": "map",
                "values": [
                    "null",
                    {
                        "type": "error",
                        "name": "Bare",
                        "namespace": "",
                        "fields": [{"name": "x", "type": "Bare"}],
                    },
                ],
            },
        },
        {"name": "again", "type": ["null", "Line", {"type": "enum", "name": "E", "symbols": ["A"]}]},
    ],
}
AVRO_PATHS = {
    RECORD: ["com.x.Order", "com.x.Line", "Bare"],
    FIELD: [*(f"com.x.Order.{one}" for one in ("id", "lines", "notes", "again")), "com.x.Line.sku", "Bare.x"],
}
JSON = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "lines": {"type": "array", "items": {"properties": {"sku": {}}}},
        "pair": {"prefixItems": [{"properties": {"a": {}}}], "items": False},
        "kind": {"oneOf": [{"type": ["object", "null"]}, {"$ref": "#/$defs/Line"}]},
        "any": True,
    },
    "$defs": {"Line": {"type": "object", "properties": {"x.y": {}}}},
}
JSON_PATHS = {
    RECORD: [
        "object",
        "$defs.Line.object",
        "object.lines.array.object",
        "object.pair.array.0.object",
        "object.kind.oneOf.0.object",
    ],
    FIELD: [
        *(f"object.{one}" for one in ("id", "lines", "pair", "kind")),
        "$defs.Line.object.x.y",
        "object.lines.array.object.sku",
        "object.pair.array.0.object.a",
    ],
}
PROTOBUF = """syntax = "proto2";
package com.x;

message Order {
  optional string id = 1;

  oneof kind {
    int32 a = 2;

    group Grouped = 3 {
      optional int32 inner = 1;
    }
  }

  repeated group Lines = 4 {
    optional int32 sku = 1;
  }

  message Line {
    map<string, Order> orders = 1;
  }
}
enum E {
  Z = 0;
}
"""
PROTOBUF_PATHS = {
    RECORD: [f".com.x.Order{one}" for one in ("", ".Grouped", ".Lines", ".Line")],
    FIELD: [
        f".com.x.Order.{one}"
        for one in ("id", "a", "grouped", "Grouped.inner", "lines", "Lines.sku", "Line.orders")
    ],
}


def text_of(value: object) -> str:
    """A JSON value as a text without spaces."""
    return json.dumps(value, separators=(",", ":"))


CASES = [
    (SchemaText(Format.AVRO, text_of(AVRO)), AVRO_PATHS),
    (SchemaText(Format.JSON, text_of(JSON)), JSON_PATHS),
    (SchemaText(Format.PROTOBUF, PROTOBUF), PROTOBUF_PATHS),
]
EVERY = pytest.mark.parametrize(("source", "paths"), CASES, ids=[str(source.format) for source, _ in CASES])


def canonical(source: SchemaText) -> str:
    """The canonical text."""
    return (protobuf(source.text) if source.format is Format.PROTOBUF else parse(source)).canonical


def tagged(path: str, kind: EntityType, *tags: str) -> SchemaTags:
    """Tags of one part."""
    return SchemaTags(SchemaEntity(path, kind), tags)


def listed(source: SchemaText, *wanted: str) -> list[tuple[str, tuple[str, ...]]]:
    """Paths and tags."""
    return [(one.entity.path, one.tags) for one in schema_tags(source, wanted or ("*",))]


@EVERY
def test_each_part_can_be_tagged_and_loses_its_tags_again(
    source: SchemaText, paths: dict[EntityType, list[str]]
) -> None:
    bare = SchemaText(source.format, canonical(source))
    given = [tagged(path, kind, "PII", "A", "PII") for kind in paths for path in paths[kind]]
    known = [one.entity for one in tagging.TAGGING[bare.format].entities(bare.text)]
    assert sorted(one.path for one in known) == sorted(one.entity.path for one in given)
    after = retagged(bare, add=given)
    assert canonical(after) == after.text
    assert sorted(listed(after)) == sorted((one.entity.path, ("PII", "A")) for one in given)
    less = retagged(after, remove=[tagged(one.entity.path, one.entity.type, "PII") for one in given])
    assert {tags for _, tags in listed(less)} == {("A",)}
    none = retagged(less, remove=schema_tags(less))
    assert none.text.replace('\nimport "confluent/meta.proto";\n', "") == bare.text
    assert schema_tags(none) == ()


@EVERY
def test_a_part_that_is_not_there_is_named(source: SchemaText, paths: dict[EntityType, list[str]]) -> None:
    for kind, other in ((RECORD, FIELD), (FIELD, RECORD)):
        for asked in ("none", paths[other][0]):
            with pytest.raises(InvalidSchema) as caught:
                retagged(source, add=[tagged(paths[kind][0], kind, "A")], remove=[tagged(asked, kind, "A")])
            assert repr(asked.removeprefix(".")) in caught.value.message
            assert paths[kind][0] in caught.value.message


@EVERY
def test_what_asks_for_nothing_changes_nothing(
    source: SchemaText, paths: dict[EntityType, list[str]]
) -> None:
    assert retagged(source) is source
    field = paths[FIELD][0]
    assert retagged(source, remove=[tagged(field, FIELD, "A")]) == source
    assert retagged(source, add=[tagged(field, FIELD, "A")], remove=[tagged(field, FIELD, "A")]) == source


def test_a_schema_without_parts_says_so() -> None:
    for format_, text in ((Format.AVRO, '"string"'), (Format.JSON, "true"), (Format.JSON, "{}")):
        with pytest.raises(InvalidSchema, match="it has no records"):
            retagged(SchemaText(format_, text), add=[tagged("object", RECORD, "A")])


@EVERY
def test_tags_are_carried_to_what_is_still_there(
    source: SchemaText, paths: dict[EntityType, list[str]]
) -> None:
    field = paths[FIELD][0]
    carried = [tagged(field, FIELD, "OLD", "GONE"), tagged("none", FIELD, "A")]
    add, remove = [tagged(field, FIELD, "NEW")], [tagged(field, FIELD, "GONE")]
    after = retagged(source, add=add, remove=remove, carried=carried)
    assert listed(after) == [(field, ("OLD", "NEW"))]


def test_the_paths_of_protobuf_may_leave_out_the_dot_in_front() -> None:
    source = SchemaText(Format.PROTOBUF, PROTOBUF)
    assert listed(retagged(source, add=[tagged("com.x.Order", RECORD, "A")])) == [(".com.x.Order", ("A",))]


def test_parts_are_found_by_their_tags_and_shown_with_all_of_them() -> None:
    source = SchemaText(Format.AVRO, text_of(AVRO))
    add = [tagged("com.x.Order", RECORD, "A", "B"), tagged("com.x.Line.sku", FIELD, "C")]
    after = retagged(source, add=add)
    assert listed(after, "B", "none") == [("com.x.Order", ("A", "B"))]
    assert listed(after, "C") == [("com.x.Line.sku", ("C",))]
    assert listed(after, "none") == []


def test_other_values_in_the_place_of_tags_are_none() -> None:
    for value, tags in (("PII", []), ([1, "A"], [("R.f", ("A",))])):
        schema = {
            "type": "record",
            "name": "R",
            "fields": [{"name": "f", "type": "int", "confluent:tags": value}],
        }
        assert listed(SchemaText(Format.AVRO, text_of(schema))) == tags


def test_of_two_parts_with_one_path_the_first_is_meant() -> None:
    schema: dict[str, Any] = {"properties": {"a": {"properties": {"b": {}}}, "a.object.b": {}}}
    after = retagged(SchemaText(Format.JSON, text_of(schema)), add=[tagged("object.a.object.b", FIELD, "A")])
    assert json.loads(after.text)["properties"]["a.object.b"] == {"confluent:tags": ["A"]}


def test_no_more_parts_are_listed_than_are_wanted() -> None:
    parts = [tagged("com.x.Order", RECORD, "A"), tagged("com.x.Order.id", FIELD, "A")]
    after = retagged(SchemaText(Format.AVRO, text_of(AVRO)), add=parts)
    assert [len(schema_tags(after, most=most)) for most in (None, 1, 0)] == [2, 1, 0]


def test_what_is_named_at_too_great_a_length_has_no_path() -> None:
    name = "x" * LONGEST_PATH
    avro: dict[str, Any] = {
        "type": "record",
        "name": name,
        "namespace": "n",
        "fields": [{"name": "f", "type": "int"}],
    }
    texts = {
        Format.AVRO: text_of(avro),
        Format.JSON: text_of({"properties": {name: {"properties": {"a": {}}}}}),
        Format.PROTOBUF: f"package p;\nmessage {name} {{ optional int32 a = 1; }}",
    }
    for format_, text in texts.items():
        found = [one.entity.path for one in tagging.TAGGING[format_].entities(text)]
        assert found == (["object"] if format_ is Format.JSON else [])


@pytest.mark.parametrize(
    ("options", "added"),
    [
        ('(confluent.field_meta) = {doc: "d" tags: "A"}', '{doc: "d", tags: ["A", "B"]}'),
        ('(.confluent.field_meta) = {tags: ["A"]}', '{tags: ["A", "B"]}'),
        ('(confluent.field_meta).tags = "A"', '{tags: ["A", "B"]}'),
        ('(confluent.field_meta).doc = "d", (confluent.field_meta).tags = "A"', None),
        ('(confluent.field_meta).tags = "A", (other.meta) = {tags: "X"}', '{tags: ["A", "B"]}'),
        ('(confluent.field_meta) = {tags: ["A", 5]}', '{tags: ["A", "B"]}'),
    ],
)
def test_tags_of_protobuf_are_read_however_they_are_spelled(options: str, added: str | None) -> None:
    text = f'import "confluent/meta.proto";\nmessage M {{ optional int32 f = 1 [{options}]; }}'
    source = SchemaText(Format.PROTOBUF, text)
    assert listed(source) == [(".M.f", ("A",))]
    after = retagged(source, add=[tagged(".M.f", FIELD, "B")])
    assert listed(after) == [(".M.f", ("A", "B"))]
    one_line = " ".join(after.text.split()).replace("{ ", "{").replace(" }", "}")
    shown = one_line.replace("[ ", "[").replace(" ]", "]")
    assert after.text.count("import") == 1
    if added is None:
        assert '(confluent.field_meta).tags = "A", (confluent.field_meta).tags = "B"' in shown
    else:
        assert f"field_meta) = {added}" in shown
    less = retagged(after, remove=[tagged(".M.f", FIELD, "A", "B")])
    assert listed(less) == []
    assert ("other.meta" in less.text) == ("other.meta" in options)


def test_tags_are_read_and_written_as_they_are_sent() -> None:
    sent = [
        {"schemaEntity": {"entityPath": "a.b", "entityType": "sr_field"}, "tags": ["B", "A"]},
        {"schemaEntity": {"entityPath": ".a", "entityType": "sr_record"}, "tags": []},
    ]
    read = read_schema_tags(sent, "tagsToAdd")
    assert read == (tagged("a.b", FIELD, "B", "A"), tagged(".a", RECORD))
    assert schema_tags_data(read) == sent
    assert read_schema_tags(None, "tagsToAdd") == ()
    assert (read_names(["b", "a", "b"], "names"), read_names(None, "names")) == (("a", "b"), ())


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "tags must be an array"),
        ([1], r"tags\[0\] must be an object"),
        ([{}], r"tags\[0\].schemaEntity must be an object"),
        ([{"schemaEntity": {}}], "entityType must be one of sr_record, sr_field"),
        ([{"schemaEntity": {"entityType": "x"}}], "entityType must be one of sr_record, sr_field"),
        ([{"schemaEntity": {"entityType": "sr_field"}}], "entityPath must be a string"),
        ([{"schemaEntity": {"entityType": "sr_field", "entityPath": "a"}, "tags": "A"}], "must be an array"),
        ([{"schemaEntity": {"entityType": "sr_field", "entityPath": "a"}, "tags": [1]}], "must be a string"),
    ],
)
def test_what_is_no_list_of_tags_is_refused_with_its_place(sent: object, words: str) -> None:
    with pytest.raises(InvalidContract, match=words):
        read_schema_tags(sent, "tags")


def test_tags_have_limits() -> None:
    sent = schema_tags_data([tagged("a", FIELD, "A", "B")])
    with pytest.raises(ContractTooLarge):
        read_schema_tags(sent, "tags", ContractLimits(entries=2))
