from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.formats import jsontext
from accord.formats.flaws import first_flaw
from accord.formats.jsontext import Json, JsonError, read, write, write_double
from tests.accord.strategies import values


def refused(text: str, *, depth: int = 50, unique: bool = True) -> tuple[str, str]:
    with pytest.raises(JsonError) as caught:
        read(text, depth=depth, unique=unique)
    return caught.value.flaw.pointer, str(caught.value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (1e3, "1000.0"),
        (0.1, "0.1"),
        (-0.0, "-0.0"),
        (0.0, "0.0"),
        (100.25, "100.25"),
        (0.001, "0.001"),
        (0.00099, "9.9E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (1.5e300, "1.5E300"),
        (-1.25e-300, "-1.25E-300"),
        (5e-324, "4.9E-324"),
    ],
)
def test_doubles_print_as_in_java(value: float, text: str) -> None:
    assert write_double(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_double_reads_back_as_itself(value: float) -> None:
    again = float(write_double(value))
    assert (again, math.copysign(1, again)) == (value, math.copysign(1, value))


@given(values)
def test_what_is_written_reads_back(value: Json) -> None:
    assert json.dumps(read(write(value), depth=50, unique=True)) == json.dumps(value)


def test_integers_of_any_size_stay_exact() -> None:
    assert (
        write(read("123456789012345678901234567890", depth=1, unique=True))
        == "123456789012345678901234567890"
    )


def test_strings_escape_as_in_jackson() -> None:
    assert write('a"\\/\b\t\n\f\r\x00\x1fé€😀\x7f') == '"a\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001Fé€😀\x7f"'


def test_members_keep_their_order_unless_asked() -> None:
    assert write({"b": 1, "a": [True, None]}) == '{"b":1,"a":[true,null]}'
    assert write({"b": {"d": 1, "c": 2}, "a": False}, sort=True) == '{"a":false,"b":{"c":2,"d":1}}'


def test_comments_are_read_over() -> None:
    text = '/* "[[[ */ {"a": "// no comment", // end\n "b": [1 /* one */]}'
    assert read(text, depth=3, unique=True) == {"a": "// no comment", "b": [1]}


@pytest.mark.parametrize(
    ("text", "pointer", "words"),
    [
        ('{"a": [1, {"b": 1, "b": 2}]}', "/a/1/b", "'b' is given twice"),
        ('{"a/b": [1, NaN]}', "/a~1b/1", "NaN is not a JSON number"),
        ('{"a": -Infinity}', "/a", "-Infinity is not a JSON number"),
        ("[0, 1e999]", "/1", "beyond the range of a double"),
        (f"[{'9' * 1001}]", "/0", "longer than 1000 characters"),
        ('{"doc": "\\ud800"}', "/doc", "one half of a surrogate pair"),
        ('{"a": [[[[1]]]]}', "/a/0/0", "deeper than 3 levels"),
        ('/* x */ {"a": 1, "a": 2}', "/a", "'a' is given twice"),
        ('/* " */ [[[[1]]]] /* " */', "/0/0/0", "deeper than 3 levels"),
    ],
)
def test_flaws_are_named_with_their_place(text: str, pointer: str, words: str) -> None:
    place, sentence = refused(text, depth=3)
    assert (place, words in sentence) == (pointer, True)


@pytest.mark.parametrize(
    "text", ["", "{", '{"a" 1}', "\ufeff{}", '"\\q"', "'a'", '"a\tb"', "/*", "1 /", "nul"]
)
def test_what_is_not_json_is_refused_with_line_and_column(text: str) -> None:
    assert "The text is not JSON" in refused(text)[1]
    assert "line 1 column" in refused(text)[1]


def test_a_text_that_is_wrong_and_too_deep_is_refused_once() -> None:
    assert "not JSON" in refused('["\\q", [[[[')[1] or "deeper" in refused('["\\q", [[[[', depth=3)[1]


def test_a_deep_text_with_a_broken_string_names_the_string() -> None:
    assert (
        refused('["\\q", [[[[1]]]]]', depth=3)[1]
        == "The text is not JSON: Invalid \\escape in a string; mend the string"
    )


def test_brackets_in_an_unclosed_string_do_not_count() -> None:
    assert "not JSON" in refused('"' + "[" * 100, depth=3)[1]


def test_closing_brackets_too_many_are_no_depth() -> None:
    assert first_flaw("]]]], [", depth=3, unique=True) is None


def test_escaped_surrogate_pairs_are_whole_characters() -> None:
    assert read('"\\ud83d\\ude00"', depth=1, unique=True) == "😀"


def test_in_stored_texts_the_last_of_two_members_wins() -> None:
    assert read('{"a": 1, "a": 2}', depth=1, unique=False) == {"a": 2}


def test_other_flaws_are_refused_in_stored_texts_too() -> None:
    assert refused('{"a": 1, "a": NaN}', unique=False)[0] == "/a"


def test_a_malformed_number_is_left_to_the_decoder() -> None:
    assert first_flaw("[1.2.3]", depth=3, unique=True) is None


def test_sound_numbers_are_no_flaw() -> None:
    assert first_flaw("[-1, 1.5, 2e9]", depth=3, unique=True) is None


def test_half_a_pair_in_a_comment_is_no_flaw() -> None:
    assert read("1 // \\ud800", depth=1, unique=True) == 1


def test_deep_text_without_a_place_is_refused_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "first_flaw", lambda *_, **__: None)
    assert refused("[[[[", depth=2)[0] == ""
