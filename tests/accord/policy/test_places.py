"""Findings have a line and a column in both texts, whatever their format."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from accord.model import Format
from accord.policy.places import FindingPlaces

if TYPE_CHECKING:
    from accord.formats.positions import Position

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


def positions(places: FindingPlaces, path: str, *, lost: str = "") -> tuple[Position, Position]:
    reader, writer = places.locate(path, lost=lost)
    return reader.position, writer.position


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
    assert positions(places, path) == ((line, column), (1, 1))


def test_avro_is_walked_on_both_sides() -> None:
    places = FindingPlaces(Format.AVRO, reader='["int",\n "string"]', writer=' ["string"]')
    assert positions(places, "/0") == ((1, 1), (1, 3))


def test_what_protobuf_has_lost_has_its_place_in_the_older_text() -> None:
    old = 'syntax = "proto3";\nmessage M {\n  int32 a = 1;\n}\n'
    places = FindingPlaces(Format.PROTOBUF, reader="message M {}", writer=old)
    holder = "/schema.proto/messages/M"
    assert positions(places, holder) == ((1, 1), (2, 1))
    assert positions(places, holder, lost=f"{holder}/fields/1") == ((1, 1), (3, 3))


def test_a_thousand_findings_in_a_large_text_take_one_pass() -> None:
    members = ",\n".join(f'"p{position}": {{"$ref": "#/definitions/d"}}' for position in range(20_000))
    text = f'{{"definitions": {{"d": {{"type": "int"}}}},\n"properties": {{\n{members}}}}}'
    started = time.monotonic()
    places = FindingPlaces(Format.JSON, reader=text, writer=text)
    for position in range(1_000):
        assert positions(places, f"/properties/p{position * 20}/type") == ((1, 32), (1, 32))
        column = len(f'"p{position * 20}": ') + 1
        assert positions(places, f"/properties/p{position * 20}") == ((position * 20 + 3, column),) * 2
    assert time.monotonic() - started < 30


MODERN = "https://json-schema.org/draft/2020-12/schema"
TUPLES = f"""{{"$schema": "{MODERN}", "properties": {{
  "t": {{"prefixItems": [{{"type": "string"}},
    {{"type": "null"}}],
    "items": {{"type": "integer"}}}},
  "required": {{"contains": {{}}, "contentEncoding": "base64"}}}},
  "required": ["t",
    "0"],
  "dependentRequired": {{"q": ["t"]}},
  "dependentSchemas": {{"q": {{"properties": {{"z": {{}}}}}},
    "a/b": {{}}}}
}}"""
CLASSIC = """{"properties": {"t": {"items": [{"type": "string"},
    {"type": "null"}],
    "additionalItems": {"type": "integer"}}},
  "dependencies": {"q": ["t"], "a": {"$ref": "#/definitions/A"}},
  "definitions": {"A": {"title": "A"}}
}"""


@pytest.mark.parametrize(
    ("text", "path", "line", "pointer", "wanted"),
    [
        (TUPLES, "/", 1, "", ""),
        (TUPLES, "/properties/t/prefixItems/1", 3, "/properties/t/prefixItems/1", None),
        (TUPLES, "/properties/t/additionalItems", 4, "/properties/t/items", None),
        (TUPLES, "/properties/t/uniqueItems", 2, "/properties/t", "/properties/t/uniqueItems"),
        (TUPLES, "/properties/t/minContains", 2, "/properties/t", "/properties/t/minContains"),
        (TUPLES, "/properties/required/minContains", 5, "/properties/required/contains", None),
        (TUPLES, "/properties/required/format", 5, "/properties/required/contentEncoding", None),
        (TUPLES, "/required/0", 7, "/required/1", None),
        (TUPLES, "/required/z", 6, "/required", "/required/z"),
        (TUPLES, "/dependentRequired/q", 8, "/dependentRequired/q", None),
        (TUPLES, "/dependentSchemas/q/properties/z", 9, "/dependentSchemas/q/properties/z", None),
        (TUPLES, "/dependentSchemas/a~1b", 10, "/dependentSchemas/a~1b", None),
        (CLASSIC, "/properties/t/prefixItems/1", 2, "/properties/t/items/1", None),
        (CLASSIC, "/properties/t/items/1", 2, "/properties/t/items/1", None),
        (CLASSIC, "/properties/t/additionalItems/type", 3, "/properties/t/additionalItems/type", None),
        (CLASSIC, "/dependentRequired/q", 4, "/dependencies/q", None),
        (CLASSIC, "/dependentSchemas/a/title", 5, "/definitions/A/title", None),
        (CLASSIC, "/dependentSchemas/a/prefixItems/0", 5, "/definitions/A", "/definitions/A/items/0"),
        ("[]", "/type", 1, "", "/type"),
    ],
)
def test_words_of_differences_become_those_of_the_draft(
    text: str, path: str, line: int, pointer: str, wanted: str | None
) -> None:
    place, _ = FindingPlaces(Format.JSON, reader=text, writer="{}").locate(path)
    assert (place.position.line, place.pointer) == (line, pointer)
    assert place.wanted == (pointer if wanted is None else wanted)
