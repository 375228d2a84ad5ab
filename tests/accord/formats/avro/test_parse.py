from __future__ import annotations

import pytest

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.formats import DEFAULT_LIMITS, Limits
from accord.formats.avro.model import Enum, Fixed, Record, Union
from tests.accord.avro_texts import avro, record

ENUM = {"type": "enum", "name": "E", "symbols": ["A"]}
FIXED = {"type": "fixed", "name": "F", "size": 4}


def refusal(
    schema: object, *, strict: bool = True, limits: Limits = DEFAULT_LIMITS
) -> InvalidSchema | SchemaTooLarge:
    with pytest.raises((InvalidSchema, SchemaTooLarge)) as caught:
        avro(schema, strict=strict, limits=limits)
    assert isinstance(caught.value, InvalidSchema | SchemaTooLarge)
    return caught.value


# schema, place, words of the message
REFUSED = [
    (5, "", "must be a name, an object or a list"),
    ({}, "", "no 'type' that is a name"),
    ({"type": 5}, "", "no 'type' that is a name"),
    ('"Order"', "", "'Order' is not a defined name"),
    ({"type": "Order"}, "/type", "'Order' is not a defined name"),
    ({"type": "array"}, "", "no 'items'"),
    ({"type": "map"}, "", "no 'values'"),
    ({"type": "array", "items": "x"}, "/items", "'x' is not a defined name"),
    ({"type": "map", "values": "x"}, "/values", "'x' is not a defined name"),
    (["int", "int"], "/1", "'int' twice"),
    ([{"type": "array", "items": "int"}, {"type": "array", "items": "long"}], "/1", "'array' twice"),
    (["int", {"type": "int", "logicalType": "date"}], "/1", "'int' twice"),
    ([ENUM, "E"], "/1", "'E' twice"),
    (["null", ["int"]], "/1", "directly inside a union"),
    ({"type": "record", "fields": []}, "", "no 'name'"),
    ({"type": "record", "name": 5, "fields": []}, "", "no 'name'"),
    ({"type": "record", "name": "R"}, "", "no list 'fields'"),
    ({"type": "record", "name": "R", "fields": {}}, "", "no list 'fields'"),
    (record(name="1R"), "/name", "'1R' is not a name"),
    (record(name="a-b"), "/name", "'a-b' is not a name"),
    (record(name="é"), "/name", "is not a name"),
    (record(name=""), "/name", "'' is not a name"),
    (record(name="x."), "/name", "'' is not a name"),
    (record(name="R", namespace="a-b"), "/name", "'a-b' is not a namespace"),
    (record(name="a..R"), "/name", "'a.' is not a namespace"),
    (record(name="int"), "/name", "name of a primitive type"),
    (record(name="string", namespace=""), "/name", "name of a primitive type"),
    (record(aliases="P"), "/aliases", "list of strings"),
    (record(aliases=[5]), "/aliases", "list of strings"),
    (record(aliases=["a b"]), "/aliases", "'a b' is not a name"),
    (record(("e", ENUM), ("f", ENUM)), "/fields/1/type/name", "'E' is defined twice"),
    (record(("r", record())), "/fields/0/type/name", "'R' is defined twice"),
    (record({}), "/fields/0", "object with a 'name'"),
    ({"type": "record", "name": "R", "fields": ["a"]}, "/fields/0", "object with a 'name'"),
    (record({"name": "a"}), "/fields/0", "'a' has no 'type'"),
    (record({"name": "a b", "type": "int"}), "/fields/0/name", "'a b' is not a name"),
    (record(("a", "int"), ("a", "int")), "/fields/1", "'a' is there twice"),
    (
        record({"name": "a", "type": "int", "order": "up"}),
        "/fields/0/order",
        "ascending, descending or ignore",
    ),
    (
        record({"name": "a", "type": "int", "order": None}),
        "/fields/0/order",
        "ascending, descending or ignore",
    ),
    (record({"name": "a", "type": "int", "aliases": None}), "/fields/0/aliases", "list of strings"),
    ({"type": "enum", "name": "E"}, "", "no list 'symbols'"),
    (ENUM | {"symbols": [5]}, "/symbols/0", "must be a string"),
    (ENUM | {"symbols": ["A", "A"]}, "/symbols/1", "'A' is there twice"),
    (ENUM | {"symbols": ["A-B"]}, "/symbols/0", "'A-B' is not a name"),
    (ENUM | {"default": "B"}, "/default", "'B' is not a symbol"),
    ({"type": "fixed", "name": "F"}, "", "'size' from 0"),
    (FIXED | {"size": -1}, "", "'size' from 0"),
    (FIXED | {"size": 2**31}, "", "'size' from 0"),
    (FIXED | {"size": True}, "", "'size' from 0"),
    (FIXED | {"size": 4.0}, "", "'size' from 0"),
    ('{"type": "int", "type": "int"}', "/type", "given twice"),
    ('"\0"', "", "NUL character"),
    ('"\ud800"', "", "half of a surrogate pair"),
]


