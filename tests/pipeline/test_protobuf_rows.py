"""What runs in Spark's workers, called as a worker does, without Spark."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from pyspark.serializers import CPickleSerializer

from accord.formats import DEFAULT_LIMITS
from accord.formats.protobuf.descriptors import message_type
from accord.formats.protobuf.grammar import read_source
from accord.pipeline.protobuf_columns import columns_of
from accord.pipeline.protobuf_rows import HeadReader, Places, RecordReader, prefix_of, tree_of
from accord.pipeline.reasons import Reason
from tests.pipeline.messages import FIRST, file_set, framed, message

TEXT = """syntax = "proto2";
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
message All {
  message Inner { optional int32 x = 1; }
  enum State { NEW = 1; }
  optional fixed64 number = 1;
  optional State state = 2;
  repeated Inner inners = 3;
  map<uint64, Inner> pairs = 4;
  optional google.protobuf.Timestamp at = 5;
  optional google.protobuf.Duration took = 6;
  repeated int32 numbers = 7;
  optional string text = 8;
  optional Needy needy = 9;
}
message Needy { required int32 x = 1; }
"""
PREFIX = b"\x00\x00\x00\x00\x01"
OTHER = b"\x00\x00\x00\x00\x02"
EMPTY: dict[str, object] = {"inners": [], "pairs": {}, "numbers": []}


@pytest.fixture(scope="module")
def kind() -> type[Any]:
    return message(TEXT, "All")


def reader_of(text: str, recursion_depth: int | None = None) -> RecordReader:
    """What reads the first message of a text; records with the other prefix have none."""
    files = file_set(text)
    first = files.file[-1].message_type[0].name
    serialized = files.SerializeToString()
    places = Places((0,), tree_of(read_source(text, DEFAULT_LIMITS).file.messages))
    struct = columns_of(message_type(serialized, first), recursion_depth)
    return RecordReader(serialized, first, struct, {PREFIX: places, OTHER: Places(None, ())})


@pytest.fixture(scope="module")
def reader() -> RecordReader:
    made = reader_of(TEXT)
    serializer = CPickleSerializer()  # as Spark sends it
    sent = serializer.loads(serializer.dumps(made))  # type: ignore[no-untyped-call]  # Spark says no types
    assert isinstance(sent, RecordReader)
    return sent


def values(reader: RecordReader, record: bytes) -> dict[str, object]:
    outcome = reader(bytearray(record))
    assert outcome is not None
    assert outcome.value is not None, outcome.reason
    names = [column.name for column in reader.struct.columns]
    return {name: one for name, one in zip(names, outcome.value, strict=True) if one is not None}


def reason(reader: RecordReader, record: bytes) -> str | None:
    outcome = reader(record)
    assert outcome is not None
    assert outcome.value is None
    return outcome.reason


def test_every_kind_of_value(reader: RecordReader, kind: type[Any]) -> None:
    full = kind(
        number=2**64 - 1,
        state=1,
        inners=[{"x": 1}, {}],
        pairs={2**63: {"x": 2}},
        at={"seconds": 1, "nanos": 1_999},
        took={"seconds": -1, "nanos": -1_999},
        numbers=[1, 2],
        text="a",
        needy={"x": 3},
    )
    assert values(reader, framed(1, FIRST, full)) == {
        "number": Decimal(2**64 - 1),
        "state": "NEW",
        "inners": [(1,), (None,)],
        "pairs": {Decimal(2**63): (2,)},
        "at": datetime(1970, 1, 1, 0, 0, 1, 1, tzinfo=UTC),
        "took": -timedelta(seconds=1, microseconds=1),
        "numbers": [1, 2],
        "text": "a",
        "needy": (3,),
    }
    assert values(reader, framed(1, FIRST, b"")) == EMPTY


def test_a_number_that_no_name_stands_for_is_text() -> None:
    reader = reader_of('syntax = "proto3"; message M { enum E { A = 0; } E e = 1; }')
    assert reader(framed(1, FIRST, b"\x08\x07")) == (("7",), None)
    assert reader(framed(1, FIRST, b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")) == (("-1",), None)


def test_records_of_no_known_prefix_are_somebody_else_s(reader: RecordReader) -> None:
    unknown = [None, b"", b"\x00", b"\x09abc", PREFIX[:4], b"\x01" + bytes(16), b"\x00\x00\x00\x00\x09\x00"]
    assert {reader(one) for one in unknown} == {None}


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        (PREFIX, Reason.TRUNCATED),
        (PREFIX + b"\x04\x00", Reason.TRUNCATED),
        (PREFIX + b"\x01", Reason.UNDECODABLE),
        (PREFIX + b"\x04\x00\x00", Reason.OTHER_RECORD),
        (PREFIX + b"\x04\x00\x08", Reason.UNDECODABLE),
        (PREFIX + b"\x02\x02\x08\x01", Reason.OTHER_RECORD),
        (OTHER + FIRST, Reason.UNDECODABLE),
        (PREFIX + FIRST + b"\x09", Reason.UNDECODABLE),
        (PREFIX + FIRST + b"\x4a\x00", Reason.UNDECODABLE),
        (PREFIX + FIRST + b"\x42\x01\xff", Reason.UNDECODABLE),
        (PREFIX + FIRST + b"\x1a\x00" * 125_000, Reason.TOO_LARGE),
    ],
)
def test_what_cannot_be_read_has_its_reason(reader: RecordReader, record: bytes, wanted: Reason) -> None:
    assert reason(reader, record) == str(wanted)


@pytest.mark.parametrize(
    "fields",
    [
        {"at": {"seconds": 2**62}},
        {"at": {"seconds": 253_402_300_800}},
        {"at": {"nanos": -1}},
        {"at": {"nanos": 10**9}},
        {"took": {"seconds": 315_576_000_001}},
        {"took": {"nanos": -(10**9)}},
    ],
)
def test_what_no_column_holds_is_undecodable(
    reader: RecordReader, kind: type[Any], fields: dict[str, Any]
) -> None:
    assert reason(reader, framed(1, FIRST, kind(**fields))) == "undecodable"


@pytest.mark.parametrize(
    "fields", [{"numbers": [1] * 250_000}, {"pairs": {number: {} for number in range(100_000)}}]
)
def test_what_makes_too_many_values_is_too_large(
    reader: RecordReader, kind: type[Any], fields: dict[str, Any]
) -> None:
    assert reason(reader, framed(1, FIRST, kind(**fields))) == "too_large"


def test_records_share_the_values_they_do_not_set() -> None:
    """Each of its own would be a hundred bytes for none of the payload."""
    text = 'syntax = "proto3"; message M { uint64 big = 1; repeated M all = 2; }'
    reader = reader_of(text, recursion_depth=2)
    read: Any = reader(framed(1, FIRST, b"\x12\x00\x12\x00"))
    big, (one, other) = read.value
    assert big == Decimal(0)
    assert one[0] is other[0]


def test_a_head_goes_up_to_the_payload() -> None:
    head = HeadReader(frozenset([PREFIX]))
    assert head(bytearray(PREFIX + b"\x04\x02\x80\x01rest")) == PREFIX + b"\x04\x02\x80\x01"
    assert [head(one) for one in (None, PREFIX, PREFIX + b"\x01", OTHER + FIRST)] == [None] * 4


def test_a_prefix_is_as_long_as_its_magic_says() -> None:
    assert prefix_of(bytearray(PREFIX + b"more")) == PREFIX
    assert prefix_of(b"\x01" + bytes(30)) == b"\x01" + bytes(16)
    assert prefix_of(b"") == b""
