"""Reading `.proto` text: what is written, where, with which comments; and every flaw with its place."""

from __future__ import annotations

from typing import Any

import pytest

from accord.errors import SchemaTooLarge
from accord.formats import DEFAULT_LIMITS, Limits
from accord.formats.protobuf.diagnostics import Diagnostic, invalid
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.source import (
    Aggregate,
    Comments,
    Entry,
    ImportKind,
    Label,
    Listing,
    Literal,
    SourceFile,
    Span,
    Text,
    Visibility,
)


def read(text: str) -> SourceFile:
    reading = read_source(text)
    assert reading.flaws == ()
    return reading.file


def flaws(text: str) -> list[str]:
    return [one.sentence for one in read_source(text).flaws]


def option_value(spelled: str) -> Any:
    (option,) = read(f"option x = {spelled};").options
    return option.value


def test_a_file_says_what_stands_before_its_declarations() -> None:
    text = (
        'syntax = "proto3";\npackage a.b;\nimport "x.proto";\nimport public "y" ".proto";\nimport weak "z";;'
    )
    file = read(text)
    assert (file.syntax, file.edition, file.package) == ("proto3", "", "a.b")
    assert [(one.path, one.kind) for one in file.imports] == [
        ("x.proto", ImportKind.PLAIN),
        ("y.proto", ImportKind.PUBLIC),
        ("z", ImportKind.WEAK),
    ]
    assert (file.syntax_position, file.package_position) == ((1, 1), (2, 1))


def test_editions_have_visibility_and_imports_for_options_only() -> None:
    file = read(
        'edition = "2024"; import option "o.proto"; export message A { local enum E { Z = 0; } } message B {}'
    )
    assert (file.syntax, file.edition) == ("editions", "2024")
    assert file.imports[0].kind is ImportKind.OPTION
    exported, plain = file.messages
    assert (exported.visibility, plain.visibility) == (Visibility.EXPORT, Visibility.UNSAID)
    assert exported.enums[0].visibility is Visibility.LOCAL
    assert exported.position.column == len('edition = "2024"; import option "o.proto"; ') + 1


def test_fields_keep_label_and_type_as_written() -> None:
    (message,) = read(
        "message M { optional int32 a = 0x1; repeated .p.T b = 02; map<string, p.T> c = 3; T d = 4; }"
    ).messages
    written = [(one.label, one.type_name, one.name, one.number, one.key_type) for one in message.fields]
    assert written == [
        (Label.OPTIONAL, "int32", "a", 1, ""),
        (Label.REPEATED, ".p.T", "b", 2, ""),
        (Label.NONE, "p.T", "c", 3, "string"),
        (Label.NONE, "T", "d", 4, ""),
    ]
    assert [one.is_map for one in message.fields] == [False, False, True, False]


def test_keywords_may_name_fields_types_and_values() -> None:
    (message,) = read(
        "message M { export e = 1; map map = 2; enum E { option = 1; reserved = 2; } }"
    ).messages
    assert [(one.type_name, one.name) for one in message.fields] == [
        ("export", "e"),
        ("map", "map"),
    ]
    assert [one.name for one in message.enums[0].values] == ["option", "reserved"]


def test_groups_and_oneofs_stand_apart_from_fields() -> None:
    (message,) = read(
        "message M { repeated group Line = 1 [deprecated = true] { required int32 n = 2; }"
        " oneof o { option x = 1; string s = 3; group G = 4 {} } }"
    ).messages
    (group,) = message.groups
    assert (group.name, group.label, group.number) == ("Line", Label.REPEATED, 1)
    assert group.message.fields[0].label is Label.REQUIRED
    assert group.options[0].spelled == "deprecated"
    (oneof,) = message.oneofs
    assert (oneof.name, oneof.fields[0].name, oneof.groups[0].name) == ("o", "s", "G")
    assert oneof.options[0].value == Literal("1")
    assert message.fields == ()


