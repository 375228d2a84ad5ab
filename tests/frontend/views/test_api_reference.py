"""The reference of the native API: every call is there, can be found, and says all there is to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord_server.kit.openapi import document
from frontend.pages.api_reference import operation_page, reference_page

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

NAMES = [one["operationId"] for path in document()["paths"].values() for one in path.values()]


def test_everybody_may_read_every_call(client: Client) -> None:
    answer = client.get("/api/docs")
    text = answer.content.decode()
    assert answer.status_code == 200
    assert [name for name in NAMES if f'href="/api/docs/{name}"' not in text] == []
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("query", "found"),
    [("roll secret", ["post-roll-token"]), ("LEAKED", ["post-leaked-tokens"]), ("no such thing", [])],
)
def test_every_word_of_a_search_counts(client: Client, query: str, found: list[str]) -> None:
    names = [one.id for group in reference_page(query).groups for one in group.operations]
    assert [name for name in found if name not in names] == []
    assert len(names) < len(NAMES)
    text = client.get("/api/docs", {"q": query}).content.decode()
    assert ("No call answers this search." in text) is (names == [])


def test_a_call_says_what_it_takes_and_gives(client: Client) -> None:
    text = client.get("/api/docs/post-tokens").content.decode()
    for words in ("token.manage", "grants[].preset", "Idempotency-Key", "grant_too_wide", "curl -X POST"):
        assert words in text
    assert "It needs no token." in client.get("/api/docs/get-rules").content.decode()


def test_every_call_has_a_page() -> None:
    pages = [operation_page(name, "https://registry.example.org") for name in NAMES]
    assert all(page is not None and (page.given and page.refusals) for page in pages)


def test_what_is_no_call_is_a_page_that_is_missing(client: Client) -> None:
    answer = client.get("/api/docs/get-nothing")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
