"""Colours change nothing of the text; marks, cuts and invisible characters are shown as such."""

from __future__ import annotations

from html import unescape

import pytest
from django.utils.html import strip_tags
from hypothesis import given
from hypothesis import strategies as st

from accord.model import Format
from frontend.highlight import MAX_LINE, Token, highlight, paint, visible

PLACE = st.integers(0, 30)
SAFE = st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n") | st.sampled_from("éж日🙂"))


def text_of(html: str) -> str:
    return unescape(strip_tags(html))


@pytest.mark.parametrize("schema_format", list(Format))
@given(text=SAFE)
def test_the_lines_joined_are_the_text(schema_format: Format, text: str) -> None:
    lines = highlight(text, schema_format)
    assert "\n".join("".join(token.text for token in line) for line in lines) == text


@given(SAFE.filter(lambda text: "\n" not in text), st.lists(st.tuples(PLACE, PLACE)))
def test_marks_add_no_text_and_cover_what_they_name(text: str, ends: list[tuple[int, int]]) -> None:
    marks = tuple((min(pair), max(pair)) for pair in ends)
    (line,) = highlight(text, Format.AVRO)
    painted = paint(line, marks)
    assert painted.count("<mark>") == painted.count("</mark>")
    outside = {at for at in range(len(text)) if not any(start <= at < end for start, end in marks)}
    assert bool(outside) or not text or "<mark>" in painted


def test_keys_strings_numbers_and_words_have_classes_of_their_own() -> None:
    (line,) = highlight('{"a": ["b", 1, null]}', Format.AVRO)
    found = {token.text: token.css for token in line}
    assert (found['"a"'], found['"b"'], found["1"], found["null"]) == ("tk", "ts", "tn", "tw")


def test_a_mark_cuts_through_a_token() -> None:
    assert paint((Token("ts", "abcd"),), ((1, 3),)) == (
        '<span class="ts">a</span><mark><span class="ts">bc</span></mark><span class="ts">d</span>'
    )


def test_markup_is_text() -> None:
    assert paint((Token("", "<b>&"),)) == "&lt;b&gt;&amp;"


def test_a_very_long_line_is_cut_and_says_so() -> None:
    painted = paint((Token("ts", "x" * (MAX_LINE + 1_500)),))
    assert len(painted) < MAX_LINE + 200
    assert "1,500 more characters" in painted


@pytest.mark.parametrize("character", "\u202e\u200b\u2066\ufeff\u00ad\x07")
def test_invisible_characters_are_named(character: str) -> None:
    shown = visible(f"a{character}b")
    assert character not in shown
    assert f"U+{ord(character):04X}" in text_of(shown)
