"""Row-level security: what the database shows the application when the application forgets to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, ProgrammingError, connection, models, transaction

from accord_server.kit import tenancy
from accord_server.kit.models import Delivery, Outbox, TenantOwned
from accord_server.kit.tenant_queries import UnscopedAccess

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

OWNED = [model for model in apps.get_models() if issubclass(model, TenantOwned)]


def store(scope: Scope) -> Outbox:
    with tenancy.tenant_context(scope.tenant.id):
        row: Outbox = Outbox.objects.insert(scope, topic="t", payload={})
        return row


def count_by_sql(table: str = "kit_outbox") -> int:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608  # names of our own tables
        return int(cursor.fetchone()[0])


def test_raw_sql_without_a_tenant_sees_nothing(north: Scope) -> None:
    store(north)
    assert count_by_sql() == 0


def test_raw_sql_sees_the_tenant_at_hand_alone(north: Scope, south: Scope) -> None:
    store(north)
    store(south)
    with tenancy.tenant_context(south.tenant.id):
        assert count_by_sql() == 1


def test_a_row_of_another_tenant_cannot_be_stored(north: Scope, south: Scope) -> None:
    with tenancy.tenant_context(south.tenant.id), transaction.atomic():
        with pytest.raises(ProgrammingError, match="row-level security"):
            Outbox.objects.insert(north, topic="t", payload={})
        transaction.set_rollback(True)


def test_a_row_cannot_be_given_away(north: Scope, south: Scope) -> None:
    store(north)
    with tenancy.tenant_context(north.tenant.id), transaction.atomic():
        with pytest.raises(ProgrammingError, match="row-level security"):
            Outbox.objects.scoped(north).update(tenant_id=south.tenant.id)
        transaction.set_rollback(True)


def test_a_foreign_key_cannot_reach_another_tenant(north: Scope, south: Scope) -> None:
    row = store(north)
    with tenancy.tenant_context(south.tenant.id), transaction.atomic():
        with pytest.raises(IntegrityError, match="kit_delivery_outbox_tenant_fk"):
            Delivery.objects.insert(south, outbox_id=row.pk, attempt=1, is_success=True)
        transaction.set_rollback(True)


@pytest.mark.parametrize("model", OWNED, ids=lambda model: model._meta.label)
def test_every_tenant_owned_table_is_guarded(model: type[TenantOwned]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relrowsecurity, (SELECT count(*) FROM pg_policies WHERE tablename = relname)"
            " FROM pg_class WHERE relname = %s",
            [model._meta.db_table],
        )
        assert cursor.fetchone() == (True, 1)


@pytest.mark.parametrize("model", OWNED, ids=lambda model: model._meta.label)
def test_foreign_keys_between_owned_rows_hold_the_tenant(model: type[TenantOwned]) -> None:
    owned = [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and field.related_model in OWNED
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE contype = 'f' AND conrelid = %s::regclass",
            [model._meta.db_table],
        )
        keys = [row[0] for row in cursor.fetchall()]
    for field in owned:
        assert any(key.startswith(f"FOREIGN KEY (tenant_id, {field.column})") for key in keys), field
        assert not any(key.startswith(f"FOREIGN KEY ({field.column})") for key in keys), field


def test_tables_beyond_reach_are_not_empty_but_forbidden() -> None:
    with connection.cursor() as cursor, pytest.raises(ProgrammingError, match="permission denied"):
        cursor.execute("DELETE FROM django_migrations")


def test_the_manager_wants_a_tenant(north: Scope) -> None:
    store(north)
    with pytest.raises(UnscopedAccess, match=r"Outbox\.objects needs"):
        Outbox.objects.all()
    with pytest.raises(UnscopedAccess, match="reason"):
        Outbox.objects.unscoped(" ")


def test_the_scoped_manager_filters_before_the_database_does(north: Scope, south: Scope) -> None:
    store(north)
    with tenancy.tenant_context(north.tenant.id):
        assert (Outbox.objects.scoped(north).count(), Outbox.objects.scoped(south).count()) == (1, 0)


def test_a_stranger_to_the_database_sees_no_row(north: Scope) -> None:
    store(north)
    with tenancy.tenant_context(uuid4()):
        assert count_by_sql() == 0
