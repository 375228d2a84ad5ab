from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.errors import InvalidReference, InvalidSchema, ReferenceNotFound, SchemaTooLarge
from accord.formats import DEFAULT_LIMITS, Limits, is_equivalent
from accord.formats.avro.fingerprint import parsing_canonical_form
from accord.model import Format, Reference, SchemaText
from tests.accord.avro_texts import avro, record
from tests.accord.stand_ins import Shelf

if TYPE_CHECKING:
    from typing import TypeAlias

    from accord.formats.avro.schema import AvroSchema

    Texts: TypeAlias = dict[tuple[str, int], SchemaText]

ENUM = {"type": "enum", "name": "x.E", "symbols": ["A"]}
ADDRESS = record(("kind", "x.E"), name="x.Address")
TO_ENUM, TO_ADDRESS = Reference("x.E", "enums", 1), Reference("x.Address", "addresses", 1)


def text(schema: object, *references: Reference) -> SchemaText:
    return SchemaText(Format.AVRO, json.dumps(schema), references)


SHELF = {("enums", 1): text(ENUM), ("addresses", 1): text(ADDRESS, TO_ENUM)}
ORDER = record(("a", "x.Address"), ("k", "x.E"), name="x.Order")


def order(
    references: tuple[Reference, ...] = (TO_ENUM, TO_ADDRESS),
    shelf: Texts = SHELF,
    *,
    schema: object = ORDER,
    limits: Limits = DEFAULT_LIMITS,
) -> AvroSchema:
    return avro(schema, references=references, resolver=Shelf(dict(shelf)), limits=limits)


def test_referenced_types_are_written_by_name() -> None:
    assert order().canonical == (
        '{"type":"record","name":"Order","namespace":"x","fields":[{"name":"a","type":"Address"},'
        '{"name":"k","type":"E"}]}'
    )


def test_the_resolved_text_writes_them_out() -> None:
    inline = record(("a", record(("kind", ENUM), name="x.Address")), ("k", "x.E"), name="x.Order")
    assert order().resolved() == avro(inline).canonical
    assert is_equivalent(order(), avro(inline))
    assert parsing_canonical_form(order().root) == parsing_canonical_form(avro(inline).root)


def test_the_normalized_schema_keeps_its_references() -> None:
    assert order().normalized().canonical == order().canonical
    assert order().normalized().resolved() == order().resolved()


def test_types_of_references_of_references_are_visible() -> None:
    assert order(references=(TO_ADDRESS,)).canonical == order().canonical


def test_a_text_reached_twice_is_loaded_once() -> None:
    shelf = Shelf(dict(SHELF))
    avro(ORDER, references=(TO_ENUM, TO_ADDRESS), resolver=shelf)
    assert shelf.asked == [("enums", 1), ("addresses", 1)]


def test_the_whole_schema_may_be_a_referenced_type() -> None:
    assert order(schema='"x.E"', references=(TO_ENUM,)).canonical == '"x.E"'


def test_the_last_of_two_entries_with_one_name_wins() -> None:
    newer = {("enums", 2): text(ENUM | {"symbols": ["A", "B"]})} | SHELF
    schema = order(references=(TO_ENUM, Reference("x.E", "enums", 2)), shelf=newer, schema='"x.E"')
    assert '"symbols":["A","B"]' in schema.resolved()


def test_every_named_type_of_a_referenced_text_is_visible() -> None:
    parts = [
        {"type": "array", "items": {"type": "fixed", "name": "F", "size": 1}},
        {"type": "map", "values": record(("self", ["null", "R"]))},
    ]
    schema = order(schema=["F", "R"], references=(Reference("p", "s", 1),), shelf={("s", 1): text(parts)})
    assert schema.canonical == '["F","R"]'


@pytest.mark.parametrize("resolver", [None, Shelf({})])
def test_a_dangling_reference_is_not_found(resolver: Shelf | None) -> None:
    with pytest.raises(
        ReferenceNotFound, match='No schema reference found for subject "enums" and version 1'
    ):
        avro('"x.E"', references=(TO_ENUM,), resolver=resolver)


@pytest.mark.parametrize(
    ("entry", "missing"), [(Reference("", "s", 1), "name"), (Reference("n", "", 1), "subject")]
)
def test_an_incomplete_entry_is_refused(entry: Reference, missing: str) -> None:
    with pytest.raises(InvalidReference, match=f"an entry has no {missing}"):
        order(references=(entry,))


def test_a_type_may_not_be_defined_again() -> None:
    with pytest.raises(InvalidSchema, match=r"'x\.E' is defined twice"):
        order(schema=ENUM)


def test_circles_are_refused() -> None:
    circle = {
        ("a", 1): text('"int"', Reference("b", "b", 1)),
        ("b", 1): text('"int"', Reference("c", "a", 1)),
    }
    with pytest.raises(InvalidReference, match="a version 1 refers to itself in a circle"):
        order(references=(Reference("a", "a", 1),), shelf=circle)


def chain(length: int) -> Texts:
    return {("s", n): text("int", Reference(f"r{n + 1}", "s", n + 1)) for n in range(length)} | {
        ("s", length): text("int")
    }


def test_the_depth_of_references_is_bounded() -> None:
    first = (Reference("r0", "s", 0),)
    assert order(schema='"int"', references=first, shelf=chain(4), limits=Limits(reference_depth=5)).canonical
    with pytest.raises(SchemaTooLarge, match="more than 4 deep"):
        order(references=first, shelf=chain(4), limits=Limits(reference_depth=4))


def test_the_number_of_references_is_bounded() -> None:
    many = tuple(Reference(f"r{n}", "s", n) for n in range(3))
    shelf = {("s", n): text("int") for n in range(3)}
    assert order(schema='"int"', references=many, shelf=shelf, limits=Limits(references=3)).canonical
    with pytest.raises(SchemaTooLarge, match="more than 2 schemas"):
        order(references=many, shelf=shelf, limits=Limits(references=2))


def test_the_size_of_all_references_is_bounded() -> None:
    with pytest.raises(SchemaTooLarge, match="more than 20 characters together"):
        order(limits=Limits(reference_bytes=20))


def test_a_long_chain_of_types_can_be_written_out() -> None:
    links = [record(name="L0"), *(record(("next", f"L{n}"), name=f"L{n + 1}") for n in range(3000))]
    schema = order(schema='"L3000"', references=(Reference("l", "s", 1),), shelf={("s", 1): text(links)})
    assert schema.resolved().count('"type":"record"') == 3001
    assert parsing_canonical_form(schema.root).count('"record"') == 3001
