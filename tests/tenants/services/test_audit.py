"""Every change and every refusal leaves a record, without a secret in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction

from accord_server.kit import errors, tenancy
from accord_server.kit.errors import Denial
from tenants import services
from tenants.authentication import authenticate
from tenants.errors import NamespaceNotFound, RightMissing, SlugTaken, Unauthorized
from tenants.models import AuditRecord
from tenants.principals import operator_scope
from tenants.records import AuditEntry
from tenants.services import record_audit, record_denial
from tests import factories
from tests.cast import bearer, issued_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import RequestFactory

    from accord.errors import AccordError
    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor


def records(whose: Actor, **wanted: Any) -> list[AuditRecord]:
    with tenancy.tenant_context(whose.tenant.id):
        rows = AuditRecord.objects.scoped(operator_scope(whose.tenant.ref))
        return list(rows.filter(**wanted).order_by("id"))


def denial(error: AccordError, scope: Scope | None = None, **more: Any) -> Denial:
    facts = {"status": 403, "method": "GET", "path": "/x", "request_id": "r-9", "address": "192.0.2.1"}
    return Denial(error=error, scope=scope, **{**facts, **more})


CHANGES: dict[str, tuple[str, Callable[[Scope], Any]]] = {
    "namespace.create": (
        "billing",
        lambda scope: services.create_namespace(scope, slug="billing", template=None),
    ),
    "service_account.create": ("robot", lambda scope: services.create_service_account(scope, slug="robot")),
    "role.bind": (
        "person:bob",
        lambda scope: services.bind_role(scope, principal="person:bob", role="steward"),
    ),
    "role.unbind": (
        "person:bob",
        lambda scope: services.unbind_role(scope, principal="person:bob", role="viewer"),
    ),
    "principal.suspend": (
        "person:bob",
        lambda scope: services.suspend_principal(scope, principal="person:bob"),
    ),
    "principal.resume": (
        "person:bob",
        lambda scope: services.resume_principal(scope, principal="person:bob"),
    ),
}


@pytest.mark.parametrize("action", CHANGES)
def test_every_change_says_who_what_and_whence(
    alice: Actor, bob: Actor, scope_for: ScopeFor, action: str
) -> None:
    name, change = CHANGES[action]
    change(replace(scope_for(alice), request_id="r-1", address="192.0.2.7", token_key="k" * 12, token_slot=2))
    (record,) = records(alice, actor="person:alice")

    assert (record.action, record.object_name, record.outcome) == (action, name, "allowed")
    assert (record.actor_kind, record.token_key_id, record.token_slot) == ("person", "k" * 12, 2)
    assert (record.request_id, record.address) == ("r-1", "192.0.2.7")


def test_a_tokens_life_is_told_without_its_secret(alice: Actor, scope_for: ScopeFor) -> None:
    issued = factories.make_token(scope_for(alice), alice.key)
    services.revoke_token(scope_for(alice), key_id=issued.record.key_id)
    made, ended = records(alice, object_kind="token")

    assert (made.action, made.object_name) == ("token.issue", issued.record.key_id)
    assert made.after is not None
    assert made.after["owner"] == "person:alice"
    assert made.after["grants"][0]["namespaces"] == "*"
    assert (ended.before, ended.after) == ({"state": "active"}, {"state": "revoked"})
    assert issued.value not in repr([vars(made), vars(ended)])


def test_a_change_that_fails_leaves_no_record(alice: Actor, scope_for: ScopeFor) -> None:
    with pytest.raises(SlugTaken):
        services.create_namespace(scope_for(alice), slug="default", template=None)

    assert records(alice, actor="person:alice") == []


def test_a_record_falls_with_its_transaction(alice: Actor, scope_for: ScopeFor) -> None:
    scope = scope_for(alice)
    with transaction.atomic():
        record_audit(scope, entry=AuditEntry("subject.write", "subject", "orders"))
        transaction.set_rollback(True)

    assert records(alice, action="subject.write") == []


def test_a_refused_call_is_recorded_with_the_right_it_lacked(bob: Actor, scope_for: ScopeFor) -> None:
    record_denial(denial(RightMissing("subject.write"), scope_for(bob), path="/sr/north/default/subjects"))
    (record,) = records(bob, outcome="denied")

    assert (record.actor, record.action, record.object_kind) == ("person:bob", "subject.write", "get")
    assert (record.object_name, record.request_id) == ("/sr/north/default/subjects", "r-9")
    assert record.address == "192.0.2.1"


@pytest.mark.parametrize("namespace", ["default", "nowhere"])
def test_a_dead_or_straying_token_is_recorded_with_its_owner(alice: Actor, namespace: str) -> None:
    issued = issued_for(alice)
    if namespace == "default":
        services.revoke_token(operator_scope(alice.tenant.ref), key_id=issued.record.key_id)
    with pytest.raises((Unauthorized, NamespaceNotFound)) as refusal:
        authenticate(bearer(issued.value), tenant_slug="north", namespace_slug=namespace)
    record_denial(denial(refusal.value))
    (record,) = records(alice, outcome="denied")

    assert (record.actor, record.action) == ("person:alice", "authenticate")
    assert (record.token_key_id, record.token_slot) == (issued.record.key_id, 1)


def test_a_straying_token_is_reported_by_the_boundary(alice: Actor, rf: RequestFactory) -> None:
    with pytest.raises(NamespaceNotFound) as refusal:
        authenticate(bearer(issued_for(alice).value), tenant_slug="south", namespace_slug="default")
    answer = errors.respond(rf.get("/sr/south/default/subjects"), refusal.value)

    assert answer.status_code == 404
    assert [record.object_name for record in records(alice, outcome="denied")] == [
        "/sr/south/default/subjects"
    ]


def test_strangers_leave_no_record(alice: Actor) -> None:
    record_denial(denial(Unauthorized()))

    assert records(alice, outcome="denied") == []


@pytest.mark.parametrize("address", ["", "unix:", "192.0.2.1, 10.0.0.1", "x" * 500, None])
def test_hostile_facts_are_stored_harmlessly(bob: Actor, scope_for: ScopeFor, address: str | None) -> None:
    hostile = "/a\x00b\ud800" + "x" * 10_000
    record_denial(
        denial(
            RightMissing("subject.read"), scope_for(bob), path=hostile, address=address, request_id="r" * 999
        )
    )
    (record,) = records(bob, outcome="denied")

    assert record.object_name.startswith("/ab?xxx")
    assert (record.address, record.request_id) == (None, "r" * 128)


def test_the_error_boundary_reports_here(bob: Actor, scope_for: ScopeFor, rf: RequestFactory) -> None:
    request = rf.get("/sr/north/default/subjects", REMOTE_ADDR="192.0.2.3")
    errors.remember_scope(request, scope_for(bob))
    errors.respond(request, RightMissing("subject.write"))

    assert [record.address for record in records(bob, outcome="denied")] == ["192.0.2.3"]
