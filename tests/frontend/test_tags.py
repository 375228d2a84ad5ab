"""What the templates print of times, texts and rules."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from frontend.icons import PATHS, icon
from frontend.templatetags.accord_pages import age, principal, shown, with_code


@pytest.mark.parametrize(
    ("past", "words"),
    [
        (timedelta(seconds=3), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(days=15, hours=3), "2 weeks ago"),
        (timedelta(seconds=-9), "just now"),
    ],
)
def test_an_age_is_said_in_one_unit(past: timedelta, words: str) -> None:
    assert age(timezone.now() - past).replace("\xa0", " ") == words


def test_a_text_of_a_user_is_set_apart_and_escaped() -> None:
    assert shown("<b>\u202e") == '<bdi>&lt;b&gt;<span class="tx">U+202E</span></bdi>'


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("person:alice", "<bdi>alice</bdi> "),
        ("service:a:b", "<bdi>a:b</bdi> (service account)"),
        ("<b>", "<bdi>&lt;b&gt;</bdi> "),
    ],
)
def test_who_did_it_is_named(key: str, words: str) -> None:
    assert principal(key) == words


def test_backticks_become_code_and_nothing_else_does() -> None:
    assert with_code("a `b<` {c} `d`") == "a <code>b&lt;</code> {c} <code>d</code>"


@pytest.mark.parametrize("name", PATHS)
def test_icons_are_hidden_from_readers(name: str) -> None:
    assert 'aria-hidden="true"' in icon(name)