def test_ranges_keep_their_ends() -> None:
    (message,) = read(
        "message M { reserved 2, 9 to 11, 100 to max; reserved \"a\", 'b'; reserved c, d;"
        " extensions 20, 30 to 40 [verification = UNVERIFIED]; extend .p.T { int32 x = 1; } }"
    ).messages
    numbers, quoted, bare = message.reserved
    assert numbers.spans == (Span(2, 2), Span(9, 11), Span(100, None))
    assert (quoted.names, bare.names) == (("a", "b"), ("c", "d"))
    (range_,) = message.extensions
    assert range_.spans == (Span(20, 20), Span(30, 40))
    assert range_.options[0].spelled == "verification"
    assert message.extends[0].extendee == ".p.T"


def test_enums_have_negative_numbers_and_reservations() -> None:
    (enum,) = read(
        "enum E { option allow_alias = true; A = 0 [deprecated = true]; B = -0x2; reserved -5 to -3; }"
    ).enums
    assert [(one.name, one.number) for one in enum.values] == [("A", 0), ("B", -2)]
    assert enum.reserved[0].spans == (Span(-5, -3),)
    assert enum.values[0].options[0].spelled == "deprecated"


def test_services_tell_their_streams() -> None:
    (service,) = read(
        "service S { option deprecated = true; rpc A(Q) returns (stream .p.R);"
        " rpc B(stream Q) returns (R) { option (p.x) = 1; ; } }"
    ).services
    one, other = service.rpcs
    assert (one.request, one.response, one.is_client_streaming, one.is_server_streaming) == (
        "Q",
        ".p.R",
        False,
        True,
    )
    assert (other.is_client_streaming, other.is_server_streaming) == (True, False)
    assert other.options[0].is_custom
    assert not service.options[0].is_custom


@pytest.mark.parametrize(
    ("spelled", "value"),
    [
        ("true", Literal("true")),
        ("-12", Literal("-12")),
        ("- inf", Literal("-inf")),
        ("1.5e-3", Literal("1.5e-3")),
        (".5", Literal(".5")),
        ("'a' \"b\"", Text(b"ab")),
        (r"'\n\x41\101\u00e9\U0001F600\?\\'", Text("\nAA\u00e9\U0001f600?\\".encode())),
        ("{}", Aggregate(())),
        (
            "{ a: 1, b < c: 'x'; > [p.q]: [1, -2] [t.co/p.T]: {} d: [] }",
            Aggregate(
                (
                    Entry("a", Literal("1")),
                    Entry("b", Aggregate((Entry("c", Text(b"x")),))),
                    Entry("p.q", Listing((Literal("1"), Literal("-2"))), is_extension=True),
                    Entry("t.co/p.T", Aggregate(()), is_extension=True),
                    Entry("d", Listing(())),
                )
            ),
        ),
    ],
)
def test_option_values_are_kept_as_written(spelled: str, value: object) -> None:
    assert option_value(spelled) == value


def test_an_option_knows_its_name_and_its_place_in_the_text() -> None:
    text = "option (.acme.owner).team = 'x'; // whose\n"
    (option,) = read(text).options
    assert option.spelled == "(.acme.owner).team"
    assert text[option.start : option.end] == "option (.acme.owner).team = 'x';"
    assert option.comments == Comments(trailing=" whose\n")


