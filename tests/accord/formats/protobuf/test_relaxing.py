"""What Confluent's registry takes and protoc does not: it compiles, and the stored text stays what it was."""

from __future__ import annotations

import pytest

from accord.errors import InvalidSchema
from accord.formats import DEFAULT_LIMITS
from accord.formats.protobuf.client import CompilerClient
from accord.formats.protobuf.exchange import Outcome, Status
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.painting import painted_over
from accord.formats.protobuf.relaxing import compile_relaxed
from tests.accord.protobuf_texts import COMPILER, protobuf

EVERYWHERE = """syntax = "proto2";
option (f) = 1;
message M {
  option (m) = 1; option deprecated = true;
  optional int32 a = 1 [(u) = 1, deprecated = true, (v) = "x", /* ] */ json_name = "b"];
  optional int32 b = 2 [(u) = 2 /* ] */, (w).x = { y: [1] } // x ]
  ];
  oneof o { option (o) = 1; int32 c = 3 [deprecated = true, (u) = 1]; group G = 4 [(u) = 1] {} }
  repeated group H = 5 { optional int32 i = 1 [(u) = 1]; }
  extensions 100 to 200 [(u) = 1];
  extend M { optional int32 e = 100 [(u) = 1]; }
  enum E { option (e) = 1; A = 0 [(u) = 1]; }
}
service S { option (s) = 1; rpc Do (M) returns (M) { option (r) = 1; } }
"""


def test_custom_options_that_nobody_declares_are_kept_in_the_text_and_passed_over() -> None:
    schema = protobuf(EVERYWHERE)
    assert schema.canonical.count("(u) = 1") == 7
    assert "(w).x = {" in schema.canonical
    field = schema.descriptor.message_type[0].field[0]
    assert (field.options.deprecated, field.json_name) == (True, "b")
    assert protobuf(schema.canonical).canonical == schema.canonical


def test_painting_over_moves_nothing() -> None:
    file = read_source(EVERYWHERE).file
    bare = painted_over(EVERYWHERE, file, None)
    assert "(" not in bare.replace("(M)", "")
    assert len(bare) == len(EVERYWHERE)
    assert bare.count("\n") == EVERYWHERE.count("\n")
    assert painted_over(EVERYWHERE, file, {"nobody"}) == EVERYWHERE


def test_declared_custom_options_are_still_understood() -> None:
    text = (
        'syntax = "proto3"; import "confluent/meta.proto"; message M {'
        ' int32 a = 1 [(confluent.field_meta) = { doc: "kept" }, (unknown) = 1]; int32 b = 2 [(other) = 2]; }'
    )
    (field, other) = protobuf(text).descriptor.message_type[0].field
    assert b"kept" in field.options.SerializeToString()
    assert not other.HasField("options")


def test_declared_options_with_wrong_values_are_refused() -> None:
    text = 'import "confluent/meta.proto"; message M { repeated int32 a = 1 [(confluent.field_meta) = 5]; }'
    with pytest.raises(InvalidSchema, match="line 1, column"):
        protobuf(text)


@pytest.mark.parametrize("head", ['syntax = "proto3";', 'edition = "2023";'])
def test_json_names_may_clash_and_leave_no_trace(head: str) -> None:
    schema = protobuf(
        f"{head} message M {{ message N {{ enum E {{ A = 0; }} }} int32 foo_bar = 1; int32 fooBar = 2; }}"
    )
    (message,) = schema.descriptor.message_type
    assert [one.json_name for one in message.field] == ["fooBar", "fooBar"]
    assert b"json_format" not in schema.descriptor.SerializeToString()
    assert not message.HasField("options")
    assert not message.nested_type[0].enum_type[0].HasField("options")


def test_other_features_stay_when_clashes_are_forgotten() -> None:
    closed = "enum E { option features.enum_type = CLOSED; A = 0; }"
    schema = protobuf(f'edition = "2023"; message M {{ int32 foo_bar = 1; int32 fooBar = 2; }} {closed}')
    (enum,) = schema.descriptor.enum_type
    assert enum.options.features.enum_type == 2
    assert not enum.options.features.HasField("json_format")


