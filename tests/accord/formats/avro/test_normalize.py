from __future__ import annotations

from accord.model import Reference, SchemaText
from accord.model.schemas import Format
from tests.accord.avro_texts import avro, record
from tests.accord.stand_ins import Shelf


def normal(schema: object) -> str:
    return avro(schema).normalized().canonical


def test_properties_aliases_and_members_of_values_are_sorted() -> None:
    field: dict[str, object] = {
        "name": "b",
        "type": {"type": "map", "values": "int", "z": 1, "y": {"d": 1, "c": 2}},
    }
    field |= {"default": {"k": 2, "j": 1}, "doc": "", "aliases": ["q", "p"], "w": 1, "v": 2}
    assert normal(record(field, aliases=["T", "S", "a.A"], doc="", z=1, y=2)) == (
        '{"type":"record","name":"R","fields":[{"name":"b","type":{"type":"map","values":"int",'
        '"y":{"c":2,"d":1},"z":1},"doc":"","default":{"j":1,"k":2},"aliases":["p","q"],"v":2,"w":1}],'
        '"y":2,"z":1,"aliases":["S","T","a.A"]}'
    )


def test_the_logical_type_comes_first_and_a_scale_of_zero_goes() -> None:
    decimal = {"type": "bytes", "a": 1, "scale": 0, "precision": 9, "logicalType": "decimal"}
    assert normal(decimal) == '{"type":"bytes","logicalType":"decimal","precision":9,"a":1}'
    assert normal(decimal | {"scale": 2}) == (
        '{"type":"bytes","logicalType":"decimal","precision":9,"scale":2,"a":1}'
    )
    assert normal({"type": "int", "a": 1, "precision": 4, "logicalType": "date"}) == (
        '{"type":"int","logicalType":"date","a":1,"precision":4}'
    )


def test_an_annotation_that_means_nothing_is_sorted_like_any_other() -> None:
    assert (
        normal({"type": "int", "logicalType": "uuid", "a": 1}) == '{"type":"int","a":1,"logicalType":"uuid"}'
    )


def test_errors_become_records_and_the_order_of_fields_stays() -> None:
    assert normal(
        {
            "type": "error",
            "name": "x.E",
            "fields": [{"name": "b", "type": "int"}, {"name": "a", "type": "int"}],
        }
    ) == (
        '{"type":"record","name":"E","namespace":"x","fields":[{"name":"b","type":"int"},{"name":"a","type":"int"}]}'
    )


def test_references_are_sorted_and_given_once() -> None:
    shelf = Shelf({("s", 1): SchemaText(Format.AVRO, '"int"'), ("s", 2): SchemaText(Format.AVRO, '"int"')})
    given = (Reference("b", "s", 2), Reference("c", "s", 1), Reference("b", "s", 2))
    schema = avro('"int"', references=given, resolver=shelf)
    assert schema.references == given
    assert schema.normalized().references == (Reference("c", "s", 1), Reference("b", "s", 2))