@pytest.mark.parametrize(("schema", "place", "words"), REFUSED)
def test_what_is_wrong_is_named_with_its_place(schema: object, place: str, words: str) -> None:
    error = refusal(schema)
    assert (error.location, words in error.details) == (place, True), error.details
    assert error.details.endswith(f"(at {place or '/'})")
    assert str(error) == f"Invalid schema of type AVRO, details: {error.details}"


# What a registry may have accepted long ago still parses when it is stored.
LENIENT = [
    record(name="R", namespace="a-b"),
    record(name="a-b.R"),
    record({"name": "a", "type": "int", "default": "x"}),
    ENUM | {"default": "B"},
    '{"type": "int", "type": "int"}',
]


@pytest.mark.parametrize("schema", LENIENT)
def test_stored_schemas_are_parsed_leniently(schema: object) -> None:
    refusal(schema)
    assert avro(schema, strict=False).canonical


@pytest.mark.parametrize(
    "schema", [record(name="1R"), record({"name": "a b", "type": "int"}), ["int", "int"]]
)
def test_stored_schemas_still_need_names_and_sound_unions(schema: object) -> None:
    refusal(schema, strict=False)


def test_members_of_the_wrong_type_that_java_ignores_are_ignored() -> None:
    schema = avro(record(doc=None, namespace=None, extra=None))
    assert schema.canonical == '{"type":"record","name":"R","fields":[],"extra":null}'
    assert avro(ENUM | {"default": None}).canonical == '{"type":"enum","name":"E","symbols":["A"]}'


def test_an_object_around_a_type_is_unwrapped() -> None:
    assert avro({"type": {"type": "int", "x": 1}}).canonical == '{"type":"int","x":1}'
    assert avro({"type": ["null", "int"]}).canonical == '["null","int"]'


def test_a_named_type_may_be_used_by_an_object_around_its_name() -> None:
    root = avro(record(("e", ENUM), ("f", {"type": "E"}))).root
    assert isinstance(root, Record)
    assert root.fields[0].type is root.fields[1].type


def test_a_record_may_hold_itself() -> None:
    root = avro(record(("next", ["null", "R"]), namespace="x")).root
    assert isinstance(root, Record)
    union = root.fields[0].type
    assert isinstance(union, Union)
    assert union.branches[1] is root


def test_names_are_looked_up_around_and_then_in_the_null_namespace() -> None:
    schema = record(("e", ENUM | {"namespace": ""}), ("f", "E"), ("g", FIXED), ("h", "x.F"), name="x.R")
    root = avro(schema).root
    assert isinstance(root, Record)
    enum, fixed = root.fields[0].type, root.fields[2].type
    assert isinstance(enum, Enum)
    assert isinstance(fixed, Fixed)
    assert (enum.name.full, fixed.name.full) == ("E", "x.F")
    assert [field.type for field in root.fields] == [enum, enum, fixed, fixed]


def test_the_enclosing_namespace_wins_over_the_null_one() -> None:
    inner = record(("e", ENUM), ("f", "E"), name="S", namespace="x")
    root = avro(record(("o", ENUM), ("s", inner))).root
    assert isinstance(root, Record)
    nested = root.fields[1].type
    assert isinstance(nested, Record)
    assert nested.fields[1].type is nested.fields[0].type is not root.fields[0].type


LIMITS = [
    (Limits(text_bytes=10), "x" * 11, "", "more than 10 bytes"),
    (Limits(text_bytes=10), '"éééééé"', "", "more than 10 bytes"),
    (Limits(nodes=2), ["null", "int"], "/1", "more than 2 types"),
    (Limits(fields=1), record(("a", "int"), ("b", "int")), "/fields/1", "more than 1 fields"),
    (Limits(name_length=3), record(name="Long"), "/name", "more than 3 characters"),
    (Limits(name_length=3), record(name="R", namespace="xyz"), "/name", "more than 3 characters"),
    (Limits(depth=3), record(("a", {"type": "array", "items": "int"})), "/fields/0/type", "deeper than 3"),
    (
        Limits(text_bytes=70),
        '{"type":"record","name":"R","fields":[],"x":[1e6,1e6,1e6,1e6,1e6]}',
        "",
        "canonical",
    ),
]


@pytest.mark.parametrize(("limits", "schema", "place", "words"), LIMITS)
def test_limits_are_named_with_the_place_where_they_are_met(
    limits: Limits, schema: object, place: str, words: str
) -> None:
    error = refusal(schema, limits=limits)
    assert isinstance(error, SchemaTooLarge)
    assert (error.location, words in str(error)) == (place, True), str(error)
