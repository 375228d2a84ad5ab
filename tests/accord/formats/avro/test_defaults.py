from __future__ import annotations

import pytest

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.formats import Limits
from accord.formats.avro import defaults
from tests.accord.avro_texts import avro, record

ENUM = {"type": "enum", "name": "E", "symbols": ["A"]}
FIXED = {"type": "fixed", "name": "F", "size": 2}
POINT = record(("x", "int"), {"name": "y", "type": "int", "default": 0}, name="P")


def with_default(type_: object, value: object) -> dict[str, object]:
    return record({"name": "f", "type": type_, "default": value})


FITTING = [
    ("null", None),
    ("boolean", True),
    ("int", -(2**31)),
    ("long", 2**63 - 1),
    ("float", 1),
    ("double", 1.5),
    ("double", "1.5e3"),
    ("float", "NaN"),
    ("double", "-Infinity"),
    ("bytes", "\x00ÿ"),
    ("string", "😀"),
    (ENUM, "A"),
    (FIXED, "ab"),
    ({"type": "array", "items": "int"}, [1, 2]),
    ({"type": "map", "values": "int"}, {"a": 1}),
    (["null", "int"], None),
    (["null", "int"], 5),
    (POINT, {"x": 1}),
    (POINT, {"x": 1, "y": 2, "z": 3}),
    (["string", POINT], {"x": 1}),
]
UNFITTING = [
    ("null", 0),
    ("boolean", 1),
    ("int", 2**31),
    ("int", 1.0),
    ("int", True),
    ("int", None),
    ("long", 2**63),
    ("float", True),
    ("float", "fast"),
    ("double", "1e9999"),
    ("bytes", "€"),
    ("bytes", 5),
    ("string", 5),
    (ENUM, "B"),
    (FIXED, "a"),
    (FIXED, "a€"),
    ({"type": "array", "items": "int"}, {}),
    ({"type": "array", "items": "int"}, [1, "2"]),
    ({"type": "map", "values": "int"}, []),
    ({"type": "map", "values": "int"}, {"a": "1"}),
    (["null", "int"], "x"),
    ([], None),
    (POINT, {}),
    (POINT, {"x": "1"}),
    (POINT, []),
]


@pytest.mark.parametrize(("type_", "value"), FITTING)
def test_a_fitting_default_is_accepted(type_: object, value: object) -> None:
    assert avro(with_default(type_, value)).canonical


@pytest.mark.parametrize(("type_", "value"), UNFITTING)
def test_a_default_that_does_not_fit_is_refused_with_what_to_write(type_: object, value: object) -> None:
    with pytest.raises(
        InvalidSchema, match=r"The default of field 'f' does not fit its type .*; write "
    ) as caught:
        avro(with_default(type_, value))
    assert caught.value.location == "/fields/0/default"
    assert avro(with_default(type_, value), strict=False).canonical


def test_a_default_may_be_of_the_record_that_holds_it() -> None:
    schema = record({"name": "self", "type": ["null", "R"], "default": {"self": {"self": None}}})
    assert avro(schema).canonical


def test_nested_unions_do_not_multiply() -> None:
    branches = [f"R{i}" for i in range(8)]
    value: object = "bad"
    for _ in range(40):
        value = {"x": value}
    records = [record(("x", ["null", *branches[: i + 1]]), name=f"R{i}") for i in range(8)]
    with pytest.raises(InvalidSchema, match="does not fit"):
        avro(with_default(records, value))


def test_a_default_too_deep_to_check_is_refused() -> None:
    value: list[object] = []
    schema: object = {"type": "array", "items": "int"}
    for _ in range(70):
        value, schema = [value], {"type": "array", "items": schema}
    assert avro(with_default(schema, value)).canonical
    for _ in range(40):
        value, schema = [value], {"type": "array", "items": schema}
    with pytest.raises(SchemaTooLarge, match="nests too deep"):
        avro(with_default(schema, value), limits=Limits(depth=300))


def test_the_steps_of_checking_are_bounded() -> None:
    schema = with_default({"type": "array", "items": "int"}, list(range(1000)))
    assert avro(schema).canonical
    with pytest.raises(SchemaTooLarge, match="more than 500 steps") as caught:
        avro(schema, limits=Limits(default_steps=500))
    assert caught.value.location == "/fields/0/default"


def test_wide_types_cost_more_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    symbols = [f"S{i}" for i in range(defaults.STEP_WIDTH * 20)]
    schema = with_default(ENUM | {"symbols": symbols}, "S0")
    assert avro(schema, limits=Limits(default_steps=21)).canonical
    with pytest.raises(SchemaTooLarge):
        avro(schema, limits=Limits(default_steps=20))
