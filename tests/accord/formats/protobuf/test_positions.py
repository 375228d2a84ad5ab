"""The path of a finding leads to a line and a column of the text as it was written."""

from __future__ import annotations

import pytest

from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.protobuf.positions import ProtoText

TEXT = """syntax = "proto2";
package a.b;
import "other.proto";
option java_package = "a";
message M {
  oneof o { int32 a = 1; group G = 7 { optional int32 z = 1; } }
  map<int32, M> by_number = 2;
  optional int32 d = 3 [jstype = JS_NORMAL, default = 5];
  enum E { A = 0; B = 1; }
  message N { optional group H = 1 {} }
  extensions 5 to 6;
  option (x) = 1;
}
extend M { optional int32 x = 5; optional group Y = 6 { optional int32 u = 1; } }
service S {
  rpc Get(M) returns (M);
}
"""
FILE = "/schema.proto"
M = f"{FILE}/messages/M"


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ("/", 1, 1),
        (FILE, 1, 1),
        ("/unknown.proto/messages/M", 1, 1),
        ("/other.proto/messages/M", 3, 1),
        (f"/_{FILE[1:]}/messages/M", 5, 1),
        (f"{FILE}/package", 2, 1),
        (f"{FILE}/syntax", 1, 1),
        (f"{FILE}/options/java_package", 4, 8),
        (f"{FILE}/options/go_package", 1, 1),
        (M, 5, 1),
        (f"{M}/reserved", 5, 1),
        (f"{M}/oneofs/o", 6, 3),
        (f"{M}/oneofs/o/fields/1/type", 6, 13),
        (f"{M}/oneofs/o/fields/3", 8, 3),
        (f"{M}/oneofs/gone/fields/3", 8, 3),
        (f"{M}/oneofs/o/fields/99", 6, 3),
        (f"{M}/oneofs/gone", 5, 1),
        (f"{M}/fields/1", 6, 13),
        (f"{M}/fields/2/type", 7, 3),
        (f"{M}/messages/ByNumberEntry/fields/2/type", 7, 3),
        (f"{M}/fields/3/default", 8, 45),
        (f"{M}/fields/3/options/jstype", 8, 25),
        (f"{M}/fields/3/name", 8, 3),
        (f"{M}/fields/7", 6, 26),
        (f"{M}/messages/G/fields/1", 6, 40),
        (f"{M}/messages/N/messages/H", 10, 15),
        (f"{M}/messages/Gone/fields/1", 5, 1),
        (f"{M}/enums/E/values/B", 9, 19),
        (f"{FILE}/extensions/x/type", 14, 21),
        (f"{FILE}/extensions/y", 14, 34),
        (f"{FILE}/extensions/gone", 1, 1),
        (f"{FILE}/messages/Y/fields/1", 14, 57),
        (f"{FILE}/services/S/methods/Get/input", 16, 3),
        (f"{FILE}/services/S/fields/1", 15, 1),
    ],
)
def test_paths_lead_to_places(path: str, line: int, column: int) -> None:
    assert ProtoText(TEXT).locate(path) == (line, column)


@pytest.mark.parametrize(
    "text",
    ["", "CgphLnByb3Rv", "message", "message A {" * (DEFAULT_LIMITS.brackets + 1)],
    ids=["nothing", "a descriptor", "half a text", "too deep"],
)
def test_what_cannot_be_read_has_its_beginning(text: str) -> None:
    assert ProtoText(text).locate(M) == (1, 1)
