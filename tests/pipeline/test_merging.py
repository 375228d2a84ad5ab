"""Merging writer schemas: what one reader schema makes of several versions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.formats import parse
from accord.formats.avro.canonical import canonical_text
from accord.formats.avro.schema import AvroSchema
from accord.model.levels import CONFLUENT_LEVELS
from accord.pipeline.errors import UnmergeableSchemas
from accord.pipeline.merging import merge
from accord.policy import HistoryEntry, Policy, judge
from tests.pipeline.records import V1, V2, V3, avro

if TYPE_CHECKING:
    from accord.formats.avro.model import Node
    from tests.pipeline.records import AvroJson


def node(schema: AvroJson) -> Node:
    parsed = parse(avro(schema), strict=False)
    assert isinstance(parsed, AvroSchema)
    return parsed.root


def merged(*schemas: AvroJson) -> Any:
    return json.loads(canonical_text(merge([node(one) for one in schemas]), known={}))


def record(*fields: tuple[str, AvroJson], name: str = "R") -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": key, "type": kind} for key, kind in fields]}


def logical(kind: str, meaning: str, **more: int) -> dict[str, Any]:
    return {"type": kind, "logicalType": meaning, **more}


PAIRS: list[tuple[AvroJson, AvroJson, AvroJson]] = [
    ("int", "int", "int"),
    ("int", "long", "long"),
    ("int", "float", "double"),
    ("long", "double", "double"),
    ("float", "float", "float"),
    ("string", "bytes", ["string", "bytes"]),
    ("null", "int", ["null", "int"]),
    (["null", "int"], "long", ["null", "long"]),
    (["null", "int"], ["string", "null"], ["null", "int", "string"]),
    (
        {"type": "array", "items": "int"},
        {"type": "array", "items": "long"},
        {"type": "array", "items": "long"},
    ),
    (
        {"type": "map", "values": "int"},
        {"type": "map", "values": "null"},
        {"type": "map", "values": ["int", "null"]},
    ),
    ("long", logical("long", "timestamp-millis"), logical("long", "timestamp-millis")),
    (logical("int", "date"), "int", logical("int", "date")),
    (logical("int", "nonsense"), "long", "long"),
]


@pytest.mark.parametrize(("one", "other", "expected"), PAIRS)
def test_types_merge(one: AvroJson, other: AvroJson, expected: AvroJson) -> None:
    assert merged(one, other) == expected


CONFLICTS: list[tuple[AvroJson, AvroJson, str]] = [
    (
        logical("long", "timestamp-millis"),
        logical("long", "timestamp-micros"),
        "timestamp-micros and timestamp-millis",
    ),
    (logical("int", "date"), "long", "date and long"),
    (
        logical("bytes", "decimal", precision=4, scale=1),
        logical("bytes", "decimal", precision=4, scale=2),
        "decimal",
    ),
    ({"type": "fixed", "name": "F", "size": 1}, {"type": "fixed", "name": "F", "size": 2}, "at F"),
    ({"type": "fixed", "name": "F", "size": 1}, {"type": "enum", "name": "F", "symbols": ["A"]}, "by turns"),
]


@pytest.mark.parametrize(("one", "other", "reason"), CONFLICTS)
def test_one_place_has_one_meaning(one: AvroJson, other: AvroJson, reason: str) -> None:
    with pytest.raises(UnmergeableSchemas, match=reason):
        merged(one, other)


def test_a_conflict_names_the_field() -> None:
    dates = {"type": "array", "items": logical("int", "date")}
    longs = {"type": "array", "items": "long"}
    with pytest.raises(UnmergeableSchemas, match=r"at R\.when\[\]: it is date and long"):
        merged(record(("when", dates)), record(("when", longs)))


def test_columns_keep_the_order_they_appeared_in() -> None:
    fields = merged(V1, V2, V3)["fields"]
    assert [field["name"] for field in fields] == ["id", "amount", "customer", "note", "state"]
    assert [field["name"] for field in fields if "default" in field] == ["note", "state"]


def test_a_field_that_is_back_is_nullable() -> None:
    versions = [record(("a", "int")), record(("b", "int")), record(("a", "int"))]
    assert [field["type"] for field in merged(*versions)["fields"]] == [["null", "int"], ["null", "int"]]


def test_an_enum_gathers_its_symbols() -> None:
    enums: list[AvroJson] = [
        {"type": "enum", "name": "E", "symbols": symbols} for symbols in (["A", "B"], ["C", "A"])
    ]
    assert merged(*enums)["symbols"] == ["A", "B", "C"]


def test_records_of_two_names_become_a_union() -> None:
    assert [
        one["name"] for one in merged(record(("a", "int"), name="A"), record(("b", "int"), name="B"))
    ] == ["A", "B"]


def test_a_type_used_twice_is_merged_once() -> None:
    inner, wider = record(("a", "int"), name="I"), record(("a", "int"), ("b", "int"), name="I")
    result = merged(record(("x", inner), ("y", "I")), record(("x", "int"), ("y", wider)))
    x, y = (field["type"] for field in result["fields"])
    assert [field["name"] for field in x[0]["fields"]] == ["a", "b"]
    assert y == "I"


def test_a_recursive_type_stays_recursive() -> None:
    tree = record(("children", {"type": "array", "items": "R"}))
    assert merged(tree, tree) == tree


PLAIN = st.sampled_from(["int", "long", "float", "double", "string", "bytes", "boolean"])
TYPES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        inner.map(lambda one: {"type": "array", "items": one}),
        inner.map(lambda one: {"type": "map", "values": one}),
        PLAIN.map(lambda one: ["null", one]),
    ),
    max_leaves=3,
)
RECORDS = st.dictionaries(st.sampled_from("abcdef"), TYPES, max_size=5).map(lambda one: record(*one.items()))


@given(st.lists(RECORDS, min_size=1, max_size=4))
def test_the_merger_reads_what_every_writer_wrote(versions: list[dict[str, Any]]) -> None:
    reader = parse(avro(merged(*versions)))
    for version in versions:
        history = [HistoryEntry(1, parse(avro(version)))]
        assert judge(reader, history, Policy(CONFLUENT_LEVELS["BACKWARD"])).is_allowed


@given(st.lists(RECORDS, min_size=1, max_size=4))
def test_merging_again_changes_no_type(versions: list[dict[str, Any]]) -> None:
    once = merged(*versions)
    again = merged(once, *versions, once)
    assert [(one["name"], one["type"]) for one in again["fields"]] == [
        (one["name"], one["type"]) for one in once["fields"]
    ]
