"""A suspended tenant: closed at once to whoever is let in by a memory, by a page or by nothing at all."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accord_server.kit import tenancy
from tenants.door import Door
from tenants.models import AuditRecord
from tenants.principals import operator_scope
from tenants.queries.namespaces import get_tenant
from tenants.services import resume_tenant, suspend_tenant
from tests.cast import bearer, issued_for

if TYPE_CHECKING:
    from tests.cast import Actor

pytestmark = pytest.mark.django_db

PLACE = ("north", "default")


def test_callers_that_were_let_in_a_moment_ago_are_forgotten(alice: Actor) -> None:
    header = bearer(issued_for(alice).value)
    environ = {"HTTP_AUTHORIZATION": header, "REMOTE_ADDR": "127.0.0.1"}
    assert Client().get("/sr/north/default/subjects", headers={"Authorization": header}).status_code == 200
    assert Door().recall(environ, *PLACE) is not None
    suspend_tenant(operator_scope(alice.tenant.ref))
    assert Door().recall(environ, *PLACE) is None


def test_each_change_of_the_state_is_another_revision(alice: Actor) -> None:
    scope = operator_scope(alice.tenant.ref)
    seen = []
    for step in (suspend_tenant, suspend_tenant, resume_tenant):
        step(scope)
        with tenancy.tenant_context(scope.tenant.id):
            seen.append(get_tenant(scope).revision)
    assert seen == [2, 2, 3]


def test_pages_tell_members_and_nobody_else(alice: Actor, mallory: Actor) -> None:
    suspend_tenant(operator_scope(alice.tenant.ref))
    seen = {}
    for actor in (alice, mallory):
        client = Client()
        client.force_login(actor.user)
        seen[actor.name] = client.get(reverse("frontend:tenant", args=["north"]))
    assert seen["alice"].status_code == 403
    assert "This tenant is suspended" in seen["alice"].content.decode()
    assert seen["mallory"].status_code == 404


def test_who_was_kept_out_is_in_the_log(alice: Actor) -> None:
    header, scope = bearer(issued_for(alice).value), operator_scope(alice.tenant.ref)
    suspend_tenant(scope)
    Client().get("/sr/north/default/subjects", headers={"Authorization": header})
    resume_tenant(scope)
    with tenancy.tenant_context(scope.tenant.id):
        rows = AuditRecord.objects.scoped(scope).order_by("-pk").values_list("actor", "action", "outcome")
        last = list(rows[:3])
    assert [one[1:] for one in last] == [
        ("tenant.set_state", "allowed"), ("authenticate", "denied"), ("tenant.set_state", "allowed")
    ]  # fmt: skip
    assert last[1][0] == alice.key


def test_commands_suspend_and_resume_as_often_as_they_are_called(alice: Actor) -> None:
    said = StringIO()
    for command in ("suspend_tenant", "suspend_tenant", "resume_tenant"):
        call_command(command, "north", stdout=said)
    assert said.getvalue().splitlines() == [*["tenant north is suspended"] * 2, "tenant north is active"]
