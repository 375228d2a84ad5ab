"""The form that registers a schema: checked while one types, stored once it fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.naming import parse_subject
from registry.errors import TooMuchContention
from registry.services.configuration import change_config
from registry.services.modes import change_mode
from tests.frontend.schemas import ORDERS, field, record
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from typing import Any

    from django.test import Client

    from tests.cast import Actor, ScopeFor
    from tests.frontend.conftest import SignedIn

NAMESPACE = "/t/north/ns/default/"
FORM = NAMESPACE + "register"
HTMX = {"HX-Request": "true"}
FIRST = record(field("id", "long"))
BAD = record(field("id", "string"))


def send(client: Client, do: str, text: str, subject: str = "new-value", **members: str) -> Any:
    values = {"do": do, "subject": subject, "format": "AVRO", "text": text} | members
    return client.post(FORM, values, headers=HTMX if do == "check" else {})


def review(client: Client, text: str, subject: str = "new-value", **members: str) -> str:
    answer = send(client, "check", text, subject, **members)
    assert answer.status_code == 200
    page: str = answer.content.decode()
    assert "<html" not in page
    return page


def test_a_first_version_is_checked_and_registered(as_alice: Client) -> None:
    assert "Name a subject" in text_of(as_alice, FORM)
    assert "It can be registered under BACKWARD." in review(as_alice, FIRST)
    answer = send(as_alice, "register", FIRST)
    assert answer.headers["Location"] == f"{NAMESPACE}s/new-value/-/?v=1"
    assert "This is version 1 of new-value already." in review(as_alice, FIRST)


def test_what_would_be_refused_is_told_and_not_stored(as_alice: Client, orders: str) -> None:
    page = review(as_alice, BAD, orders)
    assert "It would be refused under BACKWARD." in page
    assert "TYPE_MISMATCH" in page
    assert 'data-line="1"' in page
    assert "What to do:" in page
    answer = send(as_alice, "register", BAD, orders)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "the schema breaks rules that are named beside the text" in page
    assert "&quot;string&quot;" in page
    assert ">Version 4</a>" not in text_of(as_alice, f"{NAMESPACE}s/{orders}/-/versions")


def test_what_is_no_schema_names_its_lines(as_alice: Client) -> None:
    page = review(as_alice, '{"type": "record",\n "name": "A" "fields": []}')
    assert "This cannot be registered." in page
    assert 'data-line="2"' in page
    answer = send(as_alice, "register", "{")
    assert answer.status_code == 422
    assert b"Nothing was registered: " in answer.content


def test_a_bad_name_is_told_before_anything_else(as_alice: Client) -> None:
    assert "not a valid" in review(as_alice, FIRST, "__GLOBAL")
    assert send(as_alice, "register", FIRST, "__GLOBAL").status_code == 422
    assert send(as_alice, "register", FIRST, "").status_code == 422


def test_references_are_read_line_by_line(as_alice: Client, with_reference: str) -> None:
    text = record(field("tier", "com.example.Tier"), name="Guest")
    assert "This cannot be registered." in review(as_alice, text)
    assert "is not NAME=SUBJECT@VERSION" in review(as_alice, text, references="com.example.Tier")
    named = "com.example.Tier=tiers-value@1\r\n\r\n"
    assert "It can be registered" in review(as_alice, text, references=named)
    assert send(as_alice, "register", text, references=named).status_code == 302


def test_the_next_version_begins_with_the_latest(as_alice: Client, with_reference: str) -> None:
    page = text_of(as_alice, f"{NAMESPACE}s/{with_reference}/-/")
    address = f"{FORM}?subject={with_reference}&amp;format=AVRO&amp;from=latest"
    assert f'href="{address}"' in page
    page = text_of(as_alice, address.replace("&amp;", "&"))
    assert "com.example.Tier=tiers-value@1" in page
    assert "&quot;tier&quot;" in page
    assert 'value="members-value"' in page
    # A subject that is not there leaves the form empty.
    assert 'value="nobody"' in text_of(as_alice, f"{FORM}?subject=nobody&from=latest")


@pytest.mark.parametrize(
    ("choice", "stored"),
    [("", '{"type":"object","title":"A"}'), ("yes", '{"title":"A","type":"object"}')],
)
def test_normalising_is_a_choice(as_alice: Client, choice: str, stored: str) -> None:
    text = '{"type": "object", "title": "A"}'
    send(as_alice, "register", text, format="JSON", normalize=choice)
    assert as_alice.get(f"{NAMESPACE}s/new-value/-/raw").content.decode() == stored


def test_json_and_protobuf_have_their_turn(as_alice: Client) -> None:
    assert "It can be registered" in review(as_alice, '{"type": "object"}', format="JSON")
    assert "This cannot be registered" in review(as_alice, '{"type": 5}', format="JSON")


def test_warnings_let_it_through(as_alice: Client) -> None:
    known = '{"type": "object", "properties": {"a": {"type": "string"}}}'
    wider = '{"type": "object", "properties": {"a": {"type": "string"}, "b": {}}}'
    send(as_alice, "register", known, format="JSON")
    page = review(as_alice, wider, format="JSON")
    assert "It can be registered under BACKWARD" in page


def test_who_may_not_write_is_not_led_to_the_form(as_bob: Client, as_alice: Client, orders: str) -> None:
    page = text_of(as_bob, FORM)
    assert "Registering needs the right subject.write." in page
    assert ('value="register"' in page, 'value="check"' in page) == (False, False)
    assert send(as_bob, "register", FIRST).status_code == 403
    told = review(as_bob, FIRST, orders)
    assert ("You may not check this." in told, "cannot be registered" in told) == (True, False)
    for at, words in ((NAMESPACE, "Register a schema"), (f"{NAMESPACE}s/{orders}/-/", "New version")):
        assert (words in text_of(as_bob, at), words in text_of(as_alice, at)) == (False, True)


def test_who_may_write_elsewhere_is_refused_here(signed_in: SignedIn, orders: str) -> None:
    erin = signed_in("erin", "developer", "customers-*")
    assert send(erin, "register", FIRST, "customers-value").status_code == 302
    assert send(erin, "register", FIRST, orders).status_code == 403
    # A subject that may not be seen looks like one that is not there.
    assert "TYPE_MISMATCH" not in review(erin, BAD, orders)


def test_a_heavy_schema_is_left_to_the_registration(
    as_alice: Client, orders: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.services.explaining.is_heavy", lambda *_, **__: True)
    assert "too large to check while you type" in review(as_alice, BAD, orders)


def test_a_busy_server_says_so(as_alice: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise TooMuchContention("new-value")

    monkeypatch.setattr("frontend.views.registering.register_version", refuse)
    answer = send(as_alice, "register", FIRST)
    assert answer.status_code == 503
    assert b"Nothing was registered: " in answer.content


def test_a_mode_that_takes_no_versions_is_told_while_one_types(
    as_alice: Client, alice: Actor, scope_for: ScopeFor, orders: str
) -> None:
    for mode, words in (("READONLY", "read-only mode"), ("IMPORT", "not in read-write mode")):
        change_mode(scope_for(alice), parse_subject(orders), mode, force=True)
        page = review(as_alice, record(field("id", "long"), field("new", "string", default="")), orders)
        assert ("This cannot be registered." in page, words in page) == (True, True)
        assert "already." in review(as_alice, ORDERS[0], orders)


def test_an_alias_leads_to_its_subject(
    as_alice: Client, alice: Actor, scope_for: ScopeFor, orders: str
) -> None:
    change_config(scope_for(alice), parse_subject("other"), {"alias": orders})
    assert f"This is version 1 of {orders} already." in review(as_alice, ORDERS[0], "other")
    answer = send(as_alice, "register", ORDERS[0], "other")
    assert answer.headers["Location"] == f"{NAMESPACE}s/{orders}/-/?v=1"
