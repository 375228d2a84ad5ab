"""What a policy asks of a schema's own content."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.formats import Limits
from accord.formats.avro.elements import elements
from accord.formats.elements import Element, ElementKind
from accord.formats.jsonschema.elements import elements as json_elements
from accord.formats.protobuf.elements import elements as proto_elements
from accord.lint.profile import LintProfile
from accord.model import Finding, Format, Reference, SchemaText, Severity
from accord.policy import requirements
from accord.policy.patterns import match_price
from accord.policy.requirements import Requirements, check_content, of_stored
from tests.accord.avro_texts import avro, record
from tests.accord.json_texts import json_schema
from tests.accord.protobuf_texts import protobuf
from tests.accord.stand_ins import Shelf

if TYPE_CHECKING:
    from accord.formats.avro.schema import AvroSchema

KIND = {"type": "enum", "name": "x.Kind", "symbols": ["A", "b"], "doc": "What it is."}
SCHEMA = record(
    {"name": "id", "type": "int", "doc": "The key."},
    ("kind", ["null", {"type": "array", "items": KIND}]),
    ("more", {"type": "map", "values": {"type": "fixed", "name": "f", "size": 2}}),
    ("again", ["null", "R"]),
    name="a.b.R",
    doc=" ",
)


def check(asked: Requirements, schema: Any = SCHEMA, **metadata: str) -> list[tuple[str, str]]:
    """The findings about a schema, as path and message."""
    found = check_content(avro(schema), asked, subject="orders-value", metadata=metadata)
    return [(one.path, one.message) for one in found]


def test_the_elements_of_an_avro_schema() -> None:
    at = ("fields", "1", "type", "1", "items")
    assert list(elements(avro(SCHEMA))) == [
        Element(ElementKind.RECORD, "R", (), "a.b"),
        Element(ElementKind.FIELD, "id", ("fields", "0"), is_documented=True),
        Element(ElementKind.FIELD, "kind", ("fields", "1")),
        Element(ElementKind.FIELD, "more", ("fields", "2")),
        Element(ElementKind.FIELD, "again", ("fields", "3")),
        Element(ElementKind.ENUM, "Kind", at, "x", is_documented=True),
        Element(ElementKind.SYMBOL, "A", (*at, "symbols", "0")),
        Element(ElementKind.SYMBOL, "b", (*at, "symbols", "1")),
        Element(ElementKind.FIXED, "f", ("fields", "2", "type", "values"), "a.b"),
    ]


def referring() -> AvroSchema:
    """A schema whose one field has a type that a reference brings."""
    shelf = Shelf({("kinds", 1): SchemaText(Format.AVRO, json.dumps(KIND))})
    return avro(record(("kind", "x.Kind")), references=(Reference("x.Kind", "kinds", 1),), resolver=shelf)


def test_what_a_reference_brings_is_not_looked_at() -> None:
    assert [one.name for one in elements(referring())] == ["R", "kind"]


def test_names_must_match_their_patterns() -> None:
    patterns = {"subjects": "[a-z]+", "types": "[A-Z].*", "namespaces": "a.*", "symbols": "[A-Z]+"}
    assert check(Requirements(patterns=patterns)) == [
        ("/", "the subject 'orders-value' does not match '[a-z]+'"),
        ("/fields/1/type/1/items", "the namespace 'x' does not match 'a.*'"),
        ("/fields/1/type/1/items/symbols/1", "the symbol 'b' does not match '[A-Z]+'"),
        (
            "/fields/2/type/values",
            "the type 'f' does not match '[A-Z].*'".replace("type", "fixed"),
        ),
    ]
    assert check(Requirements(patterns={"fields": "[a-z]+"})) == []


def test_docs_and_owners_must_be_there() -> None:
    asked = Requirements(docs=frozenset({ElementKind.RECORD, ElementKind.FIXED}), owners=("owner", "team"))
    assert [path for path, _ in check(asked, owner="x", team=" ")] == ["/", "/", "/fields/2/type/values"]
    assert check(asked, owner="x")[0][1].startswith("the metadata property 'team' is missing or blank")
    assert check(asked, owner="x", team="y")[0][1].startswith("the record 'R' has no doc")
    assert check(asked, '"int"', owner="x", team="y") == []


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(text_bytes=10), "bytes, the policy allows 10"),
        (Limits(depth=4), "the schema has 7 open brackets, the policy allows 4"),
        (Limits(fields=3), "the schema has 4 fields, the policy allows 3"),
    ],
)
def test_size_is_limited(limits: Limits, message: str) -> None:
    found = check(Requirements(limits=limits))
    assert [(path, text.endswith(message)) for path, text in found] == [("/", True)]


def test_severities_are_those_of_the_policy() -> None:
    asked = Requirements(
        patterns={"fields": "x"},
        naming_severity=Severity.WARN,
        docs=frozenset({ElementKind.FIELD}),
        required_severity=Severity.OFF,
    )
    found = check_content(avro(record(("y", "int"))), asked, subject="s")
    assert found == (
        Finding(
            "NAME_PATTERN",
            Severity.WARN,
            "/fields/0",
            detail="y",
            message="the field 'y' does not match 'x'",
        ),
    )


def test_findings_end_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requirements, "MOST_FINDINGS", 3)
    assert len(check(Requirements(patterns={"fields": "x"}))) == 3


def test_matching_ends_where_a_pattern_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """What matching takes is known before: no name is matched once it is too much for one schema."""
    monkeypatch.setattr(requirements, "MOST_MATCHING", 10_000_000)
    asked = Requirements(patterns={"fields": "(x{1,100}){1,9}y"})
    long_names: dict[str, object] = {"x" * 1_000 + str(number): {} for number in range(9)}
    found = check_content(json_schema({"properties": long_names}), asked, subject="s")
    assert found[-1].message == (
        "matching all names with '(x{1,100}){1,9}y' takes too long; shorten it or the names"
    )
    assert [one.rule for one in found] == ["NAME_PATTERN"] * 5 + ["LIMIT_EXCEEDED"]


def test_as_many_names_as_a_schema_may_have_can_be_matched() -> None:
    price = match_price(r"^\p{L}[\p{L}\p{N}_]*$", "größe_der_ware")
    assert Limits().fields * price < requirements.MOST_MATCHING


def test_depth_is_counted_where_a_text_is_json() -> None:
    asked = Requirements(limits=Limits(text_bytes=4, depth=1))
    found = check_content(json_schema({"not": {}}), asked, subject="x")
    assert [one.message for one in found] == [
        "the schema has 10 bytes, the policy allows 4",
        "the schema has 2 open brackets, the policy allows 1",
    ]
    braces = protobuf('syntax = "proto3"; message A { message B { int32 c = 1; } }')
    asked = Requirements(limits=Limits(text_bytes=400, depth=1))
    assert check_content(braces, asked, subject="x") == ()


PROTO = """syntax = "proto2";
package a.b;
import "other.proto";
// An order.
message Order {
  // The key.
  required int32 id = 1;
  map<string, Other> more = 2;
  oneof how { string Card = 3; }
  enum Kind { NONE = 0; }
  extensions 100;
}
extend Order { optional int32 extra = 100; }
"""


def test_the_elements_of_a_protobuf_file() -> None:
    other = 'syntax = "proto2"; package a.b; message Other { optional int32 BAD = 1; }'
    schema = protobuf(PROTO, {"other.proto": other})
    order = ("schema.proto", "messages", "Order")
    assert list(proto_elements(schema)) == [
        Element(ElementKind.RECORD, "Order", order, "a.b", is_documented=True),
        Element(ElementKind.FIELD, "id", (*order, "fields", "1"), is_documented=True),
        Element(ElementKind.FIELD, "more", (*order, "fields", "2")),
        Element(ElementKind.FIELD, "Card", (*order, "oneofs", "how", "fields", "3")),
        Element(ElementKind.FIELD, "extra", ("schema.proto", "extensions", "extra")),
        Element(ElementKind.ENUM, "Kind", (*order, "enums", "Kind")),
        Element(ElementKind.SYMBOL, "NONE", (*order, "enums", "Kind", "values", "NONE")),
    ]
    asked = Requirements(
        patterns={"fields": "[a-z]+", "namespaces": "[a-z]+"},
        docs=frozenset((ElementKind.RECORD, ElementKind.ENUM)),
        limits=Limits(fields=3),
    )
    assert [one.message for one in check_content(schema, asked, subject="x")] == [
        "the namespace 'a.b' does not match '[a-z]+'",
        "the field 'Card' does not match '[a-z]+'",
        "the enum 'Kind' has no doc",
        "the schema has 4 fields, the policy allows 3",
    ]
    enum = protobuf('syntax = "proto3"; package a.b; enum E { NONE = 0; }')
    assert [one.namespace for one in proto_elements(enum)] == ["a.b", None]


JSON_ELEMENTS = {
    "title": "order",
    "description": "what was bought",
    "type": "object",
    "properties": {
        "Id": {"type": "integer", "description": "a number"},
        "a/b": {"type": "object", "properties": {"x": True}},
        "kind": {"$ref": "#/definitions/Kind"},
    },
    "definitions": {"Kind": {"enum": ["A", "b", 5]}},
}


def test_objects_and_properties_of_json_schema_are_elements() -> None:
    schema = json_schema(JSON_ELEMENTS)
    assert [(one.kind, one.name, one.is_documented) for one in json_elements(schema)] == [
        (ElementKind.RECORD, "order", True),
        (ElementKind.FIELD, "Id", True),
        (ElementKind.FIELD, "a/b", False),
        (ElementKind.FIELD, "kind", False),
        (ElementKind.ENUM, "Kind", False),
        (ElementKind.SYMBOL, "A", False),
        (ElementKind.SYMBOL, "b", False),
        (ElementKind.RECORD, "", False),
        (ElementKind.FIELD, "x", False),
    ]
    assert list(json_elements(json_schema("true"))) == []


def test_names_and_docs_are_asked_of_json_schema_too() -> None:
    asked = Requirements(
        patterns={"types": "[A-Z].*", "fields": "[a-z]+", "symbols": "[A-Z]", "namespaces": "x"},
        docs=frozenset((ElementKind.RECORD, ElementKind.ENUM)),
    )
    found = check_content(json_schema(JSON_ELEMENTS), asked, subject="s")
    assert [(one.rule, one.path) for one in found] == [
        ("NAME_PATTERN", "/"),
        ("NAME_PATTERN", "/properties/Id"),
        ("NAME_PATTERN", "/properties/a~1b"),
        ("DOC_MISSING", "/definitions/Kind"),
        ("NAME_PATTERN", "/definitions/Kind/enum/1"),
        ("DOC_MISSING", "/properties/a~1b"),
    ]


def test_stored_protobuf_is_asked_for_nothing_that_comments_say() -> None:
    silenced = 'syntax = "proto3";\n\nmessage M {\n  // buf:lint:ignore %s\n  int32 badName = 1;\n}\n'
    schema = protobuf(silenced % "FIELD_LOWER_SNAKE_CASE")
    lint = LintProfile(("COMMENTS", "FIELD_LOWER_SNAKE_CASE"))
    asked = Requirements(docs=frozenset({ElementKind.FIELD}), lint=lint)
    found = check_content(schema, of_stored(asked, Format.PROTOBUF), subject="s")
    assert [one.rule for one in found] == ["FIELD_LOWER_SNAKE_CASE"]
    assert of_stored(asked, Format.AVRO) == asked
