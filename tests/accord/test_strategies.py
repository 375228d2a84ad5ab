"""The changes that tests draw, one by one: a drawing that is never drawn proves nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.accord.avro_texts import record
from tests.accord.strategies import change, inner_types


@pytest.mark.parametrize(
    ("part", "drawn", "changed"),
    [
        (
            {"type": "enum", "name": "E", "symbols": ["A"], "default": "A"},
            ["B"],
            {"type": "enum", "name": "E", "symbols": ["B"]},
        ),
        (record(("a", "int")), "long", record(("a", "long"))),
        (record(("a", "int"), ("b", "int")), "", record(("b", "int"))),
        (record(), "long", record()),
        ({"type": "array", "items": "int"}, "long", {"type": "array", "items": "long"}),
        (["null", "int"], "long", ["null", "long"]),
        ("int", "long", "int"),
    ],
)
def test_a_change_is_made_in_place(part: Any, drawn: object, changed: object) -> None:
    change(part, lambda _: drawn)  # type: ignore[arg-type]  # draws the same whatever is asked
    assert part == changed


def test_inner_types_are_all_found() -> None:
    union = ["null", {"type": "map", "values": "int"}]
    schema = record(("a", {"type": "array", "items": "int"}), ("b", union))
    assert inner_types(schema) == [schema, schema["fields"][0]["type"], "int", union, "null", union[1], "int"]
