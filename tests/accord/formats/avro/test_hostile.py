"""Input that means harm: refused in good time with a place, never by a crash.

The times are safety margins for a busy machine, not figures of speed.
"""

from __future__ import annotations

import json
import time

import pytest

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.formats import DEFAULT_LIMITS, Limits
from tests.accord.avro_texts import avro, record

BIG = 10_000_000
ROOMY = Limits(text_bytes=4 * BIG)
SAFETY_SECONDS = 120


def nested(depth: int) -> object:
    schema: object = "int"
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


def nested_records(depth: int) -> object:
    schema: object = "int"
    for level in range(depth):
        schema = record(("f", schema), name=f"R{level}")
    return schema


# name: text, limits, words of the message
HOSTILE = {
    "ten megabytes": ("x" * BIG, DEFAULT_LIMITS, "more than 1048576 bytes"),
    "brackets": ("[" * 100_000, DEFAULT_LIMITS, "deeper than 160 levels"),
    "many brackets": ("[" * BIG, ROOMY, "deeper than 160 levels"),
    "objects": ('{"a":' * 100_000, DEFAULT_LIMITS, "deeper than 160 levels"),
    "500 arrays": (json.dumps(nested(500)), DEFAULT_LIMITS, "deeper than 160 levels"),
    "500 records": (json.dumps(nested_records(300)), DEFAULT_LIMITS, "deeper than 160 levels"),
    "quotes": ('"' * BIG, ROOMY, "not JSON"),
    "escaped quotes": ('\\"' * (BIG // 2), ROOMY, "not JSON"),
    "an open string of escapes": ('["' + '\\"' * (BIG // 2), ROOMY, "not JSON"),
    "open comments": ("/*" * (BIG // 20), ROOMY, "not JSON"),
    "line comments": ("//\n" * (BIG // 30), ROOMY, "not JSON"),
    "a long number": ('{"type":"int","x":' + "9" * BIG + "}", ROOMY, "longer than 1000"),
    "many branches": ("[" + '"int",' * 1_000_000 + '"int"]', ROOMY, "'int' twice"),
    "many types": (json.dumps([{"type": "map", "values": "int"}]), Limits(nodes=2), "more than 2 types"),
    "50,000 fields": (
        json.dumps(record(*((f"f{n}", "int") for n in range(50_000)))),
        ROOMY,
        "more than 20000 fields",
    ),
    "a long name": (json.dumps(record(name="R" * 2000)), DEFAULT_LIMITS, "more than 1000 characters"),
    "a NUL": ('{"type":"record\0"}', DEFAULT_LIMITS, "NUL character"),
    "not a number": ('{"type":"int","x":NaN}', DEFAULT_LIMITS, "NaN is not a JSON number"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_in_good_time(name: str) -> None:
    text, limits, words = HOSTILE[name]
    began = time.monotonic()
    with pytest.raises((InvalidSchema, SchemaTooLarge)) as caught:
        avro(text, limits=limits)
    assert words in str(caught.value)
    assert "(at /" in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert time.monotonic() - began < SAFETY_SECONDS


def test_the_deepest_schemas_that_are_allowed_work_throughout() -> None:
    for schema in (nested(160), nested_records(53)):
        parsed = avro(schema)
        assert avro(parsed.normalized().canonical).canonical == parsed.canonical


def test_the_place_of_the_depth_is_where_it_begins_to_be_too_much() -> None:
    with pytest.raises(SchemaTooLarge) as caught:
        avro(record(("ok", "int"), ("bad", nested(500))))
    assert caught.value.location == "/fields/1/type" + "/items" * 157
