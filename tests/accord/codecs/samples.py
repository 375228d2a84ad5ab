"""Schemas by the text, and hypothesis strategies for a schema together with a value of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import strategies as st

from accord.codecs import avro_schema
from accord.model import Format, SchemaText

if TYPE_CHECKING:
    from accord.formats.avro.schema import AvroSchema

Pair: TypeAlias = "tuple[Any, Any]"
NODE = {
    "type": "record",
    "name": "shop.Node",
    "fields": [{"name": "next", "type": ["null", "Node"], "default": None}],
}


def schema(value: object) -> AvroSchema:
    return avro_schema(SchemaText(Format.AVRO, json.dumps(value)))


def number(value: int) -> bytes:
    """A number as Avro writes it, independently of the library."""
    rest, groups = (value << 1) ^ (value >> 63), []
    while rest > 0x7F:
        groups.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*groups, rest])


def logical(kind: str, meaning: str, **more: int) -> dict[str, Any]:
    return {"type": kind, "logicalType": meaning, **more}


def to_millis(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


AWARE = st.datetimes(timezones=st.just(UTC))
FLOATS = st.floats(width=32, allow_nan=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
SINGLE: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "null": ("null", st.none()),
    "boolean": ("boolean", st.booleans()),
    "int": ("int", st.integers(-(2**31), 2**31 - 1)),
    "long": ("long", st.integers(-(2**63), 2**63 - 1)),
    "float": ("float", FLOATS),
    "double": ("double", st.floats(allow_nan=False)),
    "bytes": ("bytes", st.binary(max_size=5)),
    "string": ("string", TEXTS),
    "date": (logical("int", "date"), st.dates()),
    "time": (logical("long", "time-micros"), st.times()),
    "millis": (logical("long", "timestamp-millis"), AWARE.map(to_millis)),
    "micros": (logical("long", "timestamp-micros"), AWARE),
    "local": (logical("long", "local-timestamp-micros"), st.datetimes()),
    "uuid": (logical("string", "uuid"), st.uuids()),
    "decimal": (
        logical("bytes", "decimal", precision=9, scale=2),
        st.integers(-(10**9) + 1, 10**9 - 1).map(lambda one: Decimal(one).scaleb(-2)),
    ),
}


def with_names(pair: Pair, count: int) -> Pair:
    """A record around a pair, with a name of its own and an enum and a fixed beside it."""
    inner, value = pair
    enum = {"type": "enum", "name": f"E{count}", "symbols": ["A", "B"]}
    fixed = {"type": "fixed", "name": f"F{count}", "size": 2}
    fields = [("inner", inner), ("kind", enum), ("raw", fixed)]
    record = {"type": "record", "name": f"R{count}", "namespace": "x" if count % 2 else ""}
    made = {**record, "fields": [{"name": name, "type": kind} for name, kind in fields]}
    return made, {"inner": value, "kind": "B", "raw": b"\x00\xff"}


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """A schema and a value that it holds."""
    kind, values = SINGLE[draw(st.sampled_from(sorted(SINGLE)))]
    pair: Pair = (kind, draw(values))
    for count in range(draw(st.integers(0, 5))):
        pair = (
            draw(st.sampled_from([in_list, in_map, or_null]))(pair) if count % 2 else with_names(pair, count)
        )
    return pair


def in_list(pair: Pair) -> Pair:
    return {"type": "array", "items": pair[0]}, [pair[1]] * 3


def in_map(pair: Pair) -> Pair:
    return {"type": "map", "values": pair[0]}, {"a": pair[1], "ü": pair[1]}


def or_null(pair: Pair) -> Pair:
    is_union = isinstance(pair[0], list) or pair[0] == "null"
    return pair if is_union else (["null", pair[0]], pair[1])
