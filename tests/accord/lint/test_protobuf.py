"""Lint rules of Protobuf: places, options, comments that silence, and what no rule looks at."""

from __future__ import annotations

import pytest

from accord.formats.protobuf.descriptors import FileDescriptorProto
from accord.formats.protobuf.filesets import file_set
from accord.formats.protobuf.source_info import SourceInfo
from accord.lint.profile import LintOptions, LintProfile
from accord.lint.protobuf.cycles import components, way
from accord.lint.protobuf.modules import Module
from accord.lint.schemas import lint_files
from accord.model import Format, Severity
from tests.accord.lint.texts import SHOP, linted, places, schema_findings, told
from tests.accord.protobuf_texts import compiled

EMPTY = 'import "google/protobuf/empty.proto";\n'
SERVICE = """message PutRequest {}
message PutResponse {}
service ShopService {
  rpc Put(%s) returns (%s);
  rpc Add(%s) returns (%s);
}
"""
NOTHING = "google.protobuf.Empty"


def test_a_finding_has_line_and_column_of_the_name() -> None:
    text = "message Order {\n  int64  totalCents = 1;\n}\n"
    assert told(text, "FIELD_LOWER_SNAKE_CASE") == [(4, 10, 'the field "totalCents" should be "total_cents"')]


def test_a_file_has_no_line() -> None:
    (found,) = linted(
        {"Shop.proto": 'syntax = "proto3";\npackage shop;\n'}, LintProfile(("FILE_LOWER_SNAKE_CASE",))
    )
    assert (found.file, found.line, found.column, found.path) == ("Shop.proto", 1, 1, "/Shop.proto")


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("message Order { // buf:lint:ignore FIELD_LOWER_SNAKE_CASE\n int64 totalCents = 1; }", True),
        ("message Order {\n// buf:lint:ignore FIELD_LOWER_SNAKE_CASE as is\n int64 totalCents = 1; }", False),
        ("// buf:lint:ignore FIELD_LOWER_SNAKE_CASE\nmessage Order { int64 totalCents = 1; }", False),
        ("// buf:lint:ignore FIELD_LOWER_SNAKE_CASED\nmessage Order { int64 totalCents = 1; }", True),
        ("// buf:lint:ignore X FIELD_LOWER_SNAKE_CASE\nmessage Order { int64 totalCents = 1; }", True),
        ("// see buf:lint:ignore FIELD_LOWER_SNAKE_CASE\nmessage Order { int64 totalCents = 1; }", True),
    ],
)
def test_comments_silence_by_the_first_whole_word(text: str, *, is_told: bool) -> None:
    assert bool(told(text, "FIELD_LOWER_SNAKE_CASE")) is is_told


def test_comments_silence_nothing_where_that_is_disallowed() -> None:
    text = "// buf:lint:ignore MESSAGE_PASCAL_CASE\nmessage order {}"
    profile = LintProfile(("MESSAGE_PASCAL_CASE",), disallow_comment_ignores=True)
    assert linted(text, LintProfile(("MESSAGE_PASCAL_CASE",))) == []
    assert [one.rule for one in linted(text, profile)] == ["MESSAGE_PASCAL_CASE"]


def test_the_comment_of_a_group_is_that_of_its_message() -> None:
    text = 'syntax = "proto2";\npackage p;\nmessage A {\n%s  optional group Id_ = 1 {}\n}\n'
    ignored = text % "  // buf:lint:ignore FIELD_LOWER_SNAKE_CASE\n"
    assert told(ignored, "FIELD_LOWER_SNAKE_CASE") == []
    assert told(text % "", "FIELD_LOWER_SNAKE_CASE")[0][0] == 4
    assert [line for line, _, _ in told(text % "", "COMMENT_FIELD")] == []


@pytest.mark.parametrize(
    ("options", "count"),
    [(LintOptions(), 2), (LintOptions(enum_zero_value_suffix="_NONE", service_suffix="API"), 0)],
)
def test_suffixes_are_options(options: LintOptions, count: int) -> None:
    text = "enum Payment { PAYMENT_NONE = 0; }\nservice ShopAPI {}\n"
    assert (
        len(linted(text, LintProfile(("ENUM_ZERO_VALUE_SUFFIX", "SERVICE_SUFFIX"), options=options))) == count
    )


