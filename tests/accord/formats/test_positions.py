"""Line and column of JSON pointers, in texts as people write them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.formats.places import pointer_token
from accord.formats.positions import Position, TextPlaces, locate, pointer_tokens, positions
from tests.accord.strategies import values

TEXT = '{\n  "a": [1, {"b/c": "x"}],\r\n  "ü😀": {"a": null, "b": {"a": true}},\r  "t~": -2e3\n}'


@pytest.mark.parametrize(
    ("pointer", "line", "column"),
    [
        ("", 1, 1),
        ("/", 1, 1),
        ("/a", 2, 8),
        ("/a/0", 2, 9),
        ("/a/1", 2, 12),
        ("/a/1/b~1c", 2, 20),
        ("#/a/1/b~1c", 2, 20),
        ("/a/2", 2, 8),
        ("/a/1/gone/further", 2, 12),
        ("/a/x", 2, 8),
        ("/a/0/0", 2, 9),
        ("/a/99999999999999999999999999", 2, 8),
        ("/ü😀", 3, 9),
        ("/ü😀/a", 3, 15),
        ("/ü😀/b/a", 3, 32),
        ("/t~0", 4, 9),
    ],
)
def test_a_pointer_leads_to_line_and_column(pointer: str, line: int, column: int) -> None:
    assert locate(TEXT, pointer) == Position(line, column)


def test_escaped_keys_comments_and_commas_inside_strings() -> None:
    text = '/* , "a" { */ {"\\u0061": "1,]}\\"" , // "b": 1\n "b\\n": [[], {}, 3]}'
    found = positions(text, ["/a", "/b\n/1", "/b\n/2"])
    assert list(found.values()) == [Position(1, 26), Position(2, 14), Position(2, 18)]


@pytest.mark.parametrize(
    ("text", "pointer", "column"),
    [
        ('{"a": 1, "a": 2}', "/a", 15),
        ('{"a": {"a": 1}, "b": {"a": 2}}', "/b/a", 28),
        ("", "/a", 1),
        ("]}", "/a", 1),
        ('{"a', "/a", 1),
        ('{"a": "\\', "/a", 7),
        ('["\\x", 5]', "/1", 8),
        ("{1}", "/", 2),
        ("1 2", "", 1),
        ('{"a": [1 /* open', "/a/0", 8),
    ],
)
def test_odd_texts_are_read_as_far_as_they_go(text: str, pointer: str, column: int) -> None:
    assert locate(text, pointer) == Position(1, column)


def pointers(value: object, before: str = "") -> list[tuple[str, object]]:
    """Every pointer of a value with what is there."""
    inner: list[tuple[str, object]] = []
    if isinstance(value, dict):
        inner = [(pointer_token(key), item) for key, item in value.items()]
    elif isinstance(value, list):
        inner = [(str(position), item) for position, item in enumerate(value)]
    deeper = [one for token, item in inner for one in pointers(item, f"{before}/{token}")]
    return [(before, value), *deeper]


@given(values, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_the_value_found_is_the_value_meant(value: object, indent: object, ascii_only: object) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=bool(ascii_only))  # type: ignore[arg-type]  # int, str or none
    places = TextPlaces(text)
    for pointer, item in pointers(value):
        line, column = places.locate(pointer)
        offset = places.starts[line - 1] + column - 1
        assert json.JSONDecoder().raw_decode(text, offset)[0] == item


def test_tokens_of_a_pointer() -> None:
    assert pointer_tokens("/a~01/b") == ["a~1", "b"]
    assert pointer_tokens("") == []
