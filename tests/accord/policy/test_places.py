"""Findings have a line and a column in both texts, whatever their format."""

from __future__ import annotations

import time

import pytest

from accord.model import Format
from accord.policy.places import FindingPlaces

SCHEMA = """{
  "definitions": {
    "day": {"type": "string"},
    "a b": {"$ref": "#/definitions/day"},
    "round": {"$ref": "#/definitions/round"}
  },
  "properties": {
    "at": {"$ref": "#/definitions/a%20b"},
    "in": {"items": {"$ref": "#"}},
    "out": {"$ref": "other.json"}, "odd": {"$ref": 5}, "lost": {"$ref": "#/nowhere/at/all"},
    "round": {"$ref": "#/definitions/round"}
  }
}"""
AT = "/properties"


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ("/", 1, 1),
        (f"{AT}/at", 8, 11),
        (f"{AT}/at/type", 3, 21),
        (f"{AT}/at/format", 3, 12),
        (f"{AT}/in/items{AT}/at/type", 3, 21),
        (f"{AT}/out/type", 10, 12),
        (f"{AT}/odd/type", 10, 43),
        (f"{AT}/lost/type", 10, 64),
        (f"{AT}/round/type", 5, 14),
        (f"{AT}/at/$ref", 8, 20),
    ],
)
def test_paths_of_json_schema_pass_through_references(path: str, line: int, column: int) -> None:
    places = FindingPlaces(Format.JSON, reader=SCHEMA, writer="{}")
    assert places.locate(path) == ((line, column), (1, 1))


def test_avro_is_walked_on_both_sides() -> None:
    places = FindingPlaces(Format.AVRO, reader='["int",\n "string"]', writer=' ["string"]')
    assert places.locate("/0") == ((1, 1), (1, 3))


def test_what_protobuf_has_lost_has_its_place_in_the_older_text() -> None:
    old = 'syntax = "proto3";\nmessage M {\n  int32 a = 1;\n}\n'
    places = FindingPlaces(Format.PROTOBUF, reader="message M {}", writer=old)
    holder = "/schema.proto/messages/M"
    assert places.locate(holder) == ((1, 1), (2, 1))
    assert places.locate(holder, lost=f"{holder}/fields/1") == ((1, 1), (3, 3))


def test_a_thousand_findings_in_a_large_text_take_one_pass() -> None:
    members = ",\n".join(f'"p{position}": {{"$ref": "#/definitions/d"}}' for position in range(20_000))
    text = f'{{"definitions": {{"d": {{"type": "int"}}}},\n"properties": {{\n{members}}}}}'
    started = time.monotonic()
    places = FindingPlaces(Format.JSON, reader=text, writer=text)
    for position in range(1_000):
        assert places.locate(f"/properties/p{position * 20}/type") == ((1, 32), (1, 32))
        column = len(f'"p{position * 20}": ') + 1
        assert places.locate(f"/properties/p{position * 20}") == ((position * 20 + 3, column),) * 2
    assert time.monotonic() - started < 30