@pytest.mark.parametrize(
    ("sides", "requests", "responses", "count"),
    [
        ((NOTHING, "PutResponse", NOTHING, "AddResponse"), False, False, 2),
        ((NOTHING, "PutResponse", NOTHING, "AddResponse"), True, False, 0),
        ((NOTHING, "PutResponse", NOTHING, "AddResponse"), False, True, 2),
        (("PutRequest", NOTHING, "AddRequest", NOTHING), True, False, 2),
        (("PutRequest", NOTHING, "AddRequest", NOTHING), True, True, 0),
        ((NOTHING, NOTHING, "AddRequest", "AddResponse"), True, True, 0),
        ((NOTHING, NOTHING, "AddRequest", "AddResponse"), True, False, 1),
        (("PutRequest", "PutRequest", "AddRequest", "AddResponse"), True, True, 1),
    ],
)
def test_empty_may_be_shared_as_far_as_it_is_allowed(
    sides: tuple[str, ...], count: int, *, requests: bool, responses: bool
) -> None:
    options = LintOptions(
        rpc_allow_google_protobuf_empty_requests=requests, rpc_allow_google_protobuf_empty_responses=responses
    )
    text = EMPTY + SERVICE % sides + "message AddRequest {}\nmessage AddResponse {}\n"
    assert len(linted(text, LintProfile(("RPC_REQUEST_RESPONSE_UNIQUE",), options=options))) == count


def test_empty_needs_no_standard_name_where_it_is_allowed() -> None:
    options = LintOptions(
        rpc_allow_google_protobuf_empty_requests=True, rpc_allow_google_protobuf_empty_responses=True
    )
    names = ("RPC_REQUEST_STANDARD_NAME", "RPC_RESPONSE_STANDARD_NAME")
    text = EMPTY + SERVICE % (NOTHING, "PutResponse", "AddRequest", NOTHING) + "message AddRequest {}\n"
    assert linted(text, LintProfile(names, options=options)) == []
    assert len(linted(text, LintProfile(names))) == 2


def test_same_request_and_response_may_be_allowed() -> None:
    text = "message A {}\nservice S { rpc Get(A) returns (A); }"
    allowed = LintOptions(rpc_allow_same_request_response=True)
    assert len(linted(text, LintProfile(("RPC_REQUEST_RESPONSE_UNIQUE",)))) == 1
    assert linted(text, LintProfile(("RPC_REQUEST_RESPONSE_UNIQUE",), options=allowed)) == []


def test_files_without_a_package_are_one_package() -> None:
    texts = {"a/a.proto": 'syntax = "proto3";', "b/b.proto": 'syntax = "proto3";'}
    found = linted(texts, LintProfile(("PACKAGE_SAME_DIRECTORY",)))
    assert [(one.file, one.line) for one in found] == [("a/a.proto", 1), ("b/b.proto", 1)]


def test_a_file_in_the_root_matches_no_package() -> None:
    (found,) = linted(
        {"a.proto": 'syntax = "proto3"; package acme;'}, LintProfile(("PACKAGE_DIRECTORY_MATCH",))
    )
    assert found.message == 'files of package "acme" belong in "acme", not in "."'


def test_a_circle_is_told_as_a_chain() -> None:
    texts = {
        "a/a.proto": 'syntax = "proto3"; package a; import "b/b.proto"; import "c.proto"; import "x.proto";',
        "a/o.proto": 'syntax = "proto3"; package a;',
        "b/b.proto": 'syntax = "proto3"; package b; import "c/c.proto";',
        "c/c.proto": 'syntax = "proto3"; package c; import "a/o.proto";',
        "c.proto": 'syntax = "proto3";',
        "x.proto": 'syntax = "proto3"; package x;',
    }
    found = [
        one.message.rpartition(": ")[2] for one in linted(texts, LintProfile(("PACKAGE_NO_IMPORT_CYCLE",)))
    ]
    assert found == ["a -> b -> c -> a", "b -> c -> a -> b", "c -> a -> b -> c"]


def test_components_and_ways_of_a_graph_of_two_circles() -> None:
    edges = {"a": "bd", "b": "ca", "c": "d", "d": "ec", "e": "", "f": "a"}
    graph = {node: dict.fromkeys(inner) for node, inner in edges.items()}
    found = components(graph)
    assert found["a"] == found["b"]
    assert found["c"] == found["d"]
    assert len({found[node] for node in "acef"}) == 4
    assert way(graph, "f", "e") == ("f", "a", "d", "e")


def test_an_import_that_only_passes_on_what_is_imported_is_unused() -> None:
    head = 'syntax = "proto2"; package p; '
    texts = {
        "a.proto": f"{head}message A {{ extensions 1 to 9; }} extend A {{ optional A x = 1; }}",
        "b.proto": f'{head}import public "a.proto"; message B {{}}',
        "c.proto": f'{head}import "b.proto"; import "a.proto"; message C {{ optional A a = 1; }}',
        "d.proto": f'{head}import "b.proto"; message D {{ optional A a = 1; }}',
        "e.proto": f'{head}import "b.proto"; import "a.proto"; service S {{ rpc Get(A) returns (B); }}',
        "f.proto": f'{head}import public "b.proto"; import "a.proto"; message F {{ optional A a = 1; }}',
    }
    found = linted(texts, LintProfile(("IMPORT_USED",)))
    assert [(one.file, one.message) for one in found] == [("c.proto", 'the import of "b.proto" is not used')]


