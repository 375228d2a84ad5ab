"""One table, one record type: strays are set aside, unless the union is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.naming import parse_subject
from accord.pipeline import DecodeOptions, accepted, decode
from tests.pipeline.records import V1, avro, frame_of, framed, order, payload

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

    from tests.fakes import FakeRegistry

    Decode = Callable[..., DataFrame]

pytestmark = pytest.mark.spark
REFUND: dict[str, Any] = {
    "type": "record",
    "name": "shop.Refund",
    "fields": [{"name": "reason", "type": "string"}],
}
STRAY = framed(90, REFUND, {"reason": "broken"})
ORDERS = [framed(1, V1, order(number, 1)) for number in (5, 6)]


@pytest.fixture
def decoded(spark: SparkSession, registry: FakeRegistry) -> Decode:
    """Decode some values, in order."""
    registry.add(90, avro(REFUND), "refunds")

    def run(*values: bytes, **options: Any) -> DataFrame:
        return decode(frame_of(spark, *values), registry, DecodeOptions(**options)).orderBy("offset")

    return run


def reasons(frame: DataFrame) -> list[str | None]:
    return [row.quarantine_reason for row in frame.collect()]


def test_one_stray_record_changes_nothing(decoded: Decode) -> None:
    clean, mixed = decoded(*ORDERS), decoded(ORDERS[0], STRAY, ORDERS[1])
    assert mixed.schema == clean.schema
    assert reasons(mixed) == [None, "other_record", None]
    assert [row.decoded for row in accepted(mixed).collect()] == [row.decoded for row in clean.collect()]


@pytest.mark.parametrize("name", ["shop.Refund", "Refund"])
def test_the_record_of_the_table_can_be_named(decoded: Decode, name: str) -> None:
    mixed = decoded(*ORDERS, STRAY, record=name)
    assert reasons(mixed) == ["other_record", "other_record", None]
    assert mixed.schema["decoded"].dataType.simpleString() == "struct<reason:string>"


def test_a_name_that_nothing_has_leaves_the_table_empty(decoded: Decode) -> None:
    assert reasons(decoded(*ORDERS, record="shop.Nothing")) == ["other_record"] * 2


def test_the_latest_of_a_subject_names_the_record(decoded: Decode) -> None:
    assert reasons(decoded(*ORDERS, STRAY, reader=parse_subject("refunds"))) == [
        "other_record",
        "other_record",
        None,
    ]


def test_of_named_ids_the_first_decides(decoded: Decode) -> None:
    assert reasons(decoded(*ORDERS, STRAY, identities=(90, 1))) == ["other_record", "other_record", None]


def test_the_union_is_there_for_the_asking(decoded: Decode) -> None:
    union = decoded(ORDERS[0], STRAY, is_union=True)
    assert reasons(union) == [None, None]
    assert union.select("decoded.*").columns == ["member_Order", "member_Refund"]
    assert [row.decoded.member_Refund for row in union.collect()][1].reason == "broken"


def test_a_record_that_moved_is_the_same_record(decoded: Decode, registry: FakeRegistry) -> None:
    """The namespace changes, and with it that of the inner record."""
    moved = {**V1, "namespace": "store"}
    registry.add(91, avro(moved))
    table = decoded(*ORDERS, framed(91, moved, order(7, 1)))
    assert reasons(table) == [None] * 3
    assert table.schema["decoded"].dataType.simpleString() == (
        "struct<id:bigint,amount:int,customer:struct<name:string>>"
    )
    assert [row.schema_id for row in table.collect()] == ["1", "1", "91"]


def test_a_record_with_an_alias_is_the_same_record(decoded: Decode, registry: FakeRegistry) -> None:
    purchase = {**V1, "name": "Purchase", "aliases": ["Order"]}
    registry.add(91, avro(purchase), "purchases")
    values = [*ORDERS, framed(91, purchase, order(7, 1)), STRAY]
    expected = [None, None, None, "other_record"]
    assert reasons(decoded(*values)) == expected
    assert reasons(decoded(*values, reader=parse_subject("purchases"))) == expected
    assert reasons(decoded(*values, reader=avro(V1))) == [None, None, "other_record", "other_record"]


def test_what_is_no_record_is_a_stray_too(decoded: Decode, registry: FakeRegistry) -> None:
    registry.add(91, avro("string"))
    text = b"\x00\x00\x00\x00\x5b" + payload("string", "a")
    assert reasons(decoded(*ORDERS, text)) == [None, None, "other_record"]


def test_a_writer_may_leave_the_record_out(decoded: Decode, registry: FakeRegistry) -> None:
    maybe = ["null", V1]
    registry.add(91, avro(maybe), "maybe")
    value = b"\x00\x00\x00\x00\x5b" + payload(maybe, order(5, 1))
    table = decoded(*ORDERS, value, STRAY, reader=parse_subject("maybe"))
    assert reasons(table) == [None, None, None, "other_record"]
