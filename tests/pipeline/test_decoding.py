"""Decoding small frames: what each record becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

import pytest
from pyspark.sql import Row

from accord.model import Format, Reference, SchemaText
from accord.naming import parse_subject
from accord.pipeline import (
    ColumnTaken,
    DecodeOptions,
    Reason,
    StreamNeedsSchemas,
    accepted,
    decode,
    quarantined,
)
from accord.wire import encode_header
from tests.pipeline.records import V1, V2, V3, avro, frame_of, framed, order, payload

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.fakes import FakeRegistry
    from tests.pipeline.records import AvroJson

pytestmark = pytest.mark.spark
GUID = UUID("095d71cf-1255-6b9d-5e33-0ad575b3df5d")
ORDER_1 = framed(1, V1, order(7, 1))


def reasons(
    spark: SparkSession, registry: FakeRegistry, *values: bytes | None, **options: Any
) -> list[str | None]:
    decoded = decode(frame_of(spark, *values), registry, DecodeOptions(**options))
    return [row.quarantine_reason for row in decoded.orderBy("offset").collect()]


def decoded_one(spark: SparkSession, registry: FakeRegistry, schema: AvroJson, value: object) -> object:
    registry.add(50, avro(schema))
    row = decode(frame_of(spark, framed(50, schema, value)), registry).collect()[0]
    assert row.quarantine_reason is None
    return cast(object, row.decoded)


POISON = [
    (None, Reason.TOMBSTONE),
    (b"", Reason.EMPTY),
    (b"test", Reason.WRONG_MAGIC),
    (b"\x07" + ORDER_1[1:], Reason.WRONG_MAGIC),
    (b"\x00", Reason.TRUNCATED),
    (ORDER_1[:4], Reason.TRUNCATED),
    (b"\x01" + bytes(15), Reason.TRUNCATED),
    (b"\x01" + bytes(16), Reason.UNKNOWN_SCHEMA),
    (b"\x00\x00\x00\x00\x63" + ORDER_1[5:], Reason.UNKNOWN_SCHEMA),
    (b"\x00\xff\xff\xff\xff", Reason.UNKNOWN_SCHEMA),
    (ORDER_1[:5], Reason.UNDECODABLE),
    (ORDER_1[:-1], Reason.UNDECODABLE),
    (ORDER_1 + b"\x00", Reason.TRAILING_BYTES),
    (ORDER_1[:5] + b"\xff" * 20, Reason.UNDECODABLE),
]


def test_every_kind_of_poison_has_its_reason(spark: SparkSession, registry: FakeRegistry) -> None:
    values = [value for value, _ in POISON]
    assert reasons(spark, registry, *values, ORDER_1) == [*(str(reason) for _, reason in POISON), None]


def test_a_corrupt_length_reserves_no_memory(spark: SparkSession, registry: FakeRegistry) -> None:
    registry.add(9, avro("bytes"))
    registry.add(10, avro({"type": "array", "items": "null"}))
    two_gigabytes = payload("long", 2**31 - 10)
    values = [b"\x00\x00\x00\x00\x09" + two_gigabytes, b"\x00\x00\x00\x00\x0a" + two_gigabytes]
    assert [reasons(spark, registry, one) for one in values] == [["undecodable"]] * 2


def test_a_schema_that_is_no_use_is_a_reason(spark: SparkSession, registry: FakeRegistry) -> None:
    registry.add(20, SchemaText(Format.JSON, "{}"))
    registry.add(21, avro({"type": "record", "name": "Broken"}))
    registry.add(22, avro("geo.Address", Reference("geo.Address", "address-value", 1)))
    values = [bytes([0, 0, 0, 0, number]) + b"ab" for number in (20, 21, 22)]
    assert reasons(spark, registry, *values) == ["other_format", "unusable_schema", "unusable_schema"]


def test_only_the_most_frequent_ids_are_looked_up(spark: SparkSession, registry: FakeRegistry) -> None:
    values = [b"\x00\x00\x00\x00\x63a", ORDER_1, ORDER_1]
    assert reasons(spark, registry, *values, max_schemas=1) == ["too_many_schemas", None, None]
    assert registry.asked == [1]


def test_versions_merge_into_one_row_type(spark: SparkSession, registry: FakeRegistry) -> None:
    values = [framed(1, V1, order(5, 1)), framed(2, V2, order(6, 2)), framed(3, V3, order(7, 3))]
    decoded = decode(frame_of(spark, *values), registry).orderBy("offset")
    assert decoded.schema["decoded"].dataType.simpleString() == (
        "struct<id:bigint,amount:double,customer:struct<name:string,tags:array<string>>,note:string,state:string>"
    )
    assert [row.decoded.asDict(recursive=True) for row in decoded.collect()] == [
        {"id": 5, "amount": 5.0, "customer": {"name": "c5", "tags": None}, "note": None, "state": None},
        {"id": 6, "amount": 6.0, "customer": {"name": "c6", "tags": None}, "note": "note 6", "state": None},
        {"id": 7, "amount": 1.75, "customer": {"name": "c7", "tags": ["t2"]}, "note": None, "state": "PAID"},
    ]
    assert [row.schema_id for row in decoded.collect()] == ["1", "2", "3"]


def test_the_latest_of_a_subject_fills_in_its_defaults(spark: SparkSession, registry: FakeRegistry) -> None:
    fields = [*V1["fields"], {"name": "note", "type": "string", "default": "none"}]
    registry.add(4, avro({**V1, "fields": fields}), "current")
    options = DecodeOptions(reader=parse_subject("current"))
    row = decode(frame_of(spark, ORDER_1), registry, options).collect()[0]
    assert (row.decoded.id, row.decoded.note) == (7, "none")


def test_a_reader_schema_may_leave_fields_out(spark: SparkSession, registry: FakeRegistry) -> None:
    reader = avro({**V1, "fields": [{"name": "id", "type": "long"}]})
    row = decode(frame_of(spark, ORDER_1), registry, DecodeOptions(reader=reader)).collect()[0]
    assert row.decoded.asDict() == {"id": 7}


def test_what_the_reader_schema_cannot_read_is_set_aside(spark: SparkSession, registry: FakeRegistry) -> None:
    reader = avro({**V1, "fields": [{"name": "gone", "type": "long"}]})
    assert reasons(spark, registry, ORDER_1, reader=reader) == ["undecodable"]


def test_a_guid_names_its_schema_too(spark: SparkSession, registry: FakeRegistry) -> None:
    registry.add(GUID, avro(V1))
    row = decode(frame_of(spark, b"\x01" + GUID.bytes + ORDER_1[5:]), registry).collect()[0]
    assert (row.schema_id, row.decoded.id) == (str(GUID), 7)


def test_the_last_header_goes_before_the_prefix(spark: SparkSession, registry: FakeRegistry) -> None:
    registry.add(GUID, avro(V2))
    name = "__value_schema_id"
    headers = [(name, encode_header(1)), ("other", b"x"), (name, encode_header(GUID))]
    rows = [
        (bytearray(payload(V2, order(6, 2))), [(key, bytearray(value)) for key, value in headers]),
        (bytearray(ORDER_1), [("other", bytearray(b"x"))]),
        (bytearray(ORDER_1), None),
    ]
    frame = spark.createDataFrame(rows, "value binary, headers array<struct<key:string,value:binary>>")
    read = decode(frame, registry, DecodeOptions(headers="headers")).collect()
    assert [(row.schema_id, row.decoded.id) for row in read] == [(str(GUID), 6), ("1", 7), ("1", 7)]


def test_references_are_resolved(spark: SparkSession, registry: FakeRegistry) -> None:
    address = {"type": "record", "name": "geo.Address", "fields": [{"name": "city", "type": "string"}]}
    home = {"type": "record", "name": "Home", "fields": [{"name": "at", "type": "geo.Address"}]}
    registry.add(30, avro(address), "address-value")
    registry.add(31, avro(home, Reference("geo.Address", "address-value", 1)))
    whole = {**home, "fields": [{"name": "at", "type": address}]}
    row = decode(frame_of(spark, framed(31, whole, {"at": {"city": "Bern"}})), registry).collect()[0]
    assert row.decoded.at.city == "Bern"


@pytest.mark.parametrize(
    ("schema", "value"), [("string", "a"), ("long", 3), ({"type": "array", "items": "int"}, [1, 2])]
)
def test_the_top_need_not_be_a_record(
    spark: SparkSession, registry: FakeRegistry, schema: AvroJson, value: object
) -> None:
    assert decoded_one(spark, registry, schema, value) == value


def test_a_record_of_nulls_is_not_taken_for_poison(spark: SparkSession, registry: FakeRegistry) -> None:
    schema = {"type": "record", "name": "Maybe", "fields": [{"name": "a", "type": ["null", "int"]}]}
    assert decoded_one(spark, registry, schema, {"a": None}) == Row(a=None)


def test_a_recursive_type_is_unrolled_as_deep_as_asked(spark: SparkSession, registry: FakeRegistry) -> None:
    fields = [{"name": "v", "type": "int"}, {"name": "next", "type": ["null", "Node"]}]
    schema = {"type": "record", "name": "Node", "fields": fields}
    registry.add(40, avro(schema))
    value = {"v": 1, "next": {"v": 2, "next": None}}
    options = DecodeOptions(recursion_depth=3)
    row = decode(frame_of(spark, framed(40, schema, value)), registry, options).collect()[0]
    assert row.decoded.next.v == 2


def test_nothing_readable_still_gives_the_columns(spark: SparkSession, registry: FakeRegistry) -> None:
    decoded = decode(frame_of(spark, b"test"), registry)
    assert decoded.columns == ["value", "offset", "decoded", "schema_id", "quarantine_reason"]
    assert accepted(decoded).count() == 0


def test_the_two_halves_have_their_columns(spark: SparkSession, registry: FakeRegistry) -> None:
    decoded = decode(frame_of(spark, ORDER_1, b"test"), registry)
    assert accepted(decoded).columns == ["value", "offset", "decoded", "schema_id"]
    poison = quarantined(decoded).collect()
    assert [(bytes(row.value), row.offset, row.quarantine_reason) for row in poison] == [
        (b"test", 1, "wrong_magic")
    ]


@pytest.mark.parametrize("column", ["target", "schema_id", "reason"])
def test_a_column_is_never_overwritten(spark: SparkSession, registry: FakeRegistry, column: str) -> None:
    with pytest.raises(ColumnTaken, match="'OFFSET'"):
        decode(frame_of(spark), registry, DecodeOptions(**{column: "OFFSET"}))  # type: ignore[arg-type]  # names


def test_named_ids_spare_the_scan(spark: SparkSession, registry: FakeRegistry) -> None:
    values = [ORDER_1, framed(2, V2, order(6, 2))]
    assert reasons(spark, registry, *values, identities=(1,)) == [None, "unknown_schema"]
    assert registry.asked == [1]


def test_a_stream_must_name_its_ids(spark: SparkSession, registry: FakeRegistry) -> None:
    stream = spark.readStream.format("rate").load().selectExpr("CAST(null AS binary) AS v")
    with pytest.raises(StreamNeedsSchemas):
        decode(stream, registry, DecodeOptions(column="v"))
    assert decode(stream, registry, DecodeOptions(column="v", identities=(1,))).isStreaming


def test_an_outage_is_no_reason_for_quarantine(spark: SparkSession) -> None:
    from accord.client import ClientSettings, RegistryClient, RegistryUnreachable

    nobody = RegistryClient("http://127.0.0.1:9", settings=ClientSettings(retries=0, connect_timeout=1))
    with nobody, pytest.raises(RegistryUnreachable):
        decode(frame_of(spark, ORDER_1), nobody)


def test_each_record_is_read_once(
    spark: SparkSession, registry: FakeRegistry, capsys: pytest.CaptureFixture[str]
) -> None:
    """Filters and projections on the result must not copy the reading into themselves."""
    rows = accepted(decode(frame_of(spark, ORDER_1), registry)).where("decoded.id > 3").select("decoded.*")
    rows.explain("extended")
    plan = capsys.readouterr().out.partition("== Physical Plan ==")[2]
    assert plan.count("from_avro(") == 1


def test_wherever_a_record_is_cut_it_is_undecodable(spark: SparkSession, registry: FakeRegistry) -> None:
    whole = framed(3, V3, order(8, 3))
    values = [whole[:end] for end in range(5, len(whole))]
    assert set(reasons(spark, registry, *values)) == {"undecodable"}


def test_however_much_follows_it_is_trailing(spark: SparkSession, registry: FakeRegistry) -> None:
    values = [ORDER_1 + bytes([number]) * number for number in range(1, 30)]
    assert set(reasons(spark, registry, *values)) == {"trailing_bytes"}
