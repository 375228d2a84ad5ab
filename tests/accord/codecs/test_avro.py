"""Values to records and back; the bytes are held against Avro's own package where there is a choice."""

from __future__ import annotations

import io
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import avro.io
import avro.schema
import pytest
from hypothesis import given

from accord.codecs import (
    AvroCodec,
    NotAvro,
    RecordTooLarge,
    UndecodableRecord,
    UnencodableValue,
    UnusableSchema,
    avro_schema,
    decode_record,
    encode_record,
)
from accord.model import Format, Reference, SchemaText
from accord.wire import TruncatedFrame, WrongMagic
from tests.accord.codecs.samples import NODE, Pair, logical, number, pairs, schema
from tests.fakes import FakeRegistry

ORDER = {
    "type": "record",
    "name": "Order",
    "fields": [
        {"name": "id", "type": "long"},
        {"name": "note", "type": ["null", "string"], "default": None},
        {"name": "count", "type": "int", "default": 3},
    ],
}
GUID = UUID("095d71cf-1255-6b9d-5e33-0ad575b3df5d")


@given(pairs())
def test_what_is_encoded_is_decoded(pair: Pair) -> None:
    parsed = schema(pair[0])
    assert decode_record(encode_record(7, pair[1], parsed), parsed) == (7, pair[1])


@pytest.mark.parametrize("identity", [0, 2**31 - 1, GUID])
def test_the_frame_is_that_of_the_wire(identity: int | UUID) -> None:
    framed = encode_record(identity, "a", schema("string"))
    head = b"\x01" + GUID.bytes if isinstance(identity, UUID) else b"\x00" + identity.to_bytes(4, "big")
    assert framed == head + b"\x02a"
    assert decode_record(framed, schema("string")) == (identity, "a")


def test_the_payload_is_that_of_avro_s_own_package() -> None:
    value = {"id": -5, "note": "ü", "count": 2**31 - 1}
    out = io.BytesIO()
    avro.io.DatumWriter(avro.schema.parse(json.dumps(ORDER))).write(value, avro.io.BinaryEncoder(out))
    assert AvroCodec(schema(ORDER)).encode(value) == out.getvalue()


def test_missing_fields_take_their_default() -> None:
    codec = AvroCodec(schema(ORDER))
    assert codec.decode(codec.encode({"id": 1})) == {"id": 1, "note": None, "count": 3}


def test_a_default_of_a_recursive_type_is_not_followed() -> None:
    fields = [{"name": "again", "type": "Loop", "default": {}}]
    codec = AvroCodec(schema({"type": "record", "name": "Loop", "fields": fields}))
    with pytest.raises(UnencodableValue, match="again"):
        codec.encode({})


def test_a_branch_is_chosen_by_its_name() -> None:
    one = {"type": "record", "name": "x.A", "fields": [{"name": "a", "type": "int"}]}
    other = {**one, "name": "x.B"}
    codec = AvroCodec(schema([one, other]))
    assert codec.encode({"a": 1})[:1] == b"\x00"
    assert codec.encode(("x.B", {"a": 1}))[:1] == b"\x02"


def test_types_with_and_without_a_namespace_live_together() -> None:
    kind = {"type": "enum", "name": "Kind", "namespace": "", "symbols": ["A"]}
    fields = [{"name": "one", "type": kind}, {"name": "two", "type": ".Kind"}]
    codec = AvroCodec(schema({"type": "record", "name": "x.R", "fields": fields}))
    assert codec.decode(codec.encode({"one": "A", "two": "A"})) == {"one": "A", "two": "A"}


def test_an_annotation_without_meaning_is_ignored() -> None:
    codec = AvroCodec(schema(logical("bytes", "decimal", precision=2, scale=5)))
    assert codec.decode(codec.encode(b"\x01")) == b"\x01"


# What a value looks like for every kind of type, and the payload the specification gives it.
KINDS: list[tuple[Any, Any, bytes]] = [
    ("null", None, b""),
    ("boolean", True, b"\x01"),
    ("boolean", False, b"\x00"),
    ("int", -1, b"\x01"),
    ("long", 64, b"\x80\x01"),
    ("float", 1.0, b"\x00\x00\x80\x3f"),
    ("double", 1.0, b"\x00\x00\x00\x00\x00\x00\xf0\x3f"),
    ("bytes", b"\xff", b"\x02\xff"),
    ("string", "ü", b"\x04\xc3\xbc"),
    ({"type": "enum", "name": "E", "symbols": ["A", "B"]}, "B", b"\x02"),
    ({"type": "fixed", "name": "F", "size": 2}, b"ab", b"ab"),
    ({"type": "array", "items": "null"}, [None, None], b"\x04\x00"),
    ({"type": "map", "values": "int"}, {"k": 1}, b"\x02\x02k\x02\x00"),
    (["null", "int"], 1, b"\x02\x02"),
    ({"type": "record", "name": "R", "fields": [{"name": "f", "type": "int"}]}, {"f": 1}, b"\x02"),
    (logical("int", "date"), date(1970, 1, 2), b"\x02"),
]


@pytest.mark.parametrize(("written", "value", "payload"), KINDS)
def test_every_kind_of_type_is_written_as_specified_and_read_back(
    written: Any, value: Any, payload: bytes
) -> None:
    codec = AvroCodec(schema(written))
    assert codec.encode(value) == payload
    assert codec.decode(payload) == value


