"""The nodes say what descriptors mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.errors import InvalidSchema
from accord.formats.protobuf.descriptors import FileDescriptorProto
from accord.formats.protobuf.features import (
    CppString,
    JavaUtf8,
    JsonFormat,
    RepeatedEncoding,
    Utf8Validation,
)
from accord.formats.protobuf.filesets import file_set
from accord.formats.protobuf.kinds import Cardinality, Kind, Label
from accord.formats.protobuf.model import Enum, Message, Position
from tests.accord.protobuf_texts import EDITION_2023, EDITION_2024, PROTO2, files, proto

if TYPE_CHECKING:
    from accord.formats.protobuf.fields import Field
    from accord.formats.protobuf.model import FileSet


def message(found: FileSet, name: str = "p.M") -> Message:
    """The message of a name."""
    node = found.types[name]
    assert isinstance(node, Message)
    return node


def enum(found: FileSet, name: str = "p.E") -> Enum:
    """The enum of a name."""
    node = found.types[name]
    assert isinstance(node, Enum)
    return node


def field(body: str, syntax: str = 'syntax = "proto3";', after: str = "") -> Field:
    """The first field of a message with a body."""
    return message(proto(f"message M {{ {body} }} message Other {{}} {after}", syntax)).fields[0]


@pytest.mark.parametrize(
    ("body", "syntax", "label", "cardinality"),
    [
        ("repeated int32 a = 1;", PROTO2, Label.REPEATED, Cardinality.REPEATED),
        ("int32 a = 1;", None, Label.NONE, Cardinality.IMPLICIT),
        ("optional int32 a = 1;", None, Label.OPTIONAL, Cardinality.EXPLICIT),
        ("repeated int32 a = 1;", None, Label.REPEATED, Cardinality.REPEATED),
        ("map<string, Other> a = 1;", None, Label.NONE, Cardinality.MAP),
        ("oneof o { int32 a = 1; }", None, Label.NONE, Cardinality.EXPLICIT),
        ("Other a = 1;", None, Label.NONE, Cardinality.EXPLICIT),
        ("required int32 a = 1;", PROTO2, Label.REQUIRED, Cardinality.REQUIRED),
        ("optional int32 a = 1;", PROTO2, Label.OPTIONAL, Cardinality.EXPLICIT),
        ("int32 a = 1;", EDITION_2023, Label.NONE, Cardinality.EXPLICIT),
        (
            "int32 a = 1 [features.field_presence = LEGACY_REQUIRED];",
            EDITION_2023,
            Label.NONE,
            Cardinality.REQUIRED,
        ),
        (
            "int32 a = 1 [features.field_presence = IMPLICIT];",
            EDITION_2023,
            Label.NONE,
            Cardinality.IMPLICIT,
        ),
    ],
)
def test_labels_as_written_and_cardinality(
    body: str, syntax: str | None, label: Label, cardinality: Cardinality
) -> None:
    found = field(body, syntax or 'syntax = "proto3";')
    assert (found.source_label, found.cardinality) == (label, cardinality)


@pytest.mark.parametrize(
    ("body", "syntax", "kind"),
    [
        ("optional group A = 1 {}", PROTO2, Kind.GROUP),
        ("Other a = 1;", EDITION_2023, Kind.MESSAGE),
        ("Other a = 1 [features.message_encoding = DELIMITED];", EDITION_2023, Kind.GROUP),
        ("map<int32, Other> a = 1;", f"{EDITION_2023} option features.message_encoding = DELIMITED;", 11),
    ],
)
def test_delimited_messages_are_groups_and_maps_are_not(body: str, syntax: str, kind: int) -> None:
    found = field(body, syntax)
    assert found.kind == kind
    assert found.kind.is_message
    assert not found.kind.is_text
    if found.entry is not None:
        assert found.entry.fields[1].kind is Kind.MESSAGE


@pytest.mark.parametrize(
    ("body", "syntax", "is_packed"),
    [
        ("repeated int32 a = 1;", 'syntax = "proto3";', True),
        ("repeated int32 a = 1 [packed = false];", 'syntax = "proto3";', False),
        ("repeated int32 a = 1;", PROTO2, False),
        ("repeated string a = 1;", 'syntax = "proto3";', False),
        ("repeated int32 a = 1 [features.repeated_field_encoding = EXPANDED];", EDITION_2023, False),
    ],
)
def test_packed_lists(body: str, syntax: str, is_packed: bool) -> None:
    assert field(body, syntax).is_packed is is_packed


def test_a_field_knows_its_names_and_places() -> None:
    found = files(
        {
            "a.proto": 'syntax = "proto2"; message M { extensions 5 to 9; oneof o { string odd_1x_name = 3'
            " [default = 'x']; } message In { extend M { optional int32 in = 6; } } }"
            " extend M { optional E top = 5; } enum E { Z = 0; }"
        }
    )
    first = message(found, "M").fields[0]
    assert (first.json_name, first.default, first.full_name) == ("odd1xName", "x", "M.odd_1x_name")
    assert (first.at, first.steps) == (
        ("a.proto", "messages", "M", "oneofs", "o", "fields", "3"),
        (4, 0, 2, 0),
    )
    assert (first.nested_name, first.spelled_type, first.type) == ("M.odd_1x_name", "string", None)
    assert first.kind.spelled == "string"
    top, inner = found.extensions["M", 5], found.extensions["M", 6]
    assert (top.at, top.full_name, top.file) == (("a.proto", "extensions", "top"), "top", found.root)
    assert (top.nested_name, top.spelled_type, top.default, top.any_oneof) == ("top", "E", None, None)
    assert (top.entry, top.message) == (None, None)
    assert inner.at == ("a.proto", "messages", "M", "messages", "In", "extensions", "in")
    assert (inner.file, inner.has_presence, inner.oneof) == (found.root, True, None)
    repeated = field("extensions 5; map<int32, string> m = 1;", PROTO2, "extend M { repeated M r = 5; }")
    assert [repeated.has_presence, repeated.is_packed] == [False, False]


def test_places_of_everything_else() -> None:
    found = proto(
        "message M { oneof o { int32 a = 1; } enum E { Z = 0; } message I {} optional int32 b = 2; }"
        "service S { rpc Get(M) returns (M); }"
    )
    node = message(found)
    assert [oneof.is_synthetic for oneof in node.all_oneofs] == [False, True]
    assert node.oneofs["o"].at == (*node.at, "oneofs", "o")
    assert [one.name for one in node.oneofs["o"].fields] == ["a"]
    value = enum(found, "p.M.E").values[0]
    assert (value.at, value.steps) == ((*node.at, "enums", "E", "values", "Z"), (4, 0, 4, 0, 2, 0))
    method = found.services["p.S"].methods["Get"]
    assert (method.at, method.steps) == (("a.proto", "services", "S", "methods", "Get"), (6, 0, 2, 0))
    assert (node.by_number[1], list(node.by_name)) == (node.fields[0], ["a", "b"])


def test_ranges_are_inclusive_on_both_sides() -> None:
    found = proto(
        'message M { reserved 2, 5 to 9; reserved "x"; extensions 20 to max; }'
        "message Set { option message_set_wire_format = true; extensions 4 to max; }"
        "enum E { A = 0; B = 1; reserved -3 to -1, 7; }",
        PROTO2,
    )
    node = message(found)
    assert (node.reserved, node.reserved_names) == (((2, 2), (5, 9)), frozenset({"x"}))
    assert node.extension_ranges == ((20, node.largest),)
    assert message(found, "p.Set").extension_ranges == ((4, message(found, "p.Set").largest),)
    assert enum(found).reserved == ((-3, -1), (7, 7))


def test_enum_values_by_number_and_name() -> None:
    found = enum(proto("enum E { option allow_alias = true; A = 0; B = 1; C = 1; }"))
    assert {number: [one.name for one in values] for number, values in found.by_number.items()} == {
        0: ["A"],
        1: ["B", "C"],
    }
    assert found.by_name["C"].number == 1
    assert found.features.is_open
    assert not enum(proto("enum E { A = 0; }", PROTO2)).features.is_open


def test_features_come_from_the_nearest_that_sets_them() -> None:
    options = "option features.json_format = LEGACY_BEST_EFFORT; option features.utf8_validation = NONE;"
    found = proto(
        f"{options} message M {{ option features.json_format = ALLOW; message I {{ string a = 1"
        " [features.utf8_validation = VERIFY]; string b = 2; } }",
        EDITION_2023,
    )
    inner = message(found, "p.M.I")
    assert (found.root.features.json, inner.features.json) == (JsonFormat.LEGACY_BEST_EFFORT, 1)
    assert [one.features.utf8 for one in inner.fields] == [Utf8Validation.VERIFY, Utf8Validation.NONE]
    assert inner.features.repeated == RepeatedEncoding.PACKED


def test_features_of_languages_are_read_from_extensions() -> None:
    text = (
        'import "google/protobuf/cpp_features.proto"; import "google/protobuf/java_features.proto";'
        'import "google/protobuf/go_features.proto";'
        "option features.(pb.java).utf8_validation = VERIFY; option features.(pb.cpp).string_type = CORD;"
        "option features.(pb.go).legacy_unmarshal_json_enum = true;"
        "option features.(pb.java).legacy_closed_enum = true;"
    )
    features = proto(text, EDITION_2023).root.features
    assert (features.java_utf8, features.java_closed_enum) == (JavaUtf8.VERIFY, 1)
    assert (features.cpp_string, features.cpp_closed_enum) == (CppString.CORD, 0)
    assert proto("", EDITION_2024).root.features.cpp_string == CppString.VIEW


def test_a_set_tells_its_own_files_from_imports() -> None:
    found = files(
        {"b.proto": 'syntax = "proto3"; import "google/protobuf/any.proto"; message M { M a = 1; }'}
    )
    assert [file.path for file in found.own] == ["b.proto"]
    assert found.root.path == "b.proto"
    assert found.by_path["google/protobuf/any.proto"].is_import
    assert found.types["google.protobuf.Any"].nested_name == "Any"
    assert found.root.prefix == ""


def test_an_unknown_edition_is_refused() -> None:
    odd = FileDescriptorProto(name="a.proto", syntax="editions", edition=99_999)  # type: ignore[arg-type]  # a number is what an unknown edition is
    with pytest.raises(InvalidSchema, match=r"a\.proto is written in an edition that is not supported"):
        file_set([odd])


def test_a_hand_made_field_has_the_json_name_of_its_name() -> None:
    file = FileDescriptorProto(name="a.proto")
    made = file.message_type.add(name="M").field.add(name="a_b", number=1, label="LABEL_OPTIONAL", type=5)
    made.type_name = ""
    assert file_set([file]).root.messages[0].fields[0].json_name == "aB"


def test_a_hand_made_list_of_an_enum_that_calls_itself_a_message_is_no_map() -> None:
    file = FileDescriptorProto(name="a.proto")
    file.enum_type.add(name="E")
    made = file.message_type.add(name="M").field
    made.add(name="a", number=1, label="LABEL_REPEATED", type="TYPE_MESSAGE", type_name=".E")
    assert not file_set([file]).root.messages[0].fields[0].is_map


class Text:
    """A source that knows one type and nothing else."""

    def position(self, steps: tuple[int, ...]) -> Position | None:
        return Position(len(steps), 1)

    def comment(self, steps: tuple[int, ...]) -> str:
        return str(steps)

    def may_say(self, words: str) -> bool:
        return bool(words)

    def spelled_type(self, steps: tuple[int, ...]) -> str | None:
        return ".p.M" if steps == (4, 0, 2, 0) else None


def test_a_type_is_spelled_as_the_text_has_it() -> None:
    protos = [file.proto for file in proto("message M { M a = 1; M b = 2; }").files]
    node = file_set(protos, sources={"a.proto": Text()}).root.messages[0]
    assert [one.spelled_type for one in node.fields] == [".p.M", "p.M"]
