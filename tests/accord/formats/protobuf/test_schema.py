"""Schemas as a registry is given them: texts, descriptors, references; and the texts that are stored."""

from __future__ import annotations

import pytest

from accord.errors import InvalidReference, InvalidSchema, ReferenceNotFound, SchemaTooLarge
from accord.formats import Limits
from accord.formats.protobuf import schema as schemas
from accord.formats.protobuf import service
from accord.formats.protobuf.canonical import fingerprint
from accord.formats.protobuf.client import CompilerClient
from accord.formats.protobuf.indexes import message_indexes, message_name
from accord.model import Format, Reference, SchemaText
from tests.accord.formats.protobuf.everything import CANONICAL, IMPORTED, NORMALIZED, WRITTEN
from tests.accord.protobuf_texts import COMPILER, compiled, outcome, protobuf

SMALL = 'syntax = "proto3";\n\nmessage M {\n  int32 a = 1;\n}\n'


def refusal(text: str, references: dict[str, str] | None = None) -> str:
    with pytest.raises(InvalidSchema) as caught:
        protobuf(text, references)
    return caught.value.details


def test_the_canonical_text_is_confluents() -> None:
    schema = protobuf(WRITTEN, {"b.proto": IMPORTED})
    assert schema.canonical == CANONICAL
    assert schema.comparable() == schema.resolved() == CANONICAL
    assert schema.format is Format.PROTOBUF


def test_the_normalized_text_settles_order_and_spelling() -> None:
    schema = protobuf(WRITTEN, {"b.proto": IMPORTED}).normalized()
    assert schema.canonical == NORMALIZED
    assert schema.normalized().canonical == NORMALIZED
    assert [one.name for one in schema.descriptor.message_type] == ["Inner", "M", "Gx"]


@pytest.mark.parametrize(
    ("head", "values", "told"),
    [
        ('syntax = "proto3";', "Z = 0; B = 2; A = -1;", ["Z = 0;", "A = -1;", "B = 2;"]),
        ('edition = "2023";', "Z = 0; A = -1;", ["Z = 0;", "A = -1;"]),
        # Source: confluent-api, section 2.8: by number, whatever this makes the default.
        ('syntax = "proto2";', "Z = 0; A = -1;", ["A = -1;", "Z = 0;"]),
        ('edition = "2023"; option features.enum_type = CLOSED;', "Z = 0; A = -1;", ["A = -1;", "Z = 0;"]),
    ],
)
def test_normalizing_sorts_constants_but_open_enums_begin_with_zero(
    head: str, values: str, told: list[str]
) -> None:
    for text in (f"enum E {{ {values} }}", f"message M {{ enum E {{ {values} }} }}"):
        once = protobuf(f"{head} {text}").normalized()
        lines = [line.strip() for line in once.canonical.splitlines()]
        assert [line for line in lines if line in told] == told
        assert once.normalized().canonical == once.canonical


def test_canonical_text_stays_as_it_is() -> None:
    assert protobuf(CANONICAL, {"b.proto": IMPORTED}).canonical == CANONICAL


def test_a_descriptor_becomes_the_text_that_somebody_might_have_written() -> None:
    schema = protobuf(WRITTEN, {"b.proto": IMPORTED})
    again = protobuf(schema.serialized(), {"b.proto": IMPORTED})
    assert again.normalized().canonical.replace("(a.b.my)", "(.a.b.my)") == NORMALIZED
    assert protobuf(again.serialized(), {"b.proto": IMPORTED}).canonical == again.canonical


def test_editions_are_written_as_they_are() -> None:
    text = (
        'edition = "2024";\npackage p;\n\noption features.field_presence = IMPLICIT;\n\n'
        "export message M {\n  reserved a, b;\n\n  int32 c = 1 [features.field_presence = EXPLICIT];\n\n"
        "  local enum E {\n    Z = 0;\n  }\n}\n"
    )
    schema = protobuf(text)
    assert schema.canonical == text
    assert protobuf(schema.serialized()).canonical == text
    schema = protobuf(
        'edition = "2024"; import option "confluent/meta.proto"; option (confluent.file_meta).doc = "d";'
    )
    assert 'import option "confluent/meta.proto";' in schema.canonical
    assert 'doc: "d"' in protobuf(schema.serialized()).canonical


