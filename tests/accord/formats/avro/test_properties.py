from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given

from accord.formats import is_equivalent
from accord.formats.avro.fingerprint import parsing_canonical_form
from tests.accord.avro_texts import allows, avro
from tests.accord.strategies import SLOW_MACHINE, avro_schemas

if TYPE_CHECKING:
    from accord.formats.avro.schema import AvroSchema


def parsed(schema: object) -> AvroSchema:
    return avro(json.dumps(schema))


@SLOW_MACHINE
@given(avro_schemas())
def test_the_canonical_text_is_its_own_canonical_text(schema: object) -> None:
    once = parsed(schema)
    again = avro(once.canonical)
    assert again.canonical == once.canonical
    assert is_equivalent(again, once)


@SLOW_MACHINE
@given(avro_schemas())
def test_normalizing_twice_changes_nothing(schema: object) -> None:
    once = parsed(schema).normalized()
    assert once.normalized().canonical == once.canonical
    assert avro(once.canonical).normalized().canonical == once.canonical


@SLOW_MACHINE
@given(avro_schemas())
def test_normalizing_keeps_what_readers_need(schema: object) -> None:
    given_, normal = parsed(schema), parsed(schema).normalized()
    assert parsing_canonical_form(given_.root) == parsing_canonical_form(normal.root)
    assert allows(normal, given_, level="FULL")


@SLOW_MACHINE
@given(avro_schemas(is_plain=True))
def test_the_parsing_form_is_its_own_parsing_form(schema: object) -> None:
    form = parsing_canonical_form(parsed(schema).root)
    assert parsing_canonical_form(avro(form).root) == form


@SLOW_MACHINE
@given(avro_schemas())
def test_the_resolved_text_of_a_schema_without_references_is_its_text(schema: object) -> None:
    assert parsed(schema).resolved() == parsed(schema).canonical
