"""The page of a tenant: its namespaces, and those that were deleted, with how long each is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.scope import NamespaceRef
from tenants.models import Namespace
from tenants.principals import operator_scope
from tenants.services import create_namespace, delete_namespace

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor

pytestmark = pytest.mark.django_db
PAGE = "/t/north/"


def delete(actor: Actor, slug: str, *, days: int = 0) -> None:
    """Create a namespace and delete it some days ago."""
    scope = operator_scope(actor.tenant.ref)
    made = create_namespace(scope, slug=slug, template=None)
    delete_namespace(replace(scope, namespace=NamespaceRef(made.id, slug)), confirmed=slug, expected=None)
    with tenancy.tenant_context(actor.tenant.id):
        rows = Namespace.objects.scoped(scope).filter(slug=slug)
        rows.update(deleted_at=timezone.now() - timedelta(days=days, minutes=-5))


def test_it_tells_how_long_a_deleted_namespace_is_kept_and_restores_it(alice: Actor, client: Client) -> None:
    client.force_login(alice.user)
    assert "Deleted namespaces" not in client.get(PAGE).content.decode()
    delete(alice, "pay", days=10)
    delete(alice, "old", days=31)
    text = client.get(PAGE).content.decode()
    assert "2\xa0weeks, 6\xa0days" in text
    assert "No longer: its data are being removed" in text
    assert (text.count('name="restore"'), 'value="pay"' in text) == (1, True)
    assert client.post(PAGE, {"restore": "pay"}).status_code == 302
    assert "/t/north/ns/pay/" in client.get(PAGE).content.decode()


def test_who_comes_too_late_is_told_so(alice: Actor, client: Client) -> None:
    client.force_login(alice.user)
    delete(alice, "old", days=31)
    with tenancy.tenant_context(alice.tenant.id):
        Namespace.objects.scoped(operator_scope(alice.tenant.ref)).filter(slug="old").update(
            purge_begun_at=timezone.now()
        )
    answer = client.post(PAGE, {"restore": "old"})
    assert answer.status_code == 409
    assert "cannot be restored" in answer.content.decode()


def test_who_may_not_restore_them_sees_none(alice: Actor, bob: Actor, client: Client) -> None:
    delete(alice, "pay")
    client.force_login(bob.user)
    assert "Deleted namespaces" not in client.get(PAGE).content.decode()
    assert client.post(PAGE, {"restore": "pay"}).status_code == 403
