"""The list of subjects: rows, search, paging, what an empty list says, the part for htmx."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tenants.services import allow_anonymous
from tests.frontend.schemas import ORDERS

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor, ScopeFor
    from tests.frontend.conftest import Register, SignedIn

LIST = "/t/north/ns/default/"


def text_of(client: Client, address: str, **headers: str) -> str:
    answer = client.get(address, headers=headers or None)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_a_row_shows_name_format_latest_and_id(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, LIST)
    assert 'href="/t/north/ns/default/s/orders-value/-/"' in page
    assert "v3" in page
    assert "AVRO" in page


def test_the_search_narrows_and_stays_in_the_box(as_bob: Client, register: Register) -> None:
    for name in ("orders-value", "refunds-value"):
        register(name, ORDERS[0])
    page = text_of(as_bob, LIST + "?q=REF")
    assert "refunds-value" in page
    assert "orders-value" not in page
    assert 'value="REF"' in page


def test_pages_link_to_each_other_and_keep_the_search(
    as_bob: Client, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.views.subjects.PAGE_SIZE", 1)
    for name in ("a-value", "b-value", "c-value"):
        register(name, ORDERS[0])
    page = text_of(as_bob, LIST + "?q=value&page=2")
    assert 'rel="prev" href="?q=value"' in page
    assert 'rel="next" href="?q=value&amp;page=3"' in page
    assert "2 to 2 of 3" in page


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 40, "٣", ""])
def test_a_page_number_of_nonsense_is_the_first_page(as_bob: Client, orders: str, page: str) -> None:
    shown = text_of(as_bob, f"{LIST}?page={page}")
    assert "orders-value" in shown or "There is no such page" in shown


def test_beyond_the_last_page_the_way_back_is_shown(as_bob: Client, orders: str) -> None:
    assert "There is no such page" in text_of(as_bob, LIST + "?page=7")


def test_a_namespace_without_subjects_shows_a_command_that_registers(as_alice: Client) -> None:
    page = text_of(as_alice, LIST)
    assert "curl -X POST http://testserver/sr/north/default/subjects/orders-value/versions" in page


def test_a_search_without_hits_offers_to_clear_it(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, LIST + "?q=zzz")
    assert "No subject holds" in page
    assert f'href="{LIST}"' in page


def test_who_sees_a_part_only_is_told_that_there_may_be_more(signed_in: SignedIn, orders: str) -> None:
    page = text_of(signed_in("dora", "viewer", subjects="payments-*"), LIST)
    assert "Nothing here is open to you" in page
    assert "orders-value" not in page


def test_an_auditor_sees_the_name_without_a_way_in(signed_in: SignedIn, orders: str) -> None:
    page = text_of(signed_in("edith", "auditor"), LIST)
    assert "Not readable" in page
    assert "/s/orders-value/" not in page


def test_htmx_gets_the_table_alone_and_the_count_for_the_live_region(as_bob: Client, orders: str) -> None:
    part = text_of(as_bob, LIST, **{"HX-Request": "true"})
    assert "<html" not in part
    assert "1 subject found" in part


def test_a_step_back_in_history_gets_the_whole_page(as_bob: Client, orders: str) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in text_of(as_bob, LIST, **headers)


def test_the_number_of_statements_does_not_grow_with_the_rows(as_bob: Client, register: Register) -> None:
    register("orders-00", ORDERS[0])
    few = statements(as_bob, LIST)
    for number in range(1, 12):
        register(f"orders-{number:02}", ORDERS[0])
    assert statements(as_bob, LIST) == few <= 20


def statements(client: Client, address: str) -> int:
    # Now and then a request also notes when its session was last used.
    text_of(client, address)
    with CaptureQueriesContext(connection) as seen:
        text_of(client, address)
    return len(seen)


@pytest.mark.parametrize(("access", "words"), [("read", "may read here"), ("write", "may read and register")])
def test_an_open_namespace_says_so(
    as_bob: Client, alice: Actor, scope_for: ScopeFor, access: str, words: str
) -> None:
    assert "without a token" not in text_of(as_bob, LIST)
    allow_anonymous(scope_for(alice), access=access, subjects=["orders-*", "<b>"])
    page = text_of(as_bob, LIST)
    assert words in page
    assert "<bdi>orders-*</bdi>, <bdi>&lt;b&gt;</bdi>" in page
    assert words not in text_of(as_bob, LIST, **{"HX-Request": "true"})
