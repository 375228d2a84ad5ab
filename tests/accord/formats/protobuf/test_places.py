"""The place of a finding leads to the path that protoc uses."""

from __future__ import annotations

import pytest

from accord.formats.protobuf.places import around, place_of
from tests.accord.protobuf_texts import files

TEXT = """syntax = "proto2";
option java_package = "a";
message M {
  oneof o { int32 a = 1; }
  map<int32, string> m = 2;
  enum E { A = 0; }
  extensions 5 to 9;
}
extend M { optional int32 x = 5; }
service S { rpc Get(M) returns (M); }
"""


@pytest.mark.parametrize(
    ("tokens", "steps"),
    [
        ("", ()),
        ("package", (2,)),
        ("options java_package", (8, 1)),
        ("messages M", (4, 0)),
        ("messages M reserved", (4, 0)),
        ("messages M options no_standard_descriptor_accessor", (4, 0, 7, 2)),
        ("messages M oneofs o", (4, 0, 8, 0)),
        ("messages M oneofs o fields 1 type", (4, 0, 2, 0, 5)),
        ("messages M fields 2 label", (4, 0, 2, 1)),
        ("messages M messages MEntry fields 2 type", (4, 0, 2, 1, 5)),
        ("messages M enums E values A", (4, 0, 4, 0, 2, 0)),
        ("messages M messages Gone fields 1", (4, 0)),
        ("extensions x default", (7, 0, 7)),
        ("services S methods Get input", (6, 0, 2, 0, 2)),
        ("services S fields 1", (6, 0)),
    ],
)
def test_tokens_lead_to_steps(tokens: str, steps: tuple[int, ...]) -> None:
    found = place_of(files({"dir/a.proto": TEXT}), ("dir/a.proto", *tokens.split()))
    assert found is not None
    assert (found.file.path, found.steps) == ("dir/a.proto", steps)


def test_a_file_that_is_not_there_has_no_place() -> None:
    assert place_of(files({"a.proto": TEXT}), ("b.proto",)) is None
    assert place_of(files({"a.proto": TEXT}), ()) is None


def test_around_goes_out_to_the_file() -> None:
    assert list(around((4, 0, 5))) == [(4, 0, 5), (4, 0), (4,), ()]
