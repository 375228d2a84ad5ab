"""Corners of the walk over Protobuf files that the cases of the rules do not reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from accord.diff.protobuf_defaults import default_of, is_same_default, unescaped
from accord.model import Format
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.comparison import Budget
from tests.accord.protobuf_texts import EDITION_2023, PROTO2, files, proto, schema_of
from tests.accord.stand_ins import ForeignSchema

if TYPE_CHECKING:
    from accord.formats.protobuf.model import FileSet

PROTO3 = 'syntax = "proto3";'


def found(old: str, new: str, preset: str, syntax: str = PROTO3) -> set[str]:
    """The rules that a preset finds broken between two bodies."""
    before, after = ({"a.proto": f"{syntax}\npackage p;\n{body}"} for body in (old, new))
    return told(before, after, preset)


def told(old: dict[str, str], new: dict[str, str], preset: str) -> set[str]:
    """The rules that a preset finds broken between two sets of files."""
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], preset)
    return {one.rule for one in judge(schema_of(new), [HistoryEntry(1, schema_of(old))], policy).findings}


def same(one: str, other: str, *, is_zero_signed: bool = False) -> bool:
    """Whether two fields of proto2 have the same default; each is the type and the default."""
    fields = []
    for text in (one, other):
        type_, _, default = text.partition(" ")
        option = f" [default = {default}]" if default else ""
        body = (
            f"message M {{ optional {type_} a = 1{option}; }} enum E {{ A = 1; B = 0; }} enum F {{ G = 1; }}"
        )
        fields.append(proto(body, PROTO2).root.messages[0].fields[0])
    return is_same_default(*fields, is_zero_signed=is_zero_signed)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("int32", "int32 0", True),
        ("int32 1", "int64 1", True),
        ("int32 1", "int32 2", False),
        ("int32", "string", True),
        ("int32 1", 'string "1"', False),
        ('string "a"', 'bytes "a"', True),
        ('string "ä"', r'bytes "\303\244"', True),
        ("bool true", "int32 1", True),
        ("bool false", "bool", True),
        ("float 0.1", "double 0.1", True),
        ("float inf", "double 1e300", True),
        ("double 0.1", "double 0.2", False),
        ("float nan", "double nan", True),
        ("E", "E A", True),
        ("E", "E B", False),
        ("E", "F", True),
        ("double -0.0", "double", True),
        ("M", "M", True),
    ],
)
def test_defaults_are_the_same(one: str, other: str, is_same: bool) -> None:
    assert same(one, other) is is_same


def test_the_sign_of_zero_counts_where_it_is_asked_for() -> None:
    assert not same("double -0.0", "double 0.0", is_zero_signed=True)
    assert same("double -0.0", "float -0.0", is_zero_signed=True)


def test_escapes_of_bytes() -> None:
    assert unescaped(r"a\n\001\\\"\x") == b'a\n\x01\\"x'
    assert unescaped("\\") == b"\\"


def test_an_enum_that_is_not_there_has_no_default_of_its_own() -> None:
    node = proto("enum E { A = 1; } message M { optional E e = 1 [default = A]; }", PROTO2)
    field = node.root.messages[0].fields[0]
    node.types.pop("p.E")
    assert default_of(field) == 0


EXTENDED = "message M { extensions 5 to 9; } extend M { optional int32 x = 5; }"


def test_an_extension_is_compared_like_a_field() -> None:
    other = EXTENDED.replace("int32", "string")
    assert "FIELD_SAME_TYPE" in found(EXTENDED, other, "buf:v2:FILE", PROTO2)
    assert found(EXTENDED, f"{EXTENDED} message N {{}}", "buf:v2:FILE", PROTO2) == set()


def test_java_is_told_by_features_options_and_syntax() -> None:
    plain = "message M { string a = 1 [features.utf8_validation = NONE]; }"
    java = (
        'import "google/protobuf/java_features.proto";'
        f" option features.(pb.java).utf8_validation = VERIFY; {plain}"
    )
    rule = "FIELD_SAME_JAVA_UTF8_VALIDATION"
    assert rule in found(plain, java, "buf:v2:FILE", EDITION_2023)
    checked = "message M { optional string a = 1; }"
    assert rule in found(checked, f"option java_string_check_utf8 = true; {checked}", "buf:v2:FILE", PROTO2)


def test_a_piece_of_text_may_become_a_string() -> None:
    piece = "message M { string a = 1 [ctype = STRING_PIECE]; }"
    assert found(piece, "message M { string a = 1; }", "buf:v2:FILE") == set()
    assert found("message M { string a = 1; }", piece, "buf:v2:FILE") == {"FIELD_SAME_CPP_STRING_TYPE"}


def test_a_file_that_is_gone_loses_its_fields_for_protolock() -> None:
    old = {"a.proto": "message A {}", "b.proto": "message B { optional int32 x = 1; } enum E { Z = 0; }"}
    rules = {"FIELD_NO_DELETE_UNLESS_NAME_AND_NUMBER_RESERVED", "SCOPED_ENUM_NO_DELETE"}
    assert told(old, {"a.proto": "message A {}"}, "protolock:2024-02") == rules


def test_a_message_that_became_an_enum_is_no_deletion_for_karapace() -> None:
    old, new = "message M {} message T {}", "message M {} enum T { A = 0; }"
    kinds = found(old, new, "karapace:2026-06")
    assert "TYPE_SAME_KIND" in kinds
    assert "SCOPED_MESSAGE_NO_DELETE" not in kinds


def test_nested_types_are_looked_for_in_what_is_left() -> None:
    old, new = "message M { message I { message J {} } }", "message M { message I {} }"
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], "buf:v2:FILE")
    sides = [schema_of({"a.proto": f"{PROTO3} {text}"}) for text in (new, old)]
    (one,) = judge(sides[0], [HistoryEntry(1, sides[1])], policy).findings
    assert (one.path, one.location) == ("/a.proto/messages/M/messages/I", "#/M/I/J")
    assert one.lost == "/a.proto/messages/M/messages/I/messages/J"


def test_a_file_that_left_its_package_is_named_by_itself() -> None:
    text = "message M { message I {} }"
    old = {"a.proto": f"{PROTO3} package p; {text}", "b.proto": f"{PROTO3} package p; message N {{}}"}
    new = {**old, "a.proto": f"{PROTO3} package q; {text}"}
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], "buf:v2:PACKAGE")
    found = judge(schema_of(new), [HistoryEntry(1, schema_of(old))], policy).findings
    places = {one.path for one in found if one.rule == "PACKAGE_MESSAGE_NO_DELETE"}
    assert places == {"/a.proto"}


def test_what_a_message_lost_on_its_way_to_another_file_is_told_where_it_is_now() -> None:
    other = f"{PROTO3} package p; message N {{}}"
    old = {"a.proto": f"{PROTO3} package p; message K {{}} message M {{ message I {{}} }}", "b.proto": other}
    new = {"a.proto": f"{PROTO3} package p; message K {{}}", "b.proto": f"{other} message M {{}}"}
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], "buf:v2:PACKAGE")
    (one,) = judge(schema_of(new), [HistoryEntry(1, schema_of(old))], policy).findings
    assert (one.rule, one.path) == ("PACKAGE_MESSAGE_NO_DELETE", "/b.proto/messages/M")


def test_groups_are_no_fields_where_texts_are_compared() -> None:
    old = "message M { optional group G = 1 { optional int32 a = 1; } }"
    assert found(old, "message M { optional string x = 2; }", "confluent:8.1", PROTO2) == {"FIELD_ADDED"}
    assert "FIELD_NO_DELETE" in found(old, "message M { optional string x = 2; }", "buf:v2:FILE", PROTO2)


def test_a_message_is_entered_once_for_each_reader() -> None:
    old = "message M { A.T a = 1; B.T b = 2; } message A { message T { int32 x = 1; } }"
    old += " message B { message T { string x = 1; } }"
    new = "message M { A.T a = 1; A.T b = 2; } message A { message T { int32 x = 1; } }"
    new += " message B { message T {} }"
    assert found(old, new, "redpanda:26.1") == set()


def test_enums_behind_fields_are_compared_where_only_those_count() -> None:
    old = "message M { optional E e = 1; optional F f = 2; } enum E { A = 0; B = 1; } enum F { G = 0; }"
    new = old.replace(" B = 1;", "")
    assert found(old, new, "pulsar:2026", PROTO2) == {"ENUM_READABLE"}
    assert found("message M {} enum E { A = 0; B = 1; }", "message M {}", "pulsar:2026") == set()


def test_messages_that_lead_back_to_themselves() -> None:
    text = "message M { N n = 1; map<int32, M> m = 2; } message N { M m = 1; int32 x = 2; }"
    assert found(text, text, "karapace:2026-06") == set()
    rules = found(text, text.replace("int32 x", "string x"), "karapace:2026-06")
    assert rules == {"FIELD_WIRE_COMPATIBLE_SCALAR", "FIELD_MESSAGE_CONTENT_COMPATIBLE"}


def test_a_map_of_messages_became_a_map_of_numbers() -> None:
    old, new = (f"message M {{ map<int32, {one}> m = 1; }}" for one in ("M", "int32"))
    assert "FIELD_SAME_TYPE_CATEGORY" in found(old, new, "confluent:8.1")


def test_the_entry_of_a_map_is_no_message_of_its_own() -> None:
    old, new = "message M { map<int32, int32> m = 1; }", "message M { int32 a = 2; }"
    assert "SCOPED_MESSAGE_NO_DELETE" not in found(old, new, "accord:1")
    assert "SCOPED_MESSAGE_NO_DELETE" in found(old, new, "stencil:2025-03")


def test_a_message_and_the_bytes_of_one_are_read_as_each_other() -> None:
    old, new = (f"message M {{ {one} a = 1; }}" for one in ("M", "bytes"))
    assert "FIELD_SAME_TYPE_CATEGORY" not in found(old, new, "protobuf.dev:binary")
    assert "FIELD_SAME_TYPE_CATEGORY" in found(old, new, "protobuf.dev:json")


def test_a_message_that_is_not_there_is_compared_by_name() -> None:
    sides = [schema_of({"a.proto": f"{PROTO3} message M {{ N a = 1; }} message N {{}}"}) for _ in range(2)]
    for side in sides:
        cast("FileSet", side.root).types.pop("N")
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"], "pulsar:2026")
    assert judge(sides[0], [HistoryEntry(1, sides[1])], policy).findings == ()


def test_too_much_work_is_refused() -> None:
    fields = " ".join(f"int32 f{number} = {number};" for number in range(1, 200))
    old, new = (f"{PROTO3} message M {{ {fields} {more} }}" for more in ("", "int32 g = 500;"))
    sides = [ForeignSchema("", Format.PROTOBUF, root=files({"a.proto": one})) for one in (new, old)]
    policy = Policy(CONFLUENT_LEVELS["BACKWARD"])
    verdict = judge(sides[0], [HistoryEntry(1, sides[1])], policy, budget=Budget(500, 500))
    assert [one.rule for one in verdict.findings] == ["CHECK_TOO_LARGE"]
