"""Decoding framed Protobuf records: what each record becomes, which message a table is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from accord.model import Format, Reference, SchemaText
from accord.naming import parse_subject
from accord.pipeline import (
    DecodeOptions,
    NoSuchMessage,
    NoUnionOfMessages,
    Reason,
    StreamNeedsSchemas,
    UnreadableFormat,
    accepted,
    decode,
    quarantined,
)
from tests.fakes import FakeRegistry
from tests.pipeline.messages import FIRST, TEXTS, V1, V3, framed, message, order, proto
from tests.pipeline.records import V1 as AVRO_V1
from tests.pipeline.records import avro, frame_of
from tests.pipeline.records import framed as avro_framed
from tests.pipeline.records import order as avro_order

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, Row, SparkSession

pytestmark = pytest.mark.spark
GUID = UUID("095d71cf-1255-6b9d-5e33-0ad575b3df5d")
REFUND = framed(3, FIRST, message(V3, "shop.Refund")(id=9))
LINE = framed(3, b"\x04\x04\x00", message(V3, "shop.Order.Line")(sku="a"))
ORDER = order(1, id=7, amount=3, customer={"name": "c"}, old="gone")


@pytest.fixture
def registry() -> FakeRegistry:
    """Three versions of orders under the ids 1, 2 and 3; in the third the message stands elsewhere."""
    made = FakeRegistry()
    for number, text in TEXTS.items():
        made.add(number, proto(text))
    return made


def read(frame: DataFrame, registry: FakeRegistry, **options: Any) -> list[Row]:
    return decode(frame, registry, DecodeOptions(**options)).orderBy("offset").collect()


def reasons(rows: list[Row]) -> list[str | None]:
    return [row.quarantine_reason for row in rows]


def test_three_versions_are_read_as_the_newest(spark: SparkSession, registry: FakeRegistry) -> None:
    newest = order(3, id=9, state=1, customer={"name": "d", "tags": ["t"]}, lines=[{"sku": "s"}])
    frame = frame_of(spark, ORDER, order(2, id=8, note="n"), newest)
    assert [(row.schema_id, row.decoded.asDict(recursive=True)) for row in read(frame, registry)] == [
        (
            "1",
            {
                "id": 7,
                "amount": 3,
                "customer": {"name": "c", "tags": []},
                "note": None,
                "state": "NEW",
                "lines": [],
            },
        ),
        ("2", {"id": 8, "amount": 0, "customer": None, "note": "n", "state": "NEW", "lines": []}),
        (
            "3",
            {
                "id": 9,
                "amount": 0,
                "customer": {"name": "d", "tags": ["t"]},
                "note": None,
                "state": "PAID",
                "lines": [{"sku": "s"}],
            },
        ),
    ]


PREFIX = ORDER[:5]
POISON = [
    (None, Reason.TOMBSTONE),
    (b"", Reason.EMPTY),
    (b"test", Reason.WRONG_MAGIC),
    (b"\x00", Reason.TRUNCATED),
    (PREFIX, Reason.TRUNCATED),
    (PREFIX + b"\x04\x02", Reason.TRUNCATED),
    (PREFIX + b"\x80", Reason.TRUNCATED),
    (b"\x01" + bytes(15), Reason.TRUNCATED),
    (b"\x01" + bytes(16), Reason.UNKNOWN_SCHEMA),
    (b"\x00\x00\x00\x00\x63" + ORDER[5:], Reason.UNKNOWN_SCHEMA),
    (PREFIX + b"\x01", Reason.UNDECODABLE),
    (PREFIX + b"\xff\xff\xff\xff\xff\x0f", Reason.UNDECODABLE),
    (PREFIX + b"\xfe\xff\xff\xff\x0f" + bytes(100), Reason.UNDECODABLE),
    (PREFIX + b"\x02\x08", Reason.UNDECODABLE),
    (PREFIX + b"\x04\x00\x00", Reason.UNDECODABLE),
    (PREFIX + b"\x02\x02", Reason.OTHER_RECORD),
    (REFUND, Reason.OTHER_RECORD),
    (LINE, Reason.OTHER_RECORD),
    (ORDER[:-1], Reason.UNDECODABLE),
    (ORDER + b"\x00", Reason.UNDECODABLE),
    (PREFIX + FIRST + b"\x0a\x01a", None),
    (PREFIX + FIRST + b"\x1a\xff\xff\xff\xff\x07", Reason.UNDECODABLE),
    (PREFIX + FIRST + b"\x1a\x03\x0a\x01\xff", Reason.UNDECODABLE),
    (PREFIX + FIRST + b"\x7b" * 200, Reason.UNDECODABLE),
    (b"\x00\x00\x00\x00\x14a", Reason.OTHER_FORMAT),
    (b"\x00\x00\x00\x00\x15" + ORDER[5:], Reason.UNUSABLE_SCHEMA),
    (b"\x00\x00\x00\x00\x16" + ORDER[5:], Reason.UNUSABLE_SCHEMA),
    (b"\x00\x00\x00\x00\x17a", Reason.OTHER_FORMAT),
    (ORDER, None),
]


def test_every_kind_of_poison_has_its_reason(spark: SparkSession, registry: FakeRegistry) -> None:
    registry.add(20, avro(AVRO_V1), "other")
    registry.add(21, proto("syntax = 'proto3'; message {"), "other")
    registry.add(22, proto(V1, Reference("a.proto", "nobody", 1)), "other")
    registry.add(23, SchemaText(Format.JSON, "{}"), "other")
    frame = frame_of(spark, *(value for value, _ in POISON), *[ORDER] * 3)
    decoded = decode(frame, registry)
    wanted = [None if reason is None else str(reason) for _, reason in POISON]
    assert reasons(decoded.orderBy("offset").collect()) == [*wanted, None, None, None]
    assert accepted(decoded).count() + quarantined(decoded).count() == frame.count()


def test_hostile_payloads_end_in_quarantine(spark: SparkSession) -> None:
    """Nesting beyond Protobuf's limit, times out of range, a few bytes that make many values."""
    text = """syntax = "proto3";
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/duration.proto";
    message Wide { Wide self = 1; int32 x = 2; repeated Wide many = 3;
      google.protobuf.Timestamp at = 4; google.protobuf.Duration took = 5;
      repeated int32 numbers = 6; map<int32, int32> pairs = 7; }"""
    registry = FakeRegistry()
    registry.add(1, proto(text))
    kind = message(text, "Wide")
    nested = b""
    for _ in range(300):
        nested = b"\x0a" + varint(len(nested)) + nested
    hostile = [
        nested,
        b"\x0b" * 5000,
        *(kind(at={"seconds": one}).SerializeToString() for one in (2**62, -(2**62), 253402300800)),
        kind(at={"nanos": -1}).SerializeToString(),
        *(kind(took={"seconds": one}).SerializeToString() for one in (2**62, 315_576_000_001)),
        kind(took={"nanos": 10**9}).SerializeToString(),
    ]
    large = [
        b"\x1a\x00" * 100_000,
        kind(numbers=[1] * 250_001).SerializeToString(),
        kind(pairs=dict.fromkeys(range(130_000), 1)).SerializeToString(),
    ]
    payloads = [*hostile, *large, kind(x=5).SerializeToString()]
    rows = read(frame_of(spark, *(framed(1, FIRST, one) for one in payloads)), registry, recursion_depth=2)
    assert reasons(rows) == ["undecodable"] * len(hostile) + ["too_large"] * len(large) + [None]
    assert rows[-1].decoded.x == 5


