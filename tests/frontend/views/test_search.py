"""Searching on a page: hits with their marks, ways to narrow and to widen, and what cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from frontend.pages import search as pages
from frontend.views import search as views
from registry.errors import SearchTooLong
from registry.queries import discovery
from tests.frontend.schemas import field, record
from tests.frontend.views.test_subjects import text_of
from tests.registry.discovery.asking import be_patient, settle

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor
    from tests.frontend.conftest import Register

SEARCH = "/t/north/search"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)


@pytest.fixture
def _listed(alice: Actor, register: Register) -> None:
    """Two subjects, and their fields."""
    register("orders-value", record(field("customer_email", "string"), field("placed", "long")))
    register("people-value", record(field("email", "string")))
    settle(alice.tenant.id)


def test_without_a_search_the_operators_are_told(as_bob: Client) -> None:
    page = text_of(as_bob, SEARCH)
    assert "What it asks for" in page
    assert "has:nullable" in page


@pytest.mark.usefixtures("_listed")
def test_hits_are_marked_and_can_be_narrowed(as_bob: Client) -> None:
    page = text_of(as_bob, f"{SEARCH}?q=email")
    assert "<mark><bdi>email</bdi></mark>" in page
    assert "2 hits" in page
    assert "/t/north/ns/default/s/people-value/-/" in page
    assert "q=email+format%3Aavro" in page


@pytest.mark.usefixtures("_listed")
def test_conditions_can_be_removed(as_bob: Client) -> None:
    page = text_of(as_bob, f"{SEARCH}?q=email+format:avro+subject:people*&kind=field")
    assert f'href="{SEARCH}?q=email+subject%3Apeople%2A&amp;kind=field"' in page
    assert "1 hit<" in page


@pytest.mark.usefixtures("_listed")
def test_the_list_goes_on(as_bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "PART", 1)
    page = text_of(as_bob, f"{SEARCH}?q=email")
    assert "More hits" in page
    after = page.split("after=", 1)[1].split('"', 1)[0]
    assert "<mark><bdi>email</bdi></mark>" in text_of(as_bob, f"{SEARCH}?q=email&after={after}")
    assert "customer_<" not in text_of(as_bob, f"{SEARCH}?q=email&kind=color")
    assert as_bob.get(f"{SEARCH}?q=email&after=x").status_code == 400


@pytest.mark.usefixtures("_listed")
def test_nothing_found_says_what_to_do(as_bob: Client) -> None:
    page = text_of(as_bob, f"{SEARCH}?q=zzzz")
    assert "Search for a part of the name" in page
    assert f'href="{SEARCH}?q=zzzz+in%3Ahistory"' in page
    assert "Search older versions" not in text_of(as_bob, f"{SEARCH}?q=zzzz+in:history")
    assert "Remove one of the conditions" in text_of(as_bob, f"{SEARCH}?q=zzzz+type:int")


@pytest.mark.usefixtures("_listed")
def test_conditions_in_the_way_are_named_with_what_they_hide(as_bob: Client) -> None:
    page = text_of(as_bob, f"{SEARCH}?q=email+type:int+format:avro")
    assert f'href="{SEARCH}?q=email+format%3Aavro">Without ' in page
    assert "type:int</bdi>: 2 hits<" in page
    assert "format:avro</bdi>: " not in page
    # Without its only condition nothing is asked for.
    assert "Without" not in text_of(as_bob, f"{SEARCH}?q=type:int")


@pytest.mark.usefixtures("_listed")
def test_what_hides_hits_is_not_looked_for_long(as_bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def refuse(*_: object, limit_ms: int) -> None:
        tried.append(limit_ms)
        raise SearchTooLong

    monkeypatch.setattr(discovery, "search_fields", refuse)
    page = text_of(as_bob, f"{SEARCH}?q=email+type:int+format:avro")
    assert "Without" not in page
    assert tried == [discovery.HIDDEN_LIMIT_MS]


@pytest.mark.usefixtures("_listed")
def test_a_misspelt_name_has_the_right_one_beside_it(as_bob: Client) -> None:
    page = text_of(as_bob, f"{SEARCH}?q=customxr_email+type:string")
    assert "Did you mean" in page
    assert f'href="{SEARCH}?q=customer_email+type%3Astring"' in page
    assert "Did you mean" not in text_of(as_bob, f"{SEARCH}?q=customer_email")


@pytest.mark.usefixtures("_listed")
def test_older_versions_have_a_tab(as_bob: Client) -> None:
    assert f'href="{SEARCH}?q=email+in%3Ahistory">Older versions' in text_of(as_bob, f"{SEARCH}?q=email")
    page = text_of(as_bob, f"{SEARCH}?q=email+in:history")
    assert f'href="{SEARCH}?q=email+in%3Ahistory" aria-current="page">Older versions' in page
    assert f'href="{SEARCH}?q=email&amp;kind=field">Fields</a>' in page


@pytest.mark.usefixtures("_listed")
def test_a_search_can_be_copied_for_terminals_and_programs(as_bob: Client) -> None:
    page = text_of(as_bob, f"{SEARCH}?q=email+type:string&kind=field")
    assert "accord search &#x27;email type:string&#x27; --kind field --url http" in page
    assert "/sr/north/default" in page
    assert "/api/v1/tenants/north/search?q=email+type%3Astring&amp;kind=field" in page


def test_pages_of_a_tenant_lead_to_its_search(as_bob: Client) -> None:
    assert f'href="{SEARCH}#q" data-search' in text_of(as_bob, "/t/north/")
    assert "data-search" not in text_of(as_bob, "/rules/")


def test_what_cannot_be_read_is_said(as_bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = as_bob.get(SEARCH, {"q": "typ:int"})
    assert answer.status_code == 422
    assert "the nearest is type:" in answer.content.decode()

    def refuse(*_: object) -> None:
        raise SearchTooLong

    monkeypatch.setattr(views, "search_fields", refuse)
    assert as_bob.get(SEARCH, {"q": "int"}).status_code == 503


def test_pieces() -> None:
    assert [one.text for one in pages.pieces("email.EMAIL", ("email",))] == ["email.", "EMAIL"]
    assert [one.text for one in pages.pieces("a", ("email", ""))] == ["a"]
    assert [one.text for one in pages.pieces("a", ())] == ["a"]


@pytest.mark.usefixtures("_listed")
def test_many_hits_cost_the_page_as_many_statements_as_few(
    as_bob: Client, alice: Actor, register: Register
) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            text_of(as_bob, f"{SEARCH}?q=email")
        return len(captured)

    text_of(as_bob, SEARCH)
    few = statements()
    for number in range(15):
        register(f"more-{number}", record(field("email", "string"), field(f"email_{number}", "string")))
    settle(alice.tenant.id)
    assert "32 hits" in text_of(as_bob, f"{SEARCH}?q=email")
    assert statements() == few