def test_names_of_constants_may_clash_in_proto2() -> None:
    schema = protobuf('syntax = "proto2"; enum E { option deprecated = true; A = 0; a = 1; }')
    (enum,) = schema.descriptor.enum_type
    assert enum.options.SerializeToString() == b"\x18\x01"


def test_options_and_clashes_come_together_and_are_taken_round_by_round() -> None:
    options = ", ".join(f"(o{number}) = 1" for number in range(9))
    schema = protobuf(f'syntax = "proto3"; message M {{ int32 foo_bar = 1 [{options}]; int32 fooBar = 2; }}')
    assert schema.descriptor.message_type[0].field[0].name == "foo_bar"
    said = protobuf('syntax = "proto2"; message M { option deprecated_legacy_json_field_conflicts = true; }')
    assert "deprecated_legacy" in said.canonical


class Dying:
    """A compiler that dies of everything."""

    def compile(self, _job: object) -> Outcome:
        return Outcome(Status.DIED, reason="it is tired")


def test_the_death_of_the_compiler_refuses_the_schema() -> None:
    with pytest.raises(InvalidSchema, match="refused the schema: it is tired; make it smaller"):
        compile_relaxed({"a.proto": ""}, Dying(), limits=DEFAULT_LIMITS)


def test_a_process_apart_does_the_same() -> None:
    client = CompilerClient(COMPILER.socket_path)
    (file,) = compile_relaxed({"a.proto": EVERYWHERE}, client, limits=DEFAULT_LIMITS).files
    assert file.name == "a.proto"


ENTRIES = """syntax = "{}";
package a;

message O {{
  repeated .a.O.CountsEntry counts = 1;
  repeated PartEntry part = 2;

  message CountsEntry {{
    option map_entry = true;

    {}string key = 1;
    {}int32 value = 2;
  }}
  message PartEntry {{
    option map_entry = true;

    {}int64 key = 1;
    {}Part value = 2;
  }}
  message Part {{}}
}}
"""
PROTO3, PROTO2 = (
    ENTRIES.format(syntax, *[label] * 4) for syntax, label in (("proto3", ""), ("proto2", "optional "))
)


@pytest.mark.parametrize("text", [PROTO3, PROTO2])
def test_entries_of_maps_may_be_written_out(text: str) -> None:
    """They compile to what a map does, and stay in the text, where message indexes count them."""
    schema = protobuf(text)
    head = text[: text.index("message")]
    maps = "map<string, int32> counts = 1; map<int64, Part> part = 2; message Part {}"
    made, meant = schema.descriptor, protobuf(f"{head} message O {{ {maps} }}").descriptor
    assert schema.canonical == text
    assert made.message_type[0].field == meant.message_type[0].field
    assert sorted(map(str, made.message_type[0].nested_type)) == sorted(
        map(str, meant.message_type[0].nested_type)
    )
    assert protobuf(schema.canonical).descriptor == made


def test_entries_that_are_written_out_are_normalized_to_maps() -> None:
    text = protobuf(PROTO3).normalized().canonical
    assert "map<string, int32> counts = 1;" in text
    assert "map<int64, .a.O.Part> part = 2;" in text
    assert "Entry" not in text
    assert protobuf(text).normalized().canonical == text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("map_entry = true", "map_entry = false"),
        ("string key", "double key"),
        ("string key = 1", "string key = 3"),
        ("int32 value", "repeated int32 value"),
        ("    string key = 1;", "    reserved 7; string key = 1;"),
        ("repeated .a.O.CountsEntry counts", "repeated .a.O.CountsEntry count"),
        ("repeated .a.O.CountsEntry counts", ".a.O.CountsEntry counts"),
        ("repeated PartEntry part = 2;", "repeated PartEntry part = 2; PartEntry more = 3;"),
        (
            "message O {",
            "message E { option map_entry = true; string key = 1; string value = 2; } message O {",
        ),
    ],
)
def test_what_is_no_entry_of_a_map_may_not_be_called_one(old: str, new: str) -> None:
    with pytest.raises(InvalidSchema, match="map_entry should not be set explicitly"):
        protobuf(PROTO3.replace(old, new))