def test_maps_in_options_of_descriptors_are_entries() -> None:
    params = '{ params: [{key: "k", value: "v"}, {key: "a", value: "b"}] }'
    schema = protobuf(f'import "confluent/meta.proto"; option (confluent.file_meta) = {params};')
    again = protobuf(schema.serialized())
    assert [line.strip() for line in again.canonical.splitlines() if ': "' in line] == [
        'key: "a",',
        'value: "b"',
        'key: "k",',
        'value: "v"',
    ]


def test_an_empty_text_is_an_empty_file() -> None:
    assert protobuf("// nothing").canonical == ""
    assert protobuf("message M {}").canonical == "\nmessage M {}\n"


def test_built_in_files_need_no_reference() -> None:
    imports = (
        "google/type/money",
        "google/type/datetime",
        "google/protobuf/struct",
        "confluent/type/variant",
    )
    lines = "".join(f'import "{path}.proto";' for path in imports)
    schema = protobuf(f'syntax = "proto3"; {lines} message M {{ google.type.Money m = 1; }}')
    assert len(schema.warnings) == 3
    assert schema.root.root.path == "schema.proto"


@pytest.mark.parametrize(
    "path",
    [
        *(
            f"google/type/{one}"
            for one in (
                "calendar_period",
                "color",
                "date",
                "dayofweek",
                "decimal",
                "expr",
                "fraction",
                "interval",
                "latlng",
                "localized_text",
                "month",
                "phone_number",
                "postal_address",
                "quaternion",
                "timeofday",
            )
        ),
        "confluent/type/decimal",
        "google/protobuf/descriptor",
        "google/protobuf/type",
    ],
)
def test_every_built_in_file_compiles(path: str) -> None:
    assert outcome({"a.proto": f'import "{path}.proto";'}).descriptors


def test_all_that_is_wrong_is_told_at_once() -> None:
    assert refusal("message M {\n  Foo a = 1;\n  optional Foo b = 2;\n  optional Bar c = 2;\n}") == (
        'line 2, column 3: Expected "required", "optional", or "repeated".'
    )
    told = refusal('syntax = "proto3";\nmessage M {\n  Foo a = 1;\n  int32 b = 2;\n  int32 c = 2;\n}')
    assert told.startswith('line 3, column 3: "Foo" is not defined.; line 5, column 13: Field number 2')
    assert refusal("message {}\nenum {}").startswith("line 1, column 9: The name of the message is expected")


def test_what_our_parser_and_protoc_find_is_told_together_and_no_place_twice() -> None:
    text = 'message M {\n  int32 a = 1;\n  optional = 2;\n  optional int32 b = "x;\n} # no comment\n'
    assert refusal(text) == (
        'line 2, column 3: Expected "required", "optional", or "repeated".; '
        "line 3, column 12: A field, with its type first, is expected here, but '=' is met; "
        "line 4, column 22: The string is not closed on its line; close it with the quote it began with; "
        "line 5, column 3: A comment begins with // in Protobuf; write that instead of '#'"
    )


def test_without_protoc_our_own_parser_still_tells_what_is_wrong() -> None:
    service.use(CompilerClient("/nowhere/compiler"))
    try:
        assert refusal("message {}").startswith("line 1, column 9: The name of the message is expected")
    finally:
        service.use(COMPILER)


def test_each_error_is_told_once() -> None:
    deep = "message M { " * 60 + "}" * 60
    assert refusal(deep).count("Reached end of input") == 1
    assert refusal('import "no.proto";') == 'line 1, column 1: Import "no.proto" was not found or had errors.'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('import "other.proto";', 'Import "other.proto" was not found'),
        (
            'edition = "2026"; message M {}',
            "line 1, column 1: Edition 2026 is not supported; use 2023 or 2024",
        ),
        ('syntax = "proto4";', "Unrecognized syntax identifier"),
        ("\ufeffmessage M {}", "begins with a byte order mark"),
        ("// \n \ud800", "line 2, column 2: One half of a surrogate pair"),
        ("message M {}\0", "line 1, column 13: The character '\\x00' means nothing"),
        ("aGVsbG8=", "neither Protobuf source nor a FileDescriptorProto in base64"),
        ("abcde", "neither Protobuf source nor a FileDescriptorProto in base64"),
        ("syntax = 'proto3'; enum E { A = 0; a = 1; }", "Enum name a has the same name as A"),
    ],
)
def test_what_is_wrong_is_refused(text: str, words: str) -> None:
    assert words in refusal(text)


