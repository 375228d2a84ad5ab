"""The text that is stored: order and numbers as they were given; normalised, keys in Java's order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from accord.errors import SchemaTooLarge
from accord.formats import Limits, is_equivalent
from accord.formats.identity import guid
from accord.model import Reference
from tests.accord.json_texts import json_schema, with_references
from tests.accord.strategies import SLOW_MACHINE, values

if TYPE_CHECKING:
    from accord.formats.jsonschema.schema import JsonSchema


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        (' { "b" : 1 , "a" : [ ] } ', '{"b":1,"a":[]}'),
        ('{"const": 1.10}', '{"const":1.10}'),
        ('{"const": 1E3}', '{"const":1E+3}'),
        ('{"const": 12345678901234567890.123456789012345}', '{"const":12345678901234567890.123456789012345}'),
        ('{"const": 0.0000001}', '{"const":1E-7}'),
        ('{"title": "\\u00e4\\n\\u0001"}', '{"title":"ä\\n\\u0001"}'),
        ('{"const": 0e-999}', '{"const":0E-999}'),
        ('{"const": 0e999}', '{"const":0E+999}'),
        ("true", "true"),
    ],
)
def test_only_spaces_are_taken_out(text: str, stored: str) -> None:
    assert json_schema(text).canonical == stored
    assert json_schema(stored).canonical == stored


def test_a_text_that_grows_over_the_limit_is_refused() -> None:
    text = '{"const":1e3}'
    assert json_schema(text, strict=False, limits=Limits(text_bytes=len(text))).canonical
    with pytest.raises(SchemaTooLarge, match="canonical text"):
        json_schema(text, limits=Limits(text_bytes=len(text)))


def test_normalised_keys_are_in_order_and_lists_are_not() -> None:
    schema = {
        "type": ["string", "null"],
        "\ue000": {"z": 1, "y": 2},
        "\U0001f600": 0,
        "enum": [{"b": 1, "a": 2}],
    }
    text = json_schema(schema).normalized().canonical
    assert text == '{"enum":[{"a":2,"b":1}],"type":["string","null"],"😀":0,"\ue000":{"y":2,"z":1}}'
    assert json_schema(text).normalized().canonical == text


def test_normalised_references_are_in_order_and_once() -> None:
    schema = with_references({}, {"b": {}, "a": {}})
    assert [one.name for one in schema.normalized().references] == ["a", "b"]


def test_key_order_makes_another_version_and_spaces_do_not() -> None:
    one, spaced, other = (
        json_schema(text) for text in ('{"a":1,"b":2}', '{ "a":1, "b":2 }', '{"b":2,"a":1}')
    )
    assert is_equivalent(one, spaced)
    assert not is_equivalent(one, other)
    assert is_equivalent(one.normalized(), other.normalized())
    assert guid(one.canonical) != guid(one.canonical, [Reference("n", "s", 1)])


def test_the_smallest_double_is_kept() -> None:
    assert json_schema('{"const":5e-324}').canonical == '{"const":5E-324}'


@SLOW_MACHINE
@given(values)
def test_the_stored_text_is_its_own_stored_text(value: Any) -> None:
    stored: JsonSchema = json_schema({"const": value, "examples": [value]})
    assert json_schema(stored.canonical).canonical == stored.canonical
    assert stored.normalized().normalized().canonical == stored.normalized().canonical
    assert json.loads(stored.canonical)["const"] == value