def test_raw_bytes_of_too_many_digits_do_not_fit() -> None:
    """Bytes are taken for a decimal as they are, so what they mean is looked at once they are written."""
    codec = AvroCodec(schema(logical("bytes", "decimal", precision=2)))
    assert codec.decode(codec.encode(b"\x63")) == 99
    with pytest.raises(UnencodableValue, match="more than 2 digits"):
        codec.encode(b"\x03\xe8")


def test_references_are_part_of_the_schema() -> None:
    registry = FakeRegistry()
    address = {"type": "record", "name": "geo.Address", "fields": [{"name": "city", "type": "string"}]}
    registry.add(1, SchemaText(Format.AVRO, json.dumps(address)), "address-value")
    home = {"type": "record", "name": "Home", "fields": [{"name": "at", "type": "geo.Address"}]}
    source = SchemaText(Format.AVRO, json.dumps(home), (Reference("geo.Address", "address-value", 1),))
    codec = AvroCodec(avro_schema(source, registry))
    assert codec.decode(b"\x08Bern") == {"at": {"city": "Bern"}}


MISFITS: list[tuple[Any, Any]] = [
    ("int", 2**31),
    ("int", 2.5),
    ("int", "1"),
    ("long", True),
    ("boolean", 1),
    ("null", 0),
    ("string", 5),
    ("string", "\ud800"),
    ("bytes", "abc"),
    ("float", "x"),
    ({"type": "fixed", "name": "F", "size": 2}, b"abc"),
    ({"type": "enum", "name": "E", "symbols": ["A"]}, "B"),
    ({"type": "map", "values": "int"}, {1: 2}),
    ({"type": "array", "items": "int"}, 5),
    (["null", "int"], "a"),
    (ORDER, None),
    (ORDER, {"note": None}),
    (ORDER, {"id": 1, "other": 2}),
    (logical("bytes", "decimal", precision=3, scale=1), Decimal("12.34")),
    (logical("bytes", "decimal", precision=3, scale=1), Decimal("NaN")),
]


@pytest.mark.parametrize(
    ("written", "value"), MISFITS, ids=lambda one: str(one)[:30].encode("ascii", "replace")
)
def test_a_value_that_does_not_fit_is_refused(written: Any, value: Any) -> None:
    with pytest.raises(UnencodableValue, match=r"does not fit the schema: ."):
        AvroCodec(schema(written)).encode(value)


def test_a_value_without_end_is_refused() -> None:
    value: dict[str, Any] = {}
    value["next"] = value
    with pytest.raises(RecordTooLarge, match="deeper than 200"):
        AvroCodec(schema(NODE)).encode(value)
    many: list[Any] = []
    many.extend([many, many])
    with pytest.raises(RecordTooLarge, match="more than 1000000 values"):
        AvroCodec(schema(NODE)).encode(many)


def deep_schema(levels: int) -> Any:
    """Types that nest deeper than a text can, each in a text of its own, as references bring them."""
    registry = FakeRegistry()
    references: list[Reference] = []
    for level in range(levels):
        inner = f"R{level - 1}" if level else "int"
        fields = [{"name": "f", "type": ["null", inner]}]
        text = json.dumps({"type": "record", "name": f"R{level}", "fields": fields})
        registry.add(level + 1, SchemaText(Format.AVRO, text), f"s{level}")
        references.append(Reference(f"R{level}", f"s{level}", 1))
    return avro_schema(SchemaText(Format.AVRO, json.dumps(f"R{levels - 1}"), tuple(references)), registry)


def test_types_that_nest_too_deep_are_refused() -> None:
    assert AvroCodec(deep_schema(90)).decode(b"\x00") == {"f": None}
    with pytest.raises(UnusableSchema, match="deeper than 200"):
        AvroCodec(deep_schema(400)).decode(b"\x00")


def test_a_schema_that_fastavro_refuses_is_named_unusable() -> None:
    field = {"name": "f", "type": "int", "default": "none"}
    codec = AvroCodec(schema({"type": "record", "name": "R", "fields": [field]}))
    assert codec.decode(b"\x02") == {"f": 1}
    with pytest.raises(UnusableSchema, match="cannot be read or written"):
        codec.encode({})


def test_a_schema_of_another_format_is_refused() -> None:
    with pytest.raises(NotAvro, match="JSON"):
        avro_schema(SchemaText(Format.JSON, "{}"))


OUTSIDE = [
    (logical("int", "date"), number(2**31 - 1)),
    (logical("int", "time-millis"), number(2**31 - 1)),
    (logical("long", "timestamp-millis"), number(2**60)),
    (logical("string", "uuid"), b"\x06abc"),
    ("string", b"\x04\xff\xfe"),
]


@pytest.mark.parametrize(("written", "payload"), OUTSIDE)
def test_what_python_has_no_value_for_is_undecodable(written: Any, payload: bytes) -> None:
    with pytest.raises(UndecodableRecord, match=r"cannot be decoded: ."):
        AvroCodec(schema(written)).decode(payload)


def test_a_broken_frame_is_the_wire_s_error() -> None:
    with pytest.raises(WrongMagic):
        decode_record(b"\x05", schema("int"))
    with pytest.raises(TruncatedFrame):
        decode_record(b"\x00\x00", schema("int"))


def test_moments_are_in_utc() -> None:
    codec = AvroCodec(schema(logical("long", "timestamp-millis")))
    assert codec.decode(number(0)) == datetime(1970, 1, 1, tzinfo=UTC)