def test_size_is_bounded() -> None:
    with pytest.raises(SchemaTooLarge, match="more than 20 bytes"):
        protobuf(SMALL, limits=Limits(text_bytes=20))
    with pytest.raises(SchemaTooLarge, match="more than 20 bytes"):
        protobuf("// ééééééééééééé", limits=Limits(text_bytes=20))
    short = 'message M{optional int32 a=1[deprecated=true,json_name="x"];}'
    with pytest.raises(SchemaTooLarge, match="canonical text has more than"):
        protobuf(short, limits=Limits(text_bytes=len(short)))


def test_references_are_compiled_once_and_may_build_on_each_other() -> None:
    base = 'syntax = "proto3"; package x; message X { int32 a = 1; }'
    middle = 'syntax = "proto3"; import public "x.proto"; package y; message Y { x.X x = 1; }'
    top = 'syntax = "proto3"; import "y.proto"; message M { y.Y y = 1; x.X x = 2; }'
    schema = protobuf(top, {"x.proto": base, "y.proto": middle})
    assert [one.name for one in schema.files] == ["x.proto", "y.proto", "schema.proto"]
    assert [one.name for one in schema.known.files] == ["x.proto", "y.proto"]


def test_references_that_cannot_be_are_refused() -> None:
    with pytest.raises(InvalidReference, match=r"import path '\.\./x' must be relative"):
        protobuf(SMALL, {"../x": SMALL})
    dangling = SchemaText(Format.PROTOBUF, SMALL, (Reference("x.proto", "x", 1),))
    with pytest.raises(ReferenceNotFound):
        schemas.parse(dangling, None, strict=True, limits=Limits())
    assert refusal(SMALL, {"x.proto": "message X { Y y = 1; }"}).startswith("x.proto, line 1, column 13")


def test_a_reference_may_have_the_name_of_the_schema_or_of_a_built_in_file() -> None:
    imports = 'import "schema.proto"; import "google/protobuf/any.proto";'
    text = f'syntax = "proto3"; {imports} message N {{ M m = 1; google.protobuf.Any n = 2; }}'
    mine = {"schema.proto": SMALL, "google/protobuf/any.proto": 'syntax = "proto3"; message Mine {}'}
    assert protobuf(text, mine).files[-1].name == "_schema.proto"


def test_a_fingerprint_is_over_what_a_file_means() -> None:
    plain, placed = (compiled({"a.proto": SMALL}, with_places=one)[0] for one in (False, True))
    (commented,) = compiled({"a.proto": "// x\n" + SMALL})
    assert fingerprint(plain) == fingerprint(placed) == fingerprint(commented)
    (other,) = compiled({"a.proto": SMALL.replace("a = 1", "a = 2")})
    assert fingerprint(plain) != fingerprint(other)
    assert placed.HasField("source_code_info")


def test_message_indexes_lead_to_names_and_back() -> None:
    file = protobuf('syntax = "proto3"; package p; message A {} message B { message C {} }').source
    bare = protobuf("message A {}").source
    for path, name in (((0,), "p.A"), ((1,), "p.B"), ((1, 0), "p.B.C")):
        assert message_name(file, path) == name
        assert message_indexes(file, name) == path
    for nowhere in ((), (2,), (0, 0), (-1,)):
        assert message_name(file, nowhere) is None
    for name in ("A", "p.C", "p.B.D", "q.A", "p."):
        assert message_indexes(file, name) is None
    assert message_name(bare, (0,)) == "A"
    assert message_indexes(bare, "A") == (0,)


def test_maps_and_groups_are_not_counted_among_messages_as_they_are_in_descriptors() -> None:
    text = "message A { map<string, int32> m = 1; optional group G = 2 {} message B {} }"
    schema = protobuf(text)
    assert [one.name for one in schema.descriptor.message_type[0].nested_type] == ["MEntry", "G", "B"]
    assert message_name(schema.source, (0, 0)) == "A.B"
    assert message_indexes(schema.source, "A.B") == (0, 0)


def test_an_entry_that_is_written_out_is_counted() -> None:
    """Who sent a descriptor counts as it does, and so does its text."""
    text = 'syntax = "proto3"; message A { map<string, int32> m = 1; message B {} }'
    schema = protobuf(protobuf(text).serialized())
    assert [message_name(schema.source, (0, at)) for at in (0, 1)] == ["A.MEntry", "A.B"]
    assert schema.descriptor.message_type == protobuf(text).descriptor.message_type
    assert schema.normalized().canonical == protobuf(text).normalized().canonical
