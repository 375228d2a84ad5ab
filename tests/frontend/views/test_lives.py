"""The life of a version: its state, what is said of it, comments, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.naming import parse_subject
from accord_server.kit import tenancy
from registry.life_records import ChangeState
from registry.services.comments import add_comment
from registry.services.modes import change_mode
from registry.services.version_states import change_state
from registry.version_states import VersionState
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from django.test import Client

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor

PAGE = "/t/north/ns/default/s/orders-value/-/life"
DEFINITION = "/t/north/ns/default/s/orders-value/-/"
ORDERS = parse_subject("orders-value")
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def scope(alice: Actor, scope_for: ScopeFor) -> Scope:
    """Alice's, who administers *north*."""
    return scope_for(alice)


def send(client: Client, do: str, **values: str) -> Any:
    return client.post(f"{PAGE}?v=1", {"do": do, **values})


def test_a_state_is_changed_and_shown(as_alice: Client, orders: str) -> None:
    assert "Enabled" in text_of(as_alice, f"{PAGE}?v=1")
    sent = send(as_alice, "state", state="deprecated", reason="old", seen="1")
    assert (sent.status_code, sent.headers["Location"]) == (302, f"{PAGE}?v=1")
    page = text_of(as_alice, f"{PAGE}?v=1")
    assert "enabled → deprecated" in page
    assert "It is served, with a warning." in text_of(as_alice, f"{DEFINITION}?v=1")
    late = send(as_alice, "state", state="disabled", reason="old", seen="1")
    assert late.status_code == 409
    assert "changed meanwhile" in late.content.decode()
    assert send(as_alice, "state", state="gone", reason="x", seen="2").status_code == 422
    assert send(as_alice, "nonsense").status_code == 400


def test_who_may_only_read_sees_no_forms(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, f"{PAGE}?v=1")
    assert "Changing it needs version.promote." in page
    assert 'value="comment"' not in page
    assert 'value="rollback"' not in page
    assert send(as_bob, "state", state="disabled", reason="x", seen="1").status_code == 403


def test_details_are_said(as_alice: Client, as_bob: Client, orders: str) -> None:
    said = {"description": HOSTILE, "labels": "pii, eu", "properties": "owner=shop\n", "seen": "1"}
    assert send(as_alice, "details", **said).status_code == 302
    for client in (as_alice, as_bob):
        page = text_of(client, f"{PAGE}?v=1")
        assert "eu, pii" in page
        assert HOSTILE not in page
    wrong = send(as_alice, "details", description="", labels="not a label", properties="", seen="2")
    assert wrong.status_code == 422


def test_comments_are_said_and_deleted(as_alice: Client, orders: str, scope: Scope) -> None:
    assert send(as_alice, "comment", text=HOSTILE).status_code == 302
    page = text_of(as_alice, f"{PAGE}?v=1")
    assert "&lt;script&gt;" in page
    assert HOSTILE not in page
    assert send(as_alice, "comment", text=" ").status_code == 422
    with tenancy.tenant_context(scope.tenant.id):
        comment = add_comment(scope, ORDERS, 1, "second").id
    assert send(as_alice, "delete-comment", comment=str(comment)).status_code == 302
    assert "second" not in text_of(as_alice, f"{PAGE}?v=1")
    assert send(as_alice, "delete-comment", comment=str(comment)).status_code == 404
    assert send(as_alice, "delete-comment", comment="x").status_code == 404


def test_going_back_is_checked_first(as_alice: Client, orders: str, scope: Scope) -> None:
    assert 'id="review-title"' in text_of(as_alice, f"{PAGE}?v=1&try=rollback")
    sent = send(as_alice, "rollback", skip="on")
    assert (sent.status_code, sent.headers["Location"]) == (302, f"{PAGE}?v=4")
    # Where all are disabled, the newest is shown all the same.
    with tenancy.tenant_context(scope.tenant.id):
        for number in (1, 2, 3, 4):
            change_state(scope, ORDERS, ChangeState(number, VersionState.DISABLED, "over"))
    assert "Disabled" in text_of(as_alice, DEFINITION)
    assert "Disabled" in text_of(as_alice, PAGE)
    assert send(as_alice, "rollback").status_code == 409


def test_an_unusual_mode_is_told(as_alice: Client, orders: str, scope: Scope) -> None:
    assert "The mode of this subject" not in text_of(as_alice, DEFINITION)
    with tenancy.tenant_context(scope.tenant.id):
        change_mode(scope, ORDERS, "READONLY")
    assert "The mode of this subject is READONLY" in text_of(as_alice, DEFINITION)
