"""Fingerprints of parsed schemas: Avro has three, other formats none."""

from __future__ import annotations

import json

from accord.formats import parse
from accord.formats.fingerprints import fingerprints, parsing_form
from accord.model import Format, Reference, SchemaText

INT_RABIN = "7275d51a3f395c8f"


class Parts:
    """The port over one text."""

    def resolve(self, reference: Reference) -> SchemaText:
        return SchemaText(Format.AVRO, '{"type":"fixed","name":"a.Part","size":2}')


def test_the_bytes_are_those_of_the_specification_most_significant_first() -> None:
    found = fingerprints(parse(SchemaText(Format.AVRO, '{"type": "int", "doc": "x"}')))
    assert found is not None
    assert (found.rabin.hex(), found.hexadecimal["rabin"]) == (INT_RABIN, INT_RABIN)
    assert (len(found.md5), len(found.sha256)) == (16, 32)


def test_docs_and_defaults_do_not_count_and_names_do() -> None:
    def made(name: str, **more: object) -> bytes:
        fields = [{"name": "a", "type": "int", **more}]
        text = json.dumps({"type": "record", "name": name, "fields": fields})
        found = fingerprints(parse(SchemaText(Format.AVRO, text)))
        assert found is not None
        return found.sha256

    assert made("R") == made("R", doc="x", default=1) != made("S")


def test_what_is_referred_to_is_written_out() -> None:
    text = '{"type":"array","items":"a.Part"}'
    source = SchemaText(Format.AVRO, text, (Reference("a.Part", "part", 1),))
    assert (
        parsing_form(parse(source, Parts()))
        == '{"type":"array","items":{"name":"a.Part","type":"fixed","size":2}}'
    )


def test_other_formats_have_none() -> None:
    schema = parse(SchemaText(Format.JSON, "true"))
    assert (fingerprints(schema), parsing_form(schema)) == (None, None)
