"""The page of a change under every preset."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils.html import strip_tags

from accord_server.kit.turnstile import Turnstile
from tests.frontend.schemas import field, record
from tests.frontend.views.test_subjects import statements, text_of

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings

    from tests.frontend.conftest import Register

SUBJECT = "/t/north/ns/default/s/orders-value/-/"


def words_of(client: Client, query: str) -> str:
    """The page without tags, each blank once."""
    return " ".join(strip_tags(text_of(client, f"{SUBJECT}matrix{query}")).split())


def test_presets_that_say_the_same_stand_together(as_bob: Client, orders: str) -> None:
    page = words_of(as_bob, "?from=3&to=2&level=FULL")
    assert "of 6 presets refuse that version 2 replaces version 3 under FULL." in page
    assert "Refused" in page
    assert "confluent:8.1" in page
    assert "What decides" in page
    assert 'href="/rules/' in text_of(as_bob, f"{SUBJECT}matrix?from=3&to=2&level=FULL")


def test_the_page_leads_to_lines_and_to_the_text_difference(as_bob: Client, register: Register) -> None:
    register("orders-value", record(field("id", "int")))
    register("orders-value", record(field("id", "long")))
    page = text_of(as_bob, f"{SUBJECT}matrix?level=FORWARD")
    assert f'href="{SUBJECT}?v=2#L' in page
    assert f'href="{SUBJECT}diff?from=1&amp;to=2"' in page
    assert "old reads new" in page
    assert f'href="{SUBJECT}matrix?from=1&amp;to=2"' in text_of(as_bob, f"{SUBJECT}diff")


def test_what_everybody_accepts_decides_nothing(as_bob: Client, register: Register) -> None:
    register("orders-value", record())
    register("orders-value", record(field("id", "int", default=0)))
    page = words_of(as_bob, "")
    assert "None of 6 presets refuses that version 2 replaces version 1 under BACKWARD." in page
    assert "What decides" not in page


def test_a_version_beside_itself_is_not_judged(as_bob: Client, register: Register) -> None:
    register("orders-value", record(field("id", "int")))
    assert "There is only one version so far." in words_of(as_bob, "")
    register("orders-value", record(field("id", "long")))
    assert "Both sides are the same version." in words_of(as_bob, "?from=1&to=1")


@pytest.mark.parametrize("query", ["?to=9", "?from=x"])
def test_versions_that_are_not_there(as_bob: Client, orders: str, query: str) -> None:
    assert as_bob.get(f"{SUBJECT}matrix{query}").status_code == 404


def test_where_others_have_work_enough_it_says_so(
    as_bob: Client, orders: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.services.heavy.HEAVY", Turnstile(inside=0, waiting=0, patience=0))
    monkeypatch.setattr("registry.services.heavy.LIGHT_CHARACTERS", 1)
    page = words_of(as_bob, "?from=1&to=2")
    assert "nothing was judged" in page


def test_the_level_of_an_address_must_be_one(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, f"{SUBJECT}matrix?level=x")
    assert '<option value="BACKWARD" selected>' in page


def test_the_number_of_statements_is_bounded(as_bob: Client, orders: str) -> None:
    assert statements(as_bob, f"{SUBJECT}matrix?from=1&to=2") <= 20


def test_a_change_too_large_for_a_page_is_not_judged(as_bob: Client, orders: str, settings: Settings) -> None:
    settings.ACCORD_INLINE_CHECK_BYTES = 100
    page = words_of(as_bob, "?from=1&to=2")
    assert "both texts count as" in page
    assert "Try again" not in page


def test_one_preset_can_be_seen_alone(as_bob: Client, orders: str) -> None:
    whole = text_of(as_bob, f"{SUBJECT}matrix?from=3&to=2&level=FULL")
    address = "?from=3&amp;to=2&amp;level=FULL&amp;preset=confluent%3A8.1"
    assert f'<a href="{address}"><code>confluent:8.1</code></a>' in whole
    alone = text_of(as_bob, f"{SUBJECT}matrix?from=3&to=2&level=FULL&preset=confluent:8.1")
    assert "confluent:8.1 refuses that version 2 replaces version 3 under FULL." in strip_tags(alone)
    assert 'href="?from=3&amp;to=2&amp;level=FULL">All presets' in alone
    assert "of 6 presets" in words_of(as_bob, "?from=3&to=2&level=FULL&preset=nonsense")
