"""What is soft-deleted: listed to who may read it, brought back by who may write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.naming import parse_subject
from registry.services.configuration import change_config
from registry.services.deletion import soft_delete_subject, soft_delete_version
from tests.frontend.schemas import field, record
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from django.test import Client

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor
    from tests.frontend.conftest import Register, SignedIn

DELETED = "/t/north/ns/default/deleted"
ORDERS = parse_subject("orders-value")


@pytest.fixture
def scope(alice: Actor, scope_for: ScopeFor) -> Scope:
    """Alice's, who administers *north*."""
    return scope_for(alice)


def test_nothing_is_deleted_at_first(as_bob: Client, orders: str) -> None:
    assert "Nothing is deleted" in text_of(as_bob, DELETED)


def test_versions_are_listed_last_deleted_first(as_alice: Client, orders: str, scope: Scope) -> None:
    soft_delete_version(scope, ORDERS, 2)
    soft_delete_version(scope, ORDERS, 1)
    page = text_of(as_alice, DELETED)
    assert page.index(">v1<") < page.index(">v2<")
    assert ">v3<" not in page
    assert "Whole subject" not in page
    assert "Nothing deleted holds" in text_of(as_alice, f"{DELETED}?q=nothing")
    assert "2 of 2" in text_of(as_alice, f"{DELETED}?q=ORDERS")


def test_a_version_is_restored(as_alice: Client, orders: str, scope: Scope) -> None:
    soft_delete_version(scope, ORDERS, 3)
    answer = as_alice.post(DELETED, {"subject": orders, "version": "3"})
    assert answer.headers["Location"] == f"/t/north/ns/default/s/{orders}/-/versions"
    assert ">Version 3</a>" in text_of(as_alice, answer.headers["Location"])
    assert "Nothing is deleted" in text_of(as_alice, DELETED)


def test_a_whole_subject_is_restored(as_alice: Client, orders: str, scope: Scope) -> None:
    soft_delete_subject(scope, ORDERS)
    page = text_of(as_alice, DELETED)
    assert page.count("Whole subject") == 3
    assert "Restore the subject" in page
    answer = as_alice.post(DELETED, {"subject": orders, "version": ""})
    page = text_of(as_alice, answer.headers["Location"])
    assert all(f">Version {number}</a>" in page for number in (1, 2, 3))


def test_why_a_version_cannot_come_back(as_alice: Client, register: Register, scope: Scope) -> None:
    change_config(scope, ORDERS, {"compatibilityLevel": "NONE"})
    register("orders-value", record(field("a", "int")))
    register("orders-value", record(field("a", "string")))
    soft_delete_version(scope, ORDERS, 1)
    change_config(scope, ORDERS, {"compatibilityLevel": "BACKWARD"})
    answer = as_alice.post(DELETED, {"subject": "orders-value", "version": "1"})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "under BACKWARD, version 2 could not follow version 1" in page
    assert ">v1<" in page


@pytest.mark.parametrize("named", ["", "nobody", "a\x00b", ":.nowhere:x"])
def test_a_subject_of_nonsense_is_missing(as_alice: Client, orders: str, named: str) -> None:
    answer = as_alice.post(DELETED, {"subject": named, "version": "1"})
    assert answer.status_code == 409
    assert b'role="alert"' in answer.content


def test_who_may_only_read_sees_what_is_missing(as_bob: Client, orders: str, scope: Scope) -> None:
    soft_delete_version(scope, ORDERS, 3)
    page = text_of(as_bob, DELETED)
    assert "Needs subject.write" in page
    assert 'name="version"' not in page
    assert as_bob.post(DELETED, {"subject": orders, "version": "3"}).status_code == 403


def test_what_may_not_be_read_is_not_listed(signed_in: SignedIn, orders: str, scope: Scope) -> None:
    soft_delete_version(scope, ORDERS, 3)
    erin = signed_in("erin", "developer", "customers-*")
    assert "Nothing is deleted" in text_of(erin, DELETED)
    answer = erin.post(DELETED, {"subject": orders, "version": "3"})
    assert answer.status_code == 409
    assert b"not found" in answer.content
