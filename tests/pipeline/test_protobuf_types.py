"""Every Protobuf type as Spark shows it, values checked against Google's own bytes."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from accord.pipeline import DecodeOptions, UnfitMessage, accepted, decode
from tests.fakes import FakeRegistry
from tests.pipeline.messages import FIRST, framed, message, proto
from tests.pipeline.records import frame_of

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

pytestmark = pytest.mark.spark
SCALARS = ("int32", "sint32", "sfixed32", "uint32", "fixed32", "int64", "sint64", "sfixed64", "uint64")
OTHERS = ("fixed64", "float", "double", "bool", "string", "bytes")
SHOWN = {
    "int32": "int",
    "sint32": "int",
    "sfixed32": "int",
    "uint32": "bigint",
    "fixed32": "bigint",
    "int64": "bigint",
    "sint64": "bigint",
    "sfixed64": "bigint",
    "uint64": "decimal(20,0)",
    "fixed64": "decimal(20,0)",
    "float": "float",
    "double": "double",
    "bool": "boolean",
    "string": "string",
    "bytes": "binary",
}
EXTREMES: dict[str, Any] = {
    "int32": -(2**31),
    "sint32": 2**31 - 1,
    "sfixed32": -(2**31),
    "uint32": 2**32 - 1,
    "fixed32": 2**32 - 1,
    "int64": -(2**63),
    "sint64": 2**63 - 1,
    "sfixed64": -(2**63),
    "uint64": 2**64 - 1,
    "fixed64": 2**64 - 1,
    "float": 0.5,
    "double": 1e300,
    "bool": True,
    "string": "grüezi\x00",
    "bytes": b"\x00\xff",
}
RICH = """syntax = "proto3";
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/wrappers.proto";
message Rich {
  enum State { option allow_alias = true; NEW = 0; FRESH = 0; PAID = 1; }
  message Inner { int32 x = 1; }
  message Nothing {}
  State state = 1;
  repeated State states = 2;
  Inner inner = 3;
  repeated Inner inners = 4;
  map<uint64, Inner> by_number = 5;
  map<string, bytes> by_name = 6;
  google.protobuf.Timestamp at = 7;
  google.protobuf.Duration took = 8;
  oneof choice { int32 number = 9; Inner other = 10; }
  optional int32 maybe = 11;
  google.protobuf.Int64Value wrapped = 12;
  Nothing nothing = 13;
  repeated Nothing nothings = 14;
  map<string, Nothing> nothing_by_name = 15;
  int32 ListFields = 16;
  int32 FromString = 17;
  repeated double readings = 18;
}
"""
RICH_TYPE = (
    "struct<state:string,states:array<string>,inner:struct<x:int>,inners:array<struct<x:int>>,"
    "by_number:map<decimal(20,0),struct<x:int>>,by_name:map<string,binary>,at:timestamp,"
    "took:interval day to second,number:int,other:struct<x:int>,maybe:int,wrapped:struct<value:bigint>,"
    "ListFields:int,FromString:int,readings:array<double>>"
)
TREE = """syntax = "proto3";
message Tree { string name = 1; repeated Tree children = 2; map<string, Tree> named = 3; Tree left = 4; }
"""


def rows(spark: SparkSession, text: str, *values: bytes, **options: Any) -> tuple[str, list[Row]]:
    """The type of the column, and its values; all must be read."""
    registry = FakeRegistry()
    registry.add(1, proto(text))
    named = DecodeOptions(identities=(1,), **options)  # spares the scans, which are tested elsewhere
    decoded = decode(frame_of(spark, *values), registry, named).orderBy("offset")
    read = decoded.collect()
    assert [row.quarantine_reason for row in read] == [None] * len(values)
    return decoded.schema["decoded"].dataType.simpleString(), [row.decoded for row in read]


def test_every_scalar_at_its_extreme_and_its_default(spark: SparkSession) -> None:
    fields = (f"{kind} f_{kind} = {number};" for number, kind in enumerate((*SCALARS, *OTHERS), 1))
    text = f'syntax = "proto3"; message All {{ {" ".join(fields)} }}'
    kind = message(text, "All")
    full = kind(**{f"f_{name}": value for name, value in EXTREMES.items()})
    shown, (read, empty) = rows(spark, text, framed(1, FIRST, full), framed(1, FIRST, b""))
    assert shown == f"struct<{','.join(f'f_{name}:{SHOWN[name]}' for name in (*SCALARS, *OTHERS))}>"
    assert read.asDict() == {f"f_{name}": value for name, value in EXTREMES.items()}
    zeros = {"bool": False, "string": "", "bytes": b""}
    assert empty.asDict() == {f"f_{name}": zeros.get(name, 0) for name in SHOWN}


def test_everything_that_is_no_scalar(spark: SparkSession) -> None:
    kind = message(RICH, "Rich")
    full = kind(
        state=1,
        states=[0, 1, 7],
        inner={"x": 1},
        inners=[{"x": 2}, {}],
        by_number={2**64 - 1: {"x": 3}},
        by_name={"a": b"b"},
        at={"seconds": -1_000_000_000, "nanos": 999_999_999},
        took={"seconds": -1, "nanos": -500_001_999},
        number=0,
        maybe=0,
        wrapped={"value": 5},
        ListFields=6,
        FromString=7,
        readings=[0.5, 1.5],
    )
    shown, (read, empty) = rows(spark, RICH, framed(1, FIRST, full), framed(1, FIRST, b""))
    assert shown == RICH_TYPE
    values = read.asDict(recursive=True)
    assert values.pop("at").timestamp() == pytest.approx(-999_999_999.000001, abs=1e-6)
    assert values == {
        "state": "PAID",
        "states": ["NEW", "PAID", "7"],
        "inner": {"x": 1},
        "inners": [{"x": 2}, {"x": 0}],
        "by_number": {Decimal(2**64 - 1): {"x": 3}},
        "by_name": {"a": b"b"},
        "took": -timedelta(seconds=1, microseconds=500_001),
        "number": 0,
        "other": None,
        "maybe": 0,
        "wrapped": {"value": 5},
        "ListFields": 6,
        "FromString": 7,
        "readings": [0.5, 1.5],
    }
    unset = {name for name, value in empty.asDict().items() if value is None}
    assert unset == {"inner", "at", "took", "number", "other", "maybe", "wrapped"}
    assert (empty.state, empty.states, empty.by_name) == ("NEW", [], {})


def test_proto2_knows_what_is_set_and_what_must_be(spark: SparkSession) -> None:
    text = """syntax = "proto2";
    message Old {
      required int32 id = 1;
      optional int32 count = 2 [default = 7];
      optional group Part = 3 { optional string name = 4; }
    }"""
    kind = message(text, "Old")
    values = framed(1, FIRST, kind(id=5)), framed(1, FIRST, kind(id=6, count=1, part={"name": "a"}))
    shown, (bare, full) = rows(spark, text, *values)
    assert shown == "struct<id:int,count:int,part:struct<name:string>>"
    assert (bare.id, bare["count"], bare.part) == (5, None, None)
    assert (full.id, full["count"], full.part.name) == (6, 1, "a")


def test_a_recursive_message_is_unrolled_as_deep_as_asked(spark: SparkSession) -> None:
    kind = message(TREE, "Tree")
    value = framed(1, FIRST, kind(name="a", children=[{"name": "b", "left": {"name": "c"}}]))
    shown, _ = rows(spark, TREE, value, recursion_depth=1)
    assert shown == "struct<name:string>"
    shown, (read,) = rows(spark, TREE, value, recursion_depth=2)
    inner = "struct<name:string>"
    assert shown == f"struct<name:string,children:array<{inner}>,named:map<string,{inner}>,left:{inner}>"
    assert read.asDict(recursive=True) == {
        "name": "a",
        "children": [{"name": "b"}],
        "named": {},
        "left": None,
    }


@pytest.mark.parametrize("depth", [None, 0, 11])
def test_a_recursive_message_without_a_depth_is_refused(spark: SparkSession, depth: int | None) -> None:
    with pytest.raises(UnfitMessage, match=r"message Tree .* Tree\.children is recursive; .* 1 to 10"):
        rows(spark, TREE, framed(1, FIRST, b""), recursion_depth=depth)


def test_messages_that_multiply_are_refused(spark: SparkSession) -> None:
    """Five levels of ten fields each are a hundred thousand columns."""
    fields = [" ".join(f"L{level + 1} f{one} = {one};" for one in range(1, 11)) for level in range(5)]
    levels = "\n".join(f"message L{level} {{ {text} }}" for level, text in enumerate(fields))
    text = f'syntax = "proto3";\n{levels}\nmessage L5 {{ int32 x = 1; }}'
    with pytest.raises(UnfitMessage, match=r"message L0 .* more than 10000 columns"):
        rows(spark, text, framed(1, FIRST, b""))


def test_messages_that_nest_without_end_are_refused(spark: SparkSession) -> None:
    levels = "\n".join(f"message L{level} {{ L{level + 1} next = 1; }}" for level in range(120))
    text = f'syntax = "proto3";\n{levels}\nmessage L120 {{ int32 x = 1; }}'
    with pytest.raises(UnfitMessage, match="deeper than 100 levels"):
        rows(spark, text, framed(1, FIRST, b""))


def test_a_message_without_fields_is_an_empty_struct(spark: SparkSession) -> None:
    text = 'syntax = "proto3"; message Nothing {}'
    shown, read = rows(spark, text, framed(1, FIRST, b""))
    assert (shown, len(read)) == ("struct<>", 1)


def test_the_message_of_somebody_who_takes_google_s_name_is_a_struct(spark: SparkSession) -> None:
    text = 'syntax = "proto3"; package google.protobuf; message Own { Timestamp at = 1; }'
    text += " message Timestamp { string x = 1; }"
    shown, _ = rows(spark, text, framed(1, FIRST, b""))
    assert shown == "struct<at:struct<x:string>>"


def test_each_record_is_read_once(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    """Filters and projections on the result must not copy the reading into themselves."""
    registry = FakeRegistry()
    registry.add(1, proto('syntax = "proto3"; message A { int32 x = 1; }'))
    options = DecodeOptions(identities=(1,))
    read = accepted(decode(frame_of(spark, framed(1, FIRST, b"")), registry, options))
    read.where("decoded.x > 3").select("decoded.*").explain("extended")
    plan = capsys.readouterr().out.partition("== Physical Plan ==")[2]
    assert plan.count("BatchEvalPython") == 1
