"""Descriptors that somebody sent: what is taken is stored as it is, the rest is refused by its element."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.formats import Limits
from accord.formats.protobuf.descriptors import Edition, FileDescriptorProto, FileDescriptorSet
from tests.accord.formats.protobuf.everything import IMPORTED, WRITTEN
from tests.accord.protobuf_texts import compiled, protobuf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.protobuf.schema import ProtobufSchema

IMPORTING = 'syntax = "proto3"; package a; import "b.proto"; message A { b.B b = 1; }'
EDITION = """edition = "2023";
package e;
import "google/protobuf/descriptor.proto";
message M {
  reserved gone;
  N n = 2 [features.message_encoding = DELIMITED];
  string s = 3 [default = "a", json_name = "zed"];
  oneof o { string t = 4; N u = 5; }
  map<string, N> m = 6;
  message N { extensions 5 to 10 [verification = UNVERIFIED]; }
}
extend M.N { int32 x = 5; }
extend google.protobuf.FieldOptions { string tag = 50001; M more = 50002; }
message Tagged { int32 a = 1 [(tag) = "a", (more).s = "s", (more).t = "t"]; }
service S { rpc Do (stream M) returns (Tagged) { option deprecated = true; } }
"""
DEFAULTS = """syntax = "proto2";
message M {
  optional float f = 1 [default = 1.1];
  optional double d = 2 [default = 1e300];
  optional bytes b = 3 [default = "\\001\\\\\\377"];
  optional E e = 4 [default = Z];
  optional int32 i = 5 [default = -7];
  enum E { A = 1; Z = -5; }
}
"""
PROTO3 = """syntax = "proto3";
import weak "google/protobuf/any.proto";
import public "google/protobuf/struct.proto";
message M {
  optional int32 a = 1;
  oneof o { int32 b = 2; }
  int32 foo_bar = 3;
  int32 fooBar = 4;
}
"""
MAP = {"name": "a", "number": 1, "type": 11, "label": 3, "type_name": ".M.AEntry"}
ENTRY = {
    "name": "AEntry",
    "options": {"map_entry": True},
    "field": [
        {"name": name, "number": number, "type": 5, "label": 1}
        for number, name in enumerate(("key", "value"), 1)
    ],
}


def encoded(message: FileDescriptorProto | FileDescriptorSet) -> str:
    return base64.b64encode(message.SerializeToString()).decode()


def sent(references: Mapping[str, str] | None = None, **members: Any) -> ProtobufSchema:
    """The schema of a descriptor made by hand."""
    return protobuf(encoded(FileDescriptorProto(name="x.proto", **members)), references)


def refusal(**members: Any) -> str:
    with pytest.raises(InvalidSchema) as caught:
        sent(**members)
    return caught.value.details


def with_field(**members: Any) -> dict[str, Any]:
    """A file whose message M has one field, which differs from a sound one in some members."""
    field = {"name": "a", "number": 1, "type": 5, "label": 1, **members}
    return {"message_type": [{"name": "M", "field": [field]}]}


@pytest.mark.parametrize("text", [WRITTEN, EDITION, DEFAULTS, PROTO3])
def test_what_protoc_made_is_taken_whatever_it_holds(text: str) -> None:
    first = protobuf(text, {"b.proto": IMPORTED})
    again = protobuf(first.serialized(), {"b.proto": IMPORTED})
    assert protobuf(again.serialized(), {"b.proto": IMPORTED}).canonical == again.canonical


def test_places_names_and_defaults_that_go_without_saying_make_no_difference() -> None:
    (file,) = compiled({"a.proto": 'syntax = "proto3"; message M { int32 ab_c = 1; optional M m = 2; }'})
    bare = FileDescriptorProto()
    bare.CopyFrom(file)
    message = bare.message_type[0]
    for field in message.field:
        field.ClearField("json_name")
        field.ClearField("label")
    message.field[1].ClearField("type")
    message.field[1].type_name = "M"
    message.oneof_decl[0].name = "own"
    message.options.deprecated = False
    message.options.ClearField("deprecated")
    bare.edition = Edition.EDITION_PROTO3
    assert protobuf(encoded(bare)).canonical == protobuf(encoded(file)).canonical.replace(".M", "M")


def test_numbers_as_others_write_them_are_the_same_defaults() -> None:
    for kind, default in ((1, "1.50"), (2, "1.50"), (2, "0.100000001")):
        assert f"default = {default}" in sent(**with_field(type=kind, default_value=default)).canonical


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (with_field(name="a = 1; int32 b"), "'M.a = 1; int32 b': 'a = 1; int32 b' is no name"),
        ({"message_type": [{"name": "M { } message N"}]}, "'M { } message N' is no name"),
        ({"package": "a; message Z {}"}, "the file: the package 'a; message Z {}' is no name"),
        ({"syntax": "proto9"}, "the file: the syntax 'proto9' is none of proto2, proto3 and editions"),
        ({"dependency": ["../y"]}, "the file: The import path '../y' must be relative"),
        ({"public_dependency": [1]}, "the file: there is no import 1, only 0 of them"),
        (with_field(oneof_index=7), "M.a: there is no oneof 7, only 0 of them"),
        ({"message_type": [{"name": "M", "oneof_decl": [{"name": "o"}]}]}, "M.o: the oneof has no fields"),
        (with_field(type=11), "M.a: it has no type"),
        (with_field(type=None), "M.a: it has no type"),
        (with_field(type=11, type_name=".M x"), "'M.a': '.M x' is no name of a type"),
        (with_field(type=10, type_name=".M.G"), "M.a: the message of the group is not declared beside it"),
        (with_field(default_value="1]; a"), "M.a: '1]; a' is no default of its type"),
        (with_field(type=12, default_value="\\q"), "M.a: '\\\\q' is no default of its type"),
        ({"enum_type": [{"name": "E", "value": [{"name": "a b", "number": 0}]}]}, "'a b' is no name"),
        (
            {
                "syntax": "editions",
                "edition": 1000,
                "message_type": [{"name": "M", "reserved_name": ["a b"]}],
            },
            "M: the reserved 'a b' is no name",
        ),
        ({"service": [{"name": "S", "method": [{"name": "m"}]}]}, "S.m: it lacks a type"),
        (
            {
                "extension": [
                    {"name": "x", "number": 1, "type": 5, "label": 1, "extendee": ".N", "oneof_index": 0}
                ]
            },
            "x: there is no oneof 0, only 0 of them",
        ),
    ],
)
def test_what_is_not_sound_is_refused_by_its_element(file: dict[str, Any], words: str) -> None:
    told = refusal(**file)
    assert told.startswith("The descriptor is not one that protoc makes; compile the file and send")
    assert words in told


def test_oneofs_of_optional_fields_hold_nothing_else() -> None:
    fields = [
        {"name": name, "number": number, "type": 5, "label": 1, "oneof_index": 0, "proto3_optional": optional}
        for number, (name, optional) in enumerate((("a", True), ("b", False)), 1)
    ]
    message = {"name": "M", "field": fields, "oneof_decl": [{"name": "o"}]}
    told = refusal(syntax="proto3", message_type=[message])
    assert "M.o: the oneof of a field that is proto3_optional holds other fields too" in told


def test_entries_of_maps_have_a_key_and_a_value() -> None:
    entry = {"name": "AEntry", "options": {"map_entry": True}}
    told = refusal(message_type=[{"name": "M", "nested_type": [entry], "field": [MAP]}])
    assert "M.AEntry: the entry of a map has exactly the fields key and value" in told


def test_strings_are_in_utf_8() -> None:
    data = FileDescriptorProto(**with_field(name="xyzw")).SerializeToString().replace(b"xyzw", b"x\xffzw")
    with pytest.raises(InvalidSchema, match=r"the file: the string 'x\\\\xffzw' is not in UTF-8"):
        protobuf(base64.b64encode(data).decode())


def test_several_flaws_are_told_at_once() -> None:
    told = refusal(message_type=[{"name": "1"}, {"name": "2"}])
    assert "'1' is no name" in told
    assert "'2' is no name" in told


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ({"syntax": "proto3", **with_field(label=2)}, "field M.a (label) would be stored as something else"),
        (with_field(type=5, type_name=".M"), "field M.a (type) would be"),
        (with_field(type=13, label=1, proto3_optional=True), "field M.a (proto3_optional) would be"),
        ({"syntax": "proto2", "edition": 1000}, "the file (edition) would be stored as something else"),
        (with_field(type=5, default_value="010"), "field M.a (default value) would be"),
        (
            {"message_type": [{"name": "M", "field": [MAP], "nested_type": [ENTRY, ENTRY]}]},
            'M.AEntry: "AEntry" is already defined in "M"',
        ),
    ],
)
def test_what_would_be_stored_as_something_else_is_refused(file: dict[str, Any], words: str) -> None:
    assert words in refusal(**file)


def test_options_that_nothing_declares_are_refused() -> None:
    (*_, file) = compiled({"a.proto": EDITION})
    kept = [one for one in file.extension if one.name != "tag"]
    del file.extension[:]
    file.extension.extend(kept)
    with pytest.raises(InvalidSchema, match=r"field e\.Tagged\.a \(options\) would be stored as something"):
        protobuf(encoded(file))


def test_options_that_are_no_options_are_refused() -> None:
    (*_, file) = compiled({"a.proto": EDITION})
    data = FileDescriptorProto(**with_field(options={"deprecated": True})).SerializeToString()
    file.message_type.add().CopyFrom(FileDescriptorProto.FromString(data).message_type[0])
    # The length of the string that the extension declares reaches beyond the options.
    file.message_type[-1].name = "Last"
    file.message_type[-1].field[0].options.MergeFromString(b"\x8a\xb5\x18\x02\xff\xff")
    with pytest.raises(InvalidSchema, match=r"e\.Last\.a \(options\)"):
        protobuf(encoded(file))


def test_what_protobuf_does_not_know_is_refused() -> None:
    data = FileDescriptorProto(**with_field()).SerializeToString() + b"\xa2\x06\x01x"
    with pytest.raises(InvalidSchema, match=r"the file \(what protobuf does not know\)"):
        protobuf(base64.b64encode(data).decode())


def test_declarations_that_protobuf_has_already_change_no_options() -> None:
    (file,) = compiled({"a.proto": 'syntax = "proto2"; package google.protobuf; message FieldOptions {}'})
    assert "message FieldOptions {}" in protobuf(encoded(file)).canonical


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (with_field(type=11, type_name=".p.Nope"), 'M.a: ".p.Nope" is not defined.'),
        ({"dependency": ["x.proto", '"']}, "The descriptor imports 'x.proto', which no reference brings;"),
        ({"dependency": ["google/protobuf/no.proto"]}, 'Import "google/protobuf/no.proto" was not found'),
        ({"syntax": "editions"}, "Edition UNKNOWN is not supported"),
        ({"syntax": "proto3", "enum_type": [{"name": "E", "value": [{"name": "A", "number": 1}]}]}, "E.A: "),
        (
            {
                "message_type": [
                    {
                        "name": "M",
                        "oneof_decl": [{"name": "o"}],
                        "field": [
                            {"name": "g", "number": 0, "type": 10, "type_name": "G", "oneof_index": 0},
                            {"name": "n", "number": 2, "type": 11, "type_name": "Nope", "oneof_index": 0},
                        ],
                        "nested_type": [{"name": "G"}],
                    }
                ],
                "extension": [{"name": "x", "number": 1, "label": 1, "type": 5, "extendee": ".Nobody"}],
            },
            "M.G: Field numbers must be positive integers.",
        ),
        (
            {"package": "p", "extension": [{"name": "x", "number": 1, "type": 5, "extendee": ".Nobody"}]},
            'p.x: ".Nobody" is not defined.',
        ),
        ({"package": "message.2"}, "is no name"),
    ],
)
def test_what_protoc_remarks_is_told_of_elements_and_not_of_lines(file: dict[str, Any], words: str) -> None:
    told = refusal(**file)
    assert words in told
    assert "line 4" not in told


def whole_set(root: str = IMPORTING) -> list[FileDescriptorProto]:
    return compiled({"b.proto": IMPORTED, "a.proto": root})


@pytest.mark.parametrize("step", [1, -1])
def test_a_set_stands_for_the_file_that_no_other_imports(step: int) -> None:
    data = encoded(FileDescriptorSet(file=whole_set()[::step]))
    schema = protobuf(data, {"b.proto": IMPORTED})
    assert schema.canonical.endswith("message A {\n  .b.B b = 1;\n}\n")


def test_of_several_that_no_other_imports_the_last_of_the_set_is_meant() -> None:
    files = compiled({"a.proto": "message A {}", "b.proto": "message B {}"})
    assert "message B {}" in protobuf(encoded(FileDescriptorSet(file=files))).canonical


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([("a", ["c"]), ("b", []), ("c", [])], "send the descriptor of that file alone; 'a' may be it; 'b'"),
        ([("a", ["b"]), ("b", ["a"])], "each of them is imported by another one"),
        ([("a", []), ("a", [])], "Two files of the set have one name"),
    ],
)
def test_where_it_cannot_be_told_which_file_is_meant_the_set_is_refused(
    files: list[tuple[str, list[str]]], words: str
) -> None:
    made = FileDescriptorSet(file=[FileDescriptorProto(name=name, dependency=paths) for name, paths in files])
    with pytest.raises(InvalidSchema, match=words):
        protobuf(encoded(made))


def test_what_a_set_imports_comes_from_references() -> None:
    data = encoded(FileDescriptorSet(file=whole_set()))
    with pytest.raises(InvalidSchema, match=r"register that file and send a reference named 'b\.proto'"):
        protobuf(data)


@pytest.mark.parametrize("sides", [1, -1])
def test_a_set_and_its_references_must_agree(sides: int) -> None:
    """Whichever of them has what the other lacks."""
    more = IMPORTED.replace("message B {", "message B { int32 more = 1;")
    of_set, of_reference = (IMPORTED, more)[::sides]
    data = encoded(FileDescriptorSet(file=compiled({"a.proto": IMPORTING, "b.proto": of_set})))
    with pytest.raises(
        InvalidSchema, match=r"other files than its references .*field b\.B\.more of 'b\.proto'"
    ):
        protobuf(data, {"b.proto": of_reference})


def test_built_in_files_of_a_set_may_be_of_another_release() -> None:
    root = IMPORTING.replace("b.B b", "google.protobuf.Any b").replace("b.proto", "google/protobuf/any.proto")
    files = compiled({"a.proto": root})
    files[0].message_type.add().name = "Newer"
    assert "google.protobuf.Any" in protobuf(encoded(FileDescriptorSet(file=files))).canonical


def test_size_of_descriptors_is_bounded() -> None:
    with pytest.raises(SchemaTooLarge, match="the descriptor has more than 5 bytes"):
        protobuf(base64.b64encode(b"x" * 6).decode(), limits=Limits(descriptor_bytes=5))


def test_no_limit_is_told_with_a_line_that_nobody_wrote() -> None:
    message: dict[str, Any] = {"name": "M"}
    for _ in range(70):
        message = {"name": "M", "nested_type": [message]}
    with pytest.raises(SchemaTooLarge) as found:
        sent(message_type=[message])
    assert found.value.details.startswith("more than 64 brackets")


def test_a_number_that_no_field_may_have_is_told_without_a_line() -> None:
    told = refusal(**with_field(name="a", number=19_500))
    assert "The number 19500 is one of 19000 to 19999" in told
    assert "line" not in told
