"""Our validity, parsing form and fingerprints against two other implementations."""

from __future__ import annotations

import json
import warnings

import avro.errors
import avro.schema
import fastavro.schema
import pytest
from hypothesis import given

from accord.errors import InvalidSchema
from accord.formats.avro.fingerprint import md5, parsing_canonical_form, rabin, sha256
from tests.accord import avro_texts
from tests.accord.strategies import SLOW_MACHINE, Written, avro_schemas


def form_of(schema: object) -> str:
    return parsing_canonical_form(avro_texts.avro(json.dumps(schema)).root)


def official(schema: object) -> avro.schema.Schema:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return avro.schema.parse(json.dumps(schema))


@SLOW_MACHINE
@given(avro_schemas(is_plain=True))
def test_the_form_is_that_of_fastavro(schema: Written) -> None:
    assert form_of(schema) == fastavro.schema.to_parsing_canonical_form(schema)


@SLOW_MACHINE
@given(avro_schemas())
def test_fingerprints_are_those_of_fastavro(schema: object) -> None:
    form = form_of(schema)
    assert rabin(form).to_bytes(8, "little").hex() == fastavro.schema.fingerprint(form, "CRC-64-AVRO")
    assert md5(form).hex() == fastavro.schema.fingerprint(form, "MD5")
    assert sha256(form).hex() == fastavro.schema.fingerprint(form, "SHA-256")


NAMED = {"type": "enum", "name": "x.E", "symbols": ["A", "B"], "default": "A", "doc": "d"}
# Schemas on whose validity and form all agree.
AGREED = [
    "int",
    ["null", "string"],
    NAMED,
    {"type": "fixed", "name": "F", "size": 16, "aliases": ["G"], "x": 1},
    avro_texts.record(("next", ["null", "R"]), ("e", NAMED), ("f", "x.E"), namespace="y"),
    avro_texts.record({"name": "a", "type": {"type": "array", "items": "long"}, "default": []}),
    {"type": "map", "values": "bytes", "x": 1},
]
REFUSED_BY_ALL = [
    "unknown",
    {"type": "record", "name": "R"},
    {"type": "enum", "name": "E", "symbols": ["A", "A"]},
    {"type": "fixed", "name": "F"},
    avro_texts.record(("a", "int"), ("a", "int")),
    ["int", "int"],
    ["null", ["int"]],
    {"type": "record", "name": "1R", "fields": []},
]


@pytest.mark.parametrize("schema", AGREED)
def test_form_and_fingerprints_are_those_of_the_official_package(schema: object) -> None:
    theirs = official(schema)
    assert form_of(schema) == theirs.canonical_form
    assert rabin(form_of(schema)).to_bytes(8, "little") == theirs.fingerprint("CRC-64-AVRO")
    assert sha256(form_of(schema)) == theirs.fingerprint("sha256")


@pytest.mark.parametrize("schema", REFUSED_BY_ALL)
def test_what_the_official_package_refuses_is_refused(schema: object) -> None:
    with pytest.raises(avro.errors.AvroException):
        official(schema)
    with pytest.raises(InvalidSchema):
        avro_texts.avro(json.dumps(schema))
