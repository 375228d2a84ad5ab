"""Where the findings about Avro schemas are, in both texts."""

from __future__ import annotations

import json
import time

import pytest

from accord.formats.avro.positions import AvroText, locate_pair
from tests.accord.avro_texts import avro, record, verdict

INNER = """{
  "type": "record", "name": "R", "namespace": "a.b",
  "fields": [
    {"name": "one", "type": {"type": "record", "name": "x.Inner", "fields": [
      {"name": "n", "type": {"type": {"type": "int"}}},
      {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["A"]}}
    ]}},
    {"name": "two", "type": "x.Inner"},
    {"name": "three", "type": {"type": "array", "items": ["null", "x.Inner", {"type": "x.Kind"}]}},
    {"name": "four", "type": {"type": "map", "values": "ext.Thing"}, "doc": "d"}
  ]
}"""


def own(path: str) -> tuple[int, int]:
    """Where a path of the schema above is."""
    return AvroText(INNER).locate(path)


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ("/", 1, 1),
        ("/name", 2, 29),
        ("/fields/0", 4, 5),
        ("/fields/0/type", 4, 29),
        ("/fields/0/type/fields/0/type", 5, 29),
        ("/fields/1/type", 8, 29),
        ("/fields/1/type/fields/0/type", 5, 29),
        ("/fields/1/type/fields/1/type/symbols", 6, 76),
        ("/fields/2/type/items/1/fields/0", 5, 7),
        ("/fields/2/type/items/2/symbols", 6, 76),
        ("/fields/3/type/values", 10, 56),
        ("/fields/3/type/values/fields/0", 10, 56),
        ("/fields/3/doc", 10, 77),
        ("/fields/3/order", 10, 5),
        ("/fields/9/type", 1, 1),
        ("/fields", 3, 13),
        ("/items/fields", 1, 1),
    ],
)
def test_a_path_goes_through_names_to_what_they_mean(path: str, line: int, column: int) -> None:
    assert own(path) == (line, column)


def lines(reader: object, writer: object, path: str) -> tuple[int, int]:
    """The lines of a path in both schemas, written one value to a line."""
    texts = AvroText(json.dumps(reader, indent=0)), AvroText(json.dumps(writer, indent=0))
    found = locate_pair(*texts, path)
    return found[0].line, found[1].line


def test_fields_are_matched_by_name_and_alias() -> None:
    reader = record(("b", "int"), {"name": "c", "aliases": ["a"], "type": "int"}, ("d", "int"))
    writer = record(("a", "long"), ("b", "long"))
    assert lines(reader, writer, "/fields/0/type") == (7, 11)
    assert lines(reader, writer, "/fields/1/type") == (14, 7)
    assert lines(reader, writer, "/fields/2/type/symbols") == (18, 1)
    assert lines(reader, writer, "/fields/2/type/0") == (18, 1)


def test_union_positions_count_the_writers_branches() -> None:
    inner = record(("n", "int"), name="I")
    reader = record(("u", ["null", "string", inner, {"type": "fixed", "name": "F", "size": 3}]))
    old = {**record(("n", "string"), name="a.J"), "type": "error"}
    assert lines(reader, record(("u", [old, "null"])), "/fields/0/type/0/fields/0/type") == (16, 14)
    assert lines(reader, record(("u", [old, "null"])), "/fields/0/type/0") == (7, 8)
    assert lines(reader, record(("u", old)), "/fields/0/type/fields/0/type") == (16, 13)
    assert lines(reader, record(("u", "bytes")), "/fields/0/type/size") == (7, 7)
    assert lines("int", ["int", "string"], "/1") == (1, 3)


def test_the_branch_of_the_same_name_or_alias_is_taken() -> None:
    first, second = record(("n", "int"), name="x.I"), record(("n", "int"), name="y.I")
    third = record(("n", "int"), name="z.K", aliases=["x.L", 5])
    reader = [first, second, third]
    assert lines(reader, second, "/fields/0/type")[0] == 18
    assert lines(reader, record(("n", "int"), name="w.I"), "/fields/0/type")[0] == 8
    assert lines(reader, record(("n", "int"), name="x.L"), "/fields/0/type")[0] == 32
    assert lines(["int", {"type": "record"}, record(name="K")], record(name="x.L"), "/name") == (3, 3)


def test_findings_of_a_verdict_are_found_in_both_texts() -> None:
    shared = record(("n", "int"), name="S")
    new = json.dumps(record(("a", shared), ("b", "S"), ("c", ["null", "S"])), indent=0)
    old_shared = record(("n", "string"), name="S")
    old = json.dumps(record(("c", ["S", "null"]), ("b", "S"), ("a", "S")), indent=0)
    old = old.replace('"S"', json.dumps(old_shared), 1)
    findings = verdict(avro(new), avro(old)).findings
    reader, writer = AvroText(new), AvroText(old)
    paths = [finding.path for finding in findings] + [findings[-1].reasons[0].path]
    found = [locate_pair(reader, writer, path) for path in paths]
    assert [one.line for one, _ in found] == [13, 13, 24, 13]
    assert all(other == found[0][1] for _, other in (*found[:2], found[3]))


def test_a_thousand_findings_take_one_pass() -> None:
    wide = record(*((f"f{position}", "int") for position in range(20_000)))
    text = json.dumps(wide)
    started = time.monotonic()
    reader = AvroText(text)
    for position in range(1_000):
        locate_pair(reader, reader, f"/fields/{position * 20}/type")
    assert time.monotonic() - started < 30


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"type": "record"}', '{"type": {"type": 5}}', '{"type": "a"}']
)
def test_texts_that_are_no_schema_raise_nothing(text: str) -> None:
    assert AvroText(text).locate("/fields/0/type/x").line == 1