def varint(number: int) -> bytes:
    return bytes([number & 0x7F | 0x80, *varint(number >> 7)]) if number > 0x7F else bytes([number])


def test_the_table_is_of_the_message_of_most_records(spark: SparkSession, registry: FakeRegistry) -> None:
    frame = frame_of(spark, ORDER, LINE, LINE, PREFIX, None)
    rows = read(frame, registry)
    assert reasons(rows) == ["other_record", None, None, "truncated", "tombstone"]
    assert rows[1].decoded.asDict() == {"sku": "a"}


@pytest.mark.parametrize("record", ["shop.Order", "Order"])
def test_a_message_is_named_with_or_without_its_package(
    spark: SparkSession, registry: FakeRegistry, record: str
) -> None:
    rows = read(frame_of(spark, ORDER, REFUND, REFUND), registry, record=record, identities=(1, 3))
    assert reasons(rows) == [None, "other_record", "other_record"]


def test_a_message_that_nobody_wrote_is_an_empty_table(spark: SparkSession, registry: FakeRegistry) -> None:
    rows = read(frame_of(spark, ORDER, REFUND), registry, record="op.Order", identities=(1, 3))
    assert reasons(rows) == ["other_record", "other_record"]


def test_without_one_usable_schema_nothing_is_read(spark: SparkSession, registry: FakeRegistry) -> None:
    registry.add(21, proto("message {"))
    assert reasons(read(frame_of(spark, framed(21, FIRST, b"")), registry)) == ["unusable_schema"]
    registry.add(22, proto('syntax = "proto3"; enum A { B = 0; }'))
    assert reasons(read(frame_of(spark, framed(22, FIRST, b"")), registry)) == ["other_record"]


