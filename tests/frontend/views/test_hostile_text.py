"""Names and texts that users choose are shown literally, on every page that shows them."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from accord.naming import parse_subject
from tests.frontend.schemas import ORDERS, field, record
from tests.frontend.views.test_subjects import LIST, text_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.frontend.conftest import Register

NAMES = [
    "a/b",
    "a//b",
    "/a",
    "..",
    "a/../b",
    ".",
    "-",
    "a/-/b",
    "a/-/versions-",
    "~2F",
    "a~b",
    "100%",
    "%2F%25",
    "a b",
    "a+b",
    "a?b=c",
    "a#b",
    "a:b",
    ":.ctx:orders",
    "naïve-日本-🙂",
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "{{ 7|add:7 }}{% now 'Y' %}",
    "a\\b",
    "x" * 900,
]


@pytest.mark.parametrize("name", NAMES)
def test_every_page_of_a_subject_answers_whatever_its_name(
    as_bob: Client, register: Register, name: str
) -> None:
    for text in ORDERS[:2]:
        register(name, text)
    listed = text_of(as_bob, LIST)
    assert "<script>alert" not in listed
    for route in ("definition", "versions", "comparison", "raw"):
        address = reverse(f"frontend:{route}", args=["north", "default", parse_subject(name)])
        assert "<script>alert" not in text_of(as_bob, address)
    address = reverse("frontend:definition", args=["north", "default", parse_subject(name)])
    assert f'href="{address}"' in unescape(listed)


def test_markup_inside_a_schema_is_text(as_bob: Client, register: Register) -> None:
    for doc in ("</code></pre><script>alert(1)</script>", "<img src=x onerror=alert(2)>"):
        register("orders-value", record(field("id", "long", doc=doc)))
    pages = [text_of(as_bob, f"/t/north/ns/default/s/orders-value/-/{tail}") for tail in ("?v=1", "diff")]
    assert all("<script>alert" not in page and "<img" not in page for page in pages)


def test_characters_that_reorder_text_are_shown_by_name(as_bob: Client, register: Register) -> None:
    register("orders-value", record(field("id", "long", doc="admin\u202egnp.exe")))
    page = text_of(as_bob, "/t/north/ns/default/s/orders-value/-/")
    assert "U+202E" in page
    assert "\u202e" not in page


def test_the_search_text_comes_back_as_text(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, LIST + "?q=%3Cscript%3Ealert(1)%3C/script%3E%00")
    assert "<script>alert" not in page
