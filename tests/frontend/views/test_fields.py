"""The pages of the names of fields: the list, one name, and what cannot be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from frontend.views import fields as views
from registry.errors import SearchTooLong
from tests.frontend.schemas import field, record
from tests.frontend.views.test_subjects import text_of
from tests.places import place
from tests.registry.discovery.asking import be_patient, settle

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor
    from tests.frontend.conftest import Register

FIELDS = "/t/north/fields/"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)


@pytest.fixture
def _listed(alice: Actor, register: Register) -> None:
    """Two subjects that do not agree on what an id is."""
    register("orders-value", record(field("id", "string"), field("placed", "long")))
    register("people-value", record(field("id", "long")))
    settle(alice.tenant.id)


@pytest.mark.usefixtures("_listed")
def test_names_lead_to_their_pages(as_bob: Client, bob: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    page = text_of(as_bob, FIELDS)
    assert f'href="{FIELDS}placed"' in page
    assert page.count("Conflict</span>") == 1
    monkeypatch.setattr(views, "PART", 1)
    after = f"{FIELDS}?after={place(bob, FIELDS, 'id')}"
    assert f'href="{after}"' in text_of(as_bob, FIELDS)
    assert "placed" in text_of(as_bob, f"{after}&conflicts=false")


@pytest.mark.usefixtures("_listed")
def test_a_name_shows_its_types_and_subjects(as_bob: Client) -> None:
    page = text_of(as_bob, f"{FIELDS}id")
    assert "cannot be taken for one another" in page
    assert "/t/north/ns/default/s/people-value/-/" in page
    assert "field%3Aid" in page
    assert "All fields of this name" in text_of(as_bob, f"{FIELDS}placed")
    assert "No field is called so" in text_of(as_bob, f"{FIELDS}missing")


def test_an_empty_list_says_why(as_bob: Client) -> None:
    assert "No fields yet" in text_of(as_bob, FIELDS)
    assert "No such names" in text_of(as_bob, f"{FIELDS}?q=zzz")


def test_what_takes_too_long_is_said(as_bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise SearchTooLong

    monkeypatch.setattr(views, "field_names", refuse)
    assert as_bob.get(FIELDS).status_code == 503


def test_who_registers_a_new_subject_is_told_what_it_is_like(
    as_alice: Client, alice: Actor, register: Register
) -> None:
    text = record(field("id", "string"), field("placed", "long"), field("total", "double"))
    register("orders-value", text)
    settle(alice.tenant.id)
    form = {"subject": "new-value", "format": "AVRO", "text": text}
    page = as_alice.post("/t/north/ns/default/register", form).content.decode()
    assert "Is it there already?" in page
    assert "/t/north/ns/default/s/orders-value/-/" in page
    again = as_alice.post("/t/north/ns/default/register", {**form, "subject": "orders-value"})
    assert "Is it there already?" not in again.content.decode()
