"""The reference of all interfaces: every call is there, can be found, and says all there is to know."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import pytest

from accord_server.kit.api_documents import api_documents
from frontend.pages.api_reference import operation_page, reference_page

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

DOCUMENTS = {one.name: one.load() for one in api_documents()}
NAMES = [
    one["operationId"]
    for document in DOCUMENTS.values()
    for path in document["paths"].values()
    for one in path.values()
]
ORIGIN = "https://registry.example.org"


def command_of(name: str) -> list[str]:
    """The words of a call's example."""
    page = operation_page(name, ORIGIN)
    assert page is not None
    return shlex.split(page.command)


def test_everybody_may_read_every_call(client: Client) -> None:
    answer = client.get("/api/docs")
    text = answer.content.decode()
    assert answer.status_code == 200
    assert [name for name in NAMES if f'href="/api/docs/{name}"' not in text] == []
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_no_two_calls_of_all_interfaces_have_one_name() -> None:
    assert list(DOCUMENTS) == ["native", "confluent", "descriptors"]
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_can_be_had(client: Client, name: str) -> None:
    assert f'href="/api/docs/{name}.json"' in client.get("/api/docs").content.decode()
    answer = client.get(f"/api/docs/{name}.json")
    found: dict[str, Any] = answer.json()
    assert answer.headers["Content-Type"] == "application/json"
    assert found == DOCUMENTS[name]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("roll secret", ["post-roll-token"]),
        ("LEAKED", ["post-leaked-tokens"]),
        ("register a schema", ["postSubjectsSubjectVersions"]),
        ("/descriptors/ lint", ["descriptors-post-lint"]),
        ("no such thing", []),
    ],
)
def test_every_word_of_a_search_counts(client: Client, query: str, found: list[str]) -> None:
    page = reference_page(query)
    names = [one.id for place in page.interfaces for group in place.groups for one in group.operations]
    assert [name for name in found if name not in names] == []
    assert len(names) < len(NAMES)
    text = client.get("/api/docs", {"q": query}).content.decode()
    assert ("No call answers this search." in text) is (names == [])


def test_a_call_says_what_it_takes_and_gives(client: Client) -> None:
    text = client.get("/api/docs/post-tokens").content.decode()
    for words in ("token.manage", "grants[].preset", "Idempotency-Key", "grant_too_wide", "curl -X POST"):
        assert words in text
    assert "It needs no token." in client.get("/api/docs/get-rules").content.decode()
    assert "and no right." in client.get("/api/docs/getOpenapiJson").content.decode()
    assert "Conflict: 40901" in client.get("/api/docs/postSubjectsSubjectVersions").content.decode()


def test_every_call_has_a_page_with_an_example_that_can_be_typed() -> None:
    pages = {name: operation_page(name, ORIGIN) for name in NAMES}
    assert [name for name, page in pages.items() if page is None or not (page.given and page.refusals)] == []
    for page in pages.values():
        assert page is not None
        words = shlex.split(page.command)
        assert words[0] == "curl"
        assert ("Authorization: Bearer $TOKEN" in words) is page.needs_token
        assert ("-d" in words or "--data-binary" in words) is bool(page.body_types)


def test_an_example_has_what_must_be_there() -> None:
    place = f"{ORIGIN}/api/v1/tenants/TENANT"
    assert command_of("post-tokens")[1:4] == ["-X", "POST", f"{place}/tokens"]
    assert "If-Match: *" in command_of("patch-namespace")
    assert command_of("descriptors-get-diff")[1].endswith("/descriptors/modules/MODULE/diff?from=1")
    assert command_of("post-policies")[-2:] == ["--data-binary", "@FILE"]


@pytest.mark.parametrize("name", ["get-nothing", "nothing.json"])
def test_what_is_no_call_is_a_page_that_is_missing(client: Client, name: str) -> None:
    answer = client.get(f"/api/docs/{name}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
