from __future__ import annotations

import pytest

from tests.accord.avro_texts import avro, record

ENUM = {"symbols": ["A"], "name": "E", "type": "enum"}

CANONICAL = [
    ('{"type": "string"}', '"string"'),
    ('{"avro.java.string": "String", "type": "string"}', '{"type":"string","avro.java.string":"String"}'),
    ('{"type": "int", "doc": "dropped", "name": "dropped"}', '"int"'),
    ('["null", {"type": "int"}]', '["null","int"]'),
    ("[]", "[]"),
    ('{"x": 1, "items": "int", "type": "array"}', '{"type":"array","items":"int","x":1}'),
    ('{"x": 1, "values": "int", "type": "map"}', '{"type":"map","values":"int","x":1}'),
    (
        (
            '{"size": 4, "x": 1.0, "aliases": ["G"], "doc": "d", "name": "n.F", "type": "fixed",'
            ' "default": "abcd"}'
        ),
        (
            '{"type":"fixed","name":"F","namespace":"n","doc":"d","size":4,"x":1.0,"default":"abcd",'
            '"aliases":["G"]}'
        ),
    ),
    (
        (
            '{"x": 1, "aliases": ["n.G", "m.H"], "default": "A", "doc": "", "symbols": ["A"], "name": "E",'
            ' "namespace": "n", "type": "enum"}'
        ),
        (
            '{"type":"enum","name":"E","namespace":"n","doc":"","symbols":["A"],"default":"A","x":1,'
            '"aliases":["G","m.H"]}'
        ),
    ),
    (
        (
            '{"aliases": ["O"], "x": {"b": 1, "a": 2}, "fields": [{"y": 2, "aliases": ["b"],'
            ' "order": "Descending", "default": 1e3, "doc": "d", "type": "double", "name": "a", "x": 1}],'
            ' "name": "R", "type": "error"}'
        ),
        (
            '{"type":"error","name":"R","fields":[{"name":"a","type":"double","doc":"d","default":1000.0,'
            '"order":"descending","aliases":["b"],"y":2,"x":1}],"x":{"b":1,"a":2},"aliases":["O"]}'
        ),
    ),
    (
        (
            '{"type":"record","name":"R","fields":['
            '{"name":"a","type":"int","order":"ascending","aliases":[],"default":null}]}'
        ),
        '{"type":"record","name":"R","fields":[{"name":"a","type":"int","default":null}]}',
    ),
]


@pytest.mark.parametrize(("text", "expected"), CANONICAL)
def test_the_layout_is_that_of_avro_java(text: str, expected: str) -> None:
    assert avro(text, strict=False).canonical == expected


def test_a_namespace_is_written_where_it_changes() -> None:
    inner = record(("e", ENUM), ("f", ENUM | {"name": "G", "namespace": ""}), name="S")
    assert avro(record(("s", inner), namespace="x")).canonical == (
        '{"type":"record","name":"R","namespace":"x","fields":[{"name":"s","type":{"type":"record","name":"S",'
        '"fields":[{"name":"e","type":{"type":"enum","name":"E","symbols":["A"]}},'
        '{"name":"f","type":{"type":"enum","name":"G","namespace":"","symbols":["A"]}}]}}]}'
    )


def test_a_type_met_again_is_written_by_name() -> None:
    inner = record(("e", "E"), ("f", "y.E"), name="S", namespace="y")
    schema = record(("a", ENUM), ("b", "E"), ("c", ENUM | {"namespace": "y"}), ("s", inner), namespace="x")
    text = avro(schema).canonical
    assert '{"name":"b","type":"E"}' in text
    assert '{"name":"e","type":"E"},{"name":"f","type":"E"}' in text


def test_a_type_of_the_null_namespace_is_written_bare_unless_that_means_another() -> None:
    clash = record(
        ("o", ENUM | {"namespace": ""}), ("i", "E"), ("x", ENUM), ("p", ".E"), ("q", "E"), name="x.R"
    )
    text = avro(clash).canonical
    assert '{"name":"i","type":"E"}' in text
    assert '{"name":"p","type":".E"},{"name":"q","type":"E"}' in text
    assert avro(text).canonical == text


def test_a_type_named_like_a_built_in_one_is_written_in_full() -> None:
    schema = record(
        ("a", ENUM | {"name": "x.int"}),
        ("b", "x.int"),
        ("c", ENUM | {"name": "map"}),
        ("d", "x.map"),
        name="x.R",
    )
    text = avro(schema).canonical
    assert '{"name":"b","type":"x.int"}' in text
    assert '{"name":"d","type":"x.map"}' in text


def test_quoted_numbers_of_float_defaults_become_numbers() -> None:
    fields = [
        {"name": n, "type": "float", "default": v} for n, v in zip("abc", ["1.5", "NaN", "+1"], strict=True)
    ]
    text = avro(record(*fields)).canonical
    assert [part.split("}")[0] for part in text.split('"default":')[1:]] == ["1.5", '"NaN"', "1.0"]


def test_numbers_keep_their_nature() -> None:
    text = '{"type":"int","x":[1,1.0,1.50,1e10,-0,-0.0,12345678901234567890]}'
    assert avro(text).canonical == '{"type":"int","x":[1,1.0,1.5,1.0E10,0,-0.0,12345678901234567890]}'