def test_an_import_with_options_counts_as_used() -> None:
    texts = {
        "o.proto": 'syntax = "proto2"; import public "google/protobuf/descriptor.proto"; package p; '
        "extend google.protobuf.FieldOptions { optional string team = 50000; } message O {}",
        "b.proto": 'syntax = "proto2"; package p; import public "o.proto";',
        "c.proto": 'syntax = "proto2"; package p; import "b.proto"; import "o.proto"; '
        'message C { optional O o = 1 [(team) = "x"]; }',
    }
    assert linted(texts, LintProfile(("IMPORT_USED",))) == []


def test_paths_to_ignore_are_files_and_folders() -> None:
    text = "message order { int64 totalCents = 1; }"
    rules = ("MESSAGE_PASCAL_CASE", "FIELD_LOWER_SNAKE_CASE")
    assert linted(text, LintProfile(rules, ignore=("acme/shop/",))) == []
    assert linted(text, LintProfile(rules, ignore=(SHOP,))) == []
    assert len(linted(text, LintProfile(rules, ignore=("acme/sh",)))) == 2
    only = {"MESSAGE_PASCAL_CASE": ("acme",), "COMMENTS": ("acme",)}
    assert [one.rule for one in linted(text, LintProfile(rules, ignore_only=only))] == [rules[1]]


def test_weights_come_from_the_rule_the_profile_and_the_single_cell() -> None:
    text = "message order { int64 totalCents = 1; }"
    severities = {"MESSAGE_PASCAL_CASE": Severity.OFF, "FIELD_LOWER_SNAKE_CASE": Severity.BLOCK}
    found = linted(text, LintProfile(("BASIC",), severities=severities))
    assert [(one.rule, one.severity) for one in found] == [("FIELD_LOWER_SNAKE_CASE", Severity.BLOCK)]
    assert {one.severity for one in linted(text, LintProfile(("BASIC",), severity=Severity.INFO))} == {"info"}
    assert {one.severity for one in linted(text, LintProfile(("BASIC",)))} == {"warn"}
    assert linted(text, LintProfile(("BASIC",), without=("BASIC",))) == linted(text, LintProfile()) == []


def test_in_a_registry_paths_do_not_count_and_places_are_those_of_findings() -> None:
    text = (
        'syntax = "proto3";\npackage acme.shop.v1;\nimport "google/protobuf/any.proto";\nmessage order {}\n'
    )
    found = schema_findings(Format.PROTOBUF, text, LintProfile(("STANDARD",)))
    assert [(one.rule, one.path) for one in found] == [
        ("IMPORT_USED", "/schema.proto/imports/google~1protobuf~1any.proto"),
        ("MESSAGE_PASCAL_CASE", "/schema.proto/messages/order/name"),
    ]


def test_in_a_registry_paths_to_ignore_are_held_against_the_subject() -> None:
    text = 'syntax = "proto3";\npackage acme.shop.v1;\nmessage order {}\n'
    profile = LintProfile(("STANDARD",), ignore=("orders-value",))
    assert schema_findings(Format.PROTOBUF, text, profile, name="orders-value") == ()
    assert len(schema_findings(Format.PROTOBUF, text, profile, name="bills-value")) == 1


def test_comments_count_in_a_registry() -> None:
    text = (
        'syntax = "proto3";\n// Says.\nmessage A {\n  // buf:lint:ignore COMMENT_FIELD\n  int32 a = 1;\n}\n'
    )
    assert places(Format.PROTOBUF, text, "COMMENTS") == []
    assert places(Format.PROTOBUF, "message order {}", "SYNTAX_SPECIFIED", "PACKAGE_DEFINED") == [
        ("/schema.proto", "the file names neither a syntax nor an edition"),
        ("/schema.proto", "the file declares no package"),
    ]


def test_descriptors_without_a_text_are_not_asked_for_comments() -> None:
    files = file_set(compiled({"a.proto": 'syntax = "proto3"; package a; message M { int32 a = 1; }'}))
    assert lint_files(Module(files), LintProfile(("COMMENTS", "SYNTAX_SPECIFIED"))) == []
    (found,) = lint_files(Module(files), LintProfile(("PACKAGE_DIRECTORY_MATCH",)))
    assert (found.line, found.column) == (1, 1)


def test_a_compiled_file_does_not_know_how_its_types_are_spelled() -> None:
    assert SourceInfo(FileDescriptorProto()).spelled_type(()) is None
