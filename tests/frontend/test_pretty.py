"""Spreading a JSON text changes where it breaks and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model import Format
from frontend.pretty import MAX_INDENT, pretty

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([(",", ":"), (", ", ": "), (" ,\n ", "\t:")]))
def test_the_value_is_the_same_and_the_layout_does_not_depend_on_the_input(
    value: object, separators: tuple[str, str]
) -> None:
    text = pretty(json.dumps(value, separators=separators), Format.AVRO)
    assert json.loads(text) == value
    assert pretty(text, Format.AVRO) == text == pretty(json.dumps(value), Format.AVRO)


def test_objects_spread_and_short_lists_of_plain_values_do_not() -> None:
    text = '{"type":"enum","symbols":["A","B"],"more":{},"fields":[{"a":1}]}'
    expected = (
        '{\n  "type": "enum",\n  "symbols": ["A", "B"],\n  "more": {},\n'
        '  "fields": [\n    {\n      "a": 1\n    }\n  ]\n}'
    )
    assert pretty(text, Format.AVRO) == expected


def test_a_long_list_of_plain_values_spreads() -> None:
    text = json.dumps([f"SYMBOL_{number}" for number in range(40)])
    assert pretty(text, Format.AVRO).count("\n") == 41


@pytest.mark.parametrize(
    "text", ['{"a":1.10,"a":1E400,"b":1234567890123456789.0}', '"string"', '["\\u0041"]']
)
def test_literals_and_repeated_keys_are_kept(text: str) -> None:
    assert "".join(pretty(text, Format.AVRO).split()) == text


@pytest.mark.parametrize("text", ["", "not json {", '{"a', 'syntax = "proto3";', "]]]}}", '"\\', "\0"])
def test_what_is_not_json_does_not_fail(text: str) -> None:
    assert isinstance(pretty(text, Format.AVRO), str)


def test_protobuf_is_shown_as_it_was_written() -> None:
    assert pretty("message A {}", Format.PROTOBUF) == "message A {}"


def test_a_very_deep_text_ends_with_a_page_of_bounded_size() -> None:
    depth = 20_000
    text = pretty('[{"a":' * depth + "1" + "}]" * depth, Format.JSON)
    assert len(text) < 4 * (2 * MAX_INDENT + 16) * depth
