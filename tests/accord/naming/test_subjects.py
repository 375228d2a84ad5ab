"""The grammar of subject names and what may never be registered."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import InvalidSubject
from accord.model import SubjectName
from accord.naming import (
    MAX_SUBJECT_BYTES,
    is_top_level,
    parse_subject,
    quote_subject,
    spell_subject,
    split_subject,
    validate_new_subject,
)

SPELLINGS = [
    ("orders-value", SubjectName("orders-value")),
    ("", SubjectName("")),
    (":.ctx:orders", SubjectName("orders", ".ctx")),
    (":.ctx:", SubjectName("", ".ctx")),
    (":.:orders", SubjectName("orders")),
    (":.ctx:a:b", SubjectName("a:b", ".ctx")),
    (":*:ord", SubjectName("ord", "*")),
    (":.ctx", SubjectName(":.ctx")),
    (":ctx:orders", SubjectName(":ctx:orders")),
    ("a:.b:c", SubjectName("a:.b:c")),
    ("a/b %2F ü", SubjectName("a/b %2F ü")),
]


@pytest.mark.parametrize(("text", "subject"), SPELLINGS)
def test_a_spelling_splits_into_context_and_name(text: str, subject: SubjectName) -> None:
    assert parse_subject(text) == subject


def test_the_default_context_is_shown_bare() -> None:
    assert str(parse_subject(":.:orders")) == "orders"
    assert str(parse_subject(":.ctx:orders")) == ":.ctx:orders"


@given(st.text())
def test_the_shown_form_splits_back_into_the_same_subject(text: str) -> None:
    subject = split_subject(text)
    if not subject.name.startswith((":.", ":*:")):
        assert split_subject(str(subject)) == subject


CONTEXTS = st.sampled_from([".", ".ctx", ".other"])


@given(st.text() | st.sampled_from([":.ctx:a", ":.", ":.:a", ":.x"]), CONTEXTS, CONTEXTS)
def test_a_subject_has_one_spelling_in_a_context(name: str, home: str, context: str) -> None:
    subject = SubjectName(name, home)
    spelled = spell_subject(subject, context=context)
    assert split_subject(spelled, context=context) == subject
    assert (spelled == name) is (split_subject(name, context=context) == subject)


def test_a_bare_spelling_belongs_to_the_context_it_is_seen_from() -> None:
    assert split_subject("a", context=".ctx") == SubjectName("a", ".ctx")
    assert split_subject(":.:a", context=".ctx") == SubjectName("a")
    assert spell_subject(SubjectName("a", ".ctx"), context=".ctx") == "a"
    assert spell_subject(SubjectName("a"), context=".ctx") == ":.:a"


@pytest.mark.parametrize(
    "text", ["a\0b", "a\n", "\x7f", "a\x85", "__GLOBAL", "__EMPTY", ":.ctx:__GLOBAL", ":.c\tx:a"]
)
def test_a_name_that_can_never_exist_is_refused(text: str) -> None:
    with pytest.raises(InvalidSubject):
        parse_subject(text)


def test_a_lone_surrogate_is_refused_with_a_message_that_can_be_sent() -> None:
    with pytest.raises(InvalidSubject) as refusal:
        parse_subject("a\ud800")
    assert refusal.value.message.encode() == b"The specified subject 'a?' is not a valid."


@pytest.mark.parametrize("name", ["__GLOBALS", "__global", "a b", "日本", "a%00b"])
def test_a_name_that_only_looks_reserved_is_accepted(name: str) -> None:
    validate_new_subject(parse_subject(name))


AMBIGUOUS = [
    "a/",
    "/",
    "a/metadata",
    "a/versions",
    "/versions",
    "a/versions/",
    "a/versions/1",
    "a/versions/latest",
    "a/versions/1/schema",
    "a/versions/1/referencedby",
    "a/versions/1/tags",
    ":.ctx:a/versions",
    ":.::.ctx:a",
]


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_a_name_that_could_be_read_in_two_ways_is_never_registered(text: str) -> None:
    with pytest.raises(InvalidSubject):
        validate_new_subject(parse_subject(text))


@pytest.mark.parametrize(
    "text", ["versions", "metadata", "a/versions/1/X", "a/versionss", "a-metadata", "a/b", "", "a/Versions"]
)
def test_a_name_that_only_resembles_a_path_is_accepted(text: str) -> None:
    validate_new_subject(parse_subject(text))


@pytest.mark.parametrize("text", [":*:orders", ":.__GLOBAL:orders", ":.a/b:orders", ":.a/subjects/s:"])
def test_nothing_is_registered_in_a_pseudo_context(text: str) -> None:
    with pytest.raises(InvalidSubject):
        validate_new_subject(parse_subject(text))


def test_a_name_is_limited_in_bytes() -> None:
    validate_new_subject(SubjectName("ü" * (MAX_SUBJECT_BYTES // 2)))
    with pytest.raises(InvalidSubject):
        validate_new_subject(SubjectName("ü" * (MAX_SUBJECT_BYTES // 2) + "a"))


@pytest.mark.parametrize(
    ("text", "expected"), [(None, True), ("", True), (":.:", True), (":.c:", False), ("a", False)]
)
def test_the_top_level_has_three_spellings(*, text: str | None, expected: bool) -> None:
    assert is_top_level(text) is expected


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_quoted_subject_is_one_path_segment(text: str) -> None:
    quoted = quote_subject(text)
    assert unquote(quoted) == text
    assert not set(quoted) & set("/?#:+ ")
    assert quoted not in {".", ".."}


@pytest.mark.parametrize("text", [".", ".."])
def test_a_subject_of_dots_does_not_climb_the_path(text: str) -> None:
    assert quote_subject(text) == "%2E" * len(text)