def test_a_reader_decides_format_and_columns(spark: SparkSession, registry: FakeRegistry) -> None:
    stray = avro_framed(20, AVRO_V1, avro_order(1, 1))
    registry.add(20, avro(AVRO_V1), "avro")
    reader = proto('syntax = "proto3"; package shop; message Order { int64 id = 1; int32 extra = 9; }')
    frame = frame_of(spark, ORDER, stray, stray)
    rows = read(frame, registry, reader=reader)
    assert reasons(rows) == [None, "other_format", "other_format"]
    assert rows[0].decoded.asDict() == {"id": 7, "extra": 0}
    assert reasons(read(frame, registry)) == ["other_format", None, None]
    assert reasons(read(frame, registry, reader=parse_subject("avro"))) == ["other_format", None, None]


def test_a_subject_is_a_reader_whose_message_may_be_named(
    spark: SparkSession, registry: FakeRegistry
) -> None:
    subject = parse_subject("orders-value")
    frame = frame_of(spark, ORDER, REFUND)
    as_subject = {"reader": subject, "identities": (1, 3)}
    assert reasons(read(frame, registry, **as_subject)) == ["other_record", None]
    assert reasons(read(frame, registry, **as_subject, record="Order")) == [None, "other_record"]


def test_readers_that_are_no_use_are_errors(spark: SparkSession, registry: FakeRegistry) -> None:
    frame = frame_of(spark, ORDER)
    with pytest.raises(NoSuchMessage, match=r"no message 'Nobody'; it has: shop\.Order, shop\.C"):
        read(frame, registry, reader=proto(V1), record="Nobody", identities=(1,))
    with pytest.raises(NoSuchMessage, match="it has: none"):
        read(frame, registry, reader=proto('syntax = "proto3";'), identities=(1,))
    with pytest.raises(UnreadableFormat, match="is JSON; name one in AVRO or PROTOBUF"):
        read(frame, registry, reader=SchemaText(Format.JSON, "{}"), identities=(1,))
    with pytest.raises(NoUnionOfMessages, match="--record"):
        read(frame, registry, is_union=True, identities=(1,))


def test_references_are_resolved(spark: SparkSession, registry: FakeRegistry) -> None:
    address = 'syntax = "proto3"; package geo; message Address { string city = 1; }'
    home = 'syntax = "proto3"; import "address.proto"; message Home { geo.Address at = 1; }'
    registry.add(30, proto(address), "address-value")
    registry.add(31, proto(home, Reference("address.proto", "address-value", 1)))
    value = message(home, "Home", address=address)(at={"city": "Bern"})
    (row,) = read(frame_of(spark, framed(31, FIRST, value)), registry)
    assert row.decoded.at.city == "Bern"


def test_guids_and_headers_name_schemas_too(spark: SparkSession, registry: FakeRegistry) -> None:
    registry.add(GUID, proto(V1))
    by_guid = b"\x01" + GUID.bytes
    rows = [
        (bytearray(by_guid + ORDER[5:]), None, 0),
        (bytearray(ORDER[6:]), [("__value_schema_id", bytearray(by_guid + FIRST))], 1),
        (bytearray(ORDER), [("other", bytearray(b"x"))], 2),
    ]
    frame = spark.createDataFrame(
        rows, "value binary, headers array<struct<key:string,value:binary>>, offset int"
    )
    found = [(row.schema_id, row.decoded.id) for row in read(frame, registry, headers="headers")]
    assert found == [(str(GUID), 7), (str(GUID), 7), ("1", 7)]


def test_named_ids_spare_the_scan(spark: SparkSession, registry: FakeRegistry) -> None:
    rows = read(frame_of(spark, ORDER, REFUND, order(2, id=1)), registry, identities=(1, 3))
    assert reasons(rows) == [None, "other_record", "unknown_schema"]
    assert registry.asked == [1, 3]


def test_a_stream_is_read_by_named_ids(spark: SparkSession, registry: FakeRegistry, tmp_path: Path) -> None:
    frame_of(spark, ORDER, order(3, id=8), b"test").write.parquet(str(tmp_path / "in"))
    stream = spark.readStream.schema("value binary, offset long").parquet(str(tmp_path / "in"))
    with pytest.raises(StreamNeedsSchemas):
        decode(stream, registry)
    decoded = decode(stream, registry, DecodeOptions(identities=(1, 3)))
    query = decoded.writeStream.format("memory").queryName("protobuf_orders").start()
    query.processAllAvailable()
    query.stop()
    rows = spark.sql("SELECT * FROM protobuf_orders ORDER BY offset").collect()
    assert [(row.decoded and row.decoded.id, row.quarantine_reason) for row in rows] == [
        (7, None),
        (8, None),
        (None, "wrong_magic"),
    ]