def test_every_flaw_is_told_with_its_place() -> None:
    text = "message {\n int32 a = 1;\n}\nmessage B {\n int32 a 1;\n string b = x;\n int32 c = 3;\n}\nenum"
    assert flaws(text) == [
        "line 1, column 9: The name of the message is expected here, but '{' is met",
        "line 5, column 10: '=' is expected here, but '1' is met",
        "line 6, column 13: The number of the field is expected here, a whole number, but 'x' is met",
        "line 9, column 5: The name of the enum is expected here, but the text ends",
    ]
    assert [one.name for one in read_source(text).file.messages[0].fields] == ["c"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("message M { string a = 'x\n'; }", "line 1, column 24: The string is not closed on its line"),
        ("/* open", "line 1, column 1: The comment is not closed"),
        ("message M { int32 a = 1x; }", "line 1, column 23: The number is not a number of Protobuf"),
        ("message M {} \u00e9", r"The character '\xe9' means nothing here"),
        ("package a; package b;", "line 1, column 12: The package is given twice"),
        ("package a; syntax = 'proto3';", "'syntax' must be the first statement"),
        ("message M { int32 a = 08; }", "a whole number, but '08' is met"),
        ("message M { int32 a = 1.5; }", "a whole number, but '1.5' is met"),
        (f"message M {{ int32 a = {'9' * 5000}; }}", "a whole number, but"),
        (f"message {'M' * 1001} {{}}", "The name is longer than 1000 characters"),
        ("package 'x';", "The name of the package is expected here"),
        ("syntax = proto3;", "The syntax is expected here, in quotes"),
        ("'message' M {}", "A message, enum, service, import, option or extend is expected here"),
        ("option x = ;", "A value is expected here, but ';' is met"),
        ("option x = { a 1 };", "':' is expected here, but '1' is met"),
        ("option x = { a: [1 2] };", "']' or ',' is expected here, but '2' is met"),
        (r"option x = '\q';", r"The escape \q is unknown"),
        ("service S { message M {} }", "'rpc', 'option' or '}' is expected here, but 'message' is met"),
        ("service S { rpc A(B) returns (C) { x } }", "'option' or '}' is expected here, but 'x' is met"),
        ("message M { option (a.b = 1; }", "')' is expected here, but '=' is met"),
        ("}", "but '}' is met"),
        ("message M { message N { int32", "The name of the field is expected here, but the text ends"),
    ],
)
def test_a_flaw_says_what_to_write(text: str, words: str) -> None:
    assert words in flaws(text)[0]


def test_no_more_than_a_hundred_characters_that_mean_nothing_are_noted() -> None:
    assert len(read_source("$\n" * 200).flaws) == 100


def test_no_more_than_a_hundred_flaws_are_noted_and_twenty_told() -> None:
    reading = read_source("x;" * 200)
    assert len(reading.flaws) == 100
    refusal = invalid((*reading.flaws, Diagnostic("a.proto", 0, 0, "Import x is unused.", is_warning=True)))
    assert refusal.details.count("is expected here") == 20
    assert refusal.details.endswith("; and 80 more")


def test_a_diagnostic_names_the_file_it_is_about() -> None:
    assert Diagnostic("a.proto", 3, 4, "broken").sentence == "a.proto, line 3, column 4: broken"
    assert Diagnostic("a.proto", 0, 0, "broken").sentence == "a.proto: broken"
    assert Diagnostic("", 0, 0, "broken").sentence == "broken"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("message M {" * 65, "line 1, column 715: more than 64 brackets are open"),
        ("option x = " + "{a:" * 70, "more than 64 brackets are open"),
        ("option x = " + "[" * 100_000, "more than 64 brackets are open"),
        (f"message M {{ reserved {', '.join(map(str, range(1, 4002)))}; }}", "more than 4000 reserved"),
        (f"message M {{ extensions {', '.join(map(str, range(1, 4002)))}; }}", "more than 4000 reserved"),
        ("message M {" + "reserved 1, 2, 3;" * 70 + "}", "more than 200 reserved"),
        ("enum E {" + "reserved 'a';" * 201 + "}", "more than 200 reserved"),
    ],
)
def test_what_protoc_cannot_bear_is_refused(text: str, words: str) -> None:
    with pytest.raises(SchemaTooLarge, match=words):
        read_source(text, Limits(all_ranges=200) if "200 " in words else DEFAULT_LIMITS)


def test_sixty_four_levels_are_read() -> None:
    limits = Limits(brackets=64)
    assert read_source("message M {" * 64 + "}" * 64, limits).flaws == ()
