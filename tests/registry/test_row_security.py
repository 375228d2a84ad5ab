"""The second wall: unscoped SQL as the application's role sees one tenant, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.db import IntegrityError, ProgrammingError, connection, transaction

from accord_server.kit import tenancy
from registry.models import Subject
from tests.registry.client import record
from tests.registry.texts import register

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor

pytestmark = pytest.mark.django_db

TABLES = sorted(model._meta.db_table for model in apps.get_app_config("registry").get_models())


def count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608  # the tables of our own models
        return int(cursor.fetchone()[0])


@pytest.fixture
def scope(alice: Actor, scope_for: ScopeFor) -> Scope:
    scope = scope_for(alice)
    register(scope, "part", record("x", name="Part"))
    register(scope, "s", record({"name": "p", "type": "Part"}), ("Part", "part", 1))
    return scope


@pytest.mark.parametrize("table", TABLES)
def test_without_a_tenant_there_are_no_rows(scope: Scope, table: str) -> None:
    tenancy.deactivate()
    assert count(table) == 0


@pytest.mark.parametrize("table", TABLES)
def test_another_tenant_sees_none_of_them(scope: Scope, mallory: Actor, table: str) -> None:
    tenancy.activate(mallory.tenant.id)
    assert count(table) == 0


@pytest.mark.parametrize(
    "table",
    ["registry_subject", "registry_version", "registry_schema", "registry_content", "registry_counter"],
)
def test_the_tenant_itself_sees_them(scope: Scope, table: str) -> None:
    assert count(table) > 0


def test_a_row_cannot_be_written_for_somebody_else(scope: Scope, mallory: Actor) -> None:
    assert scope.namespace is not None
    with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
        Subject(tenant_id=mallory.tenant.id, namespace_id=scope.namespace.id, name="x").save()


def test_an_edge_cannot_cross_tenants(scope: Scope, mallory: Actor, scope_for: ScopeFor) -> None:
    """Foreign keys ignore row-level security, so they name the tenant."""
    assert scope.namespace is not None
    foreign = scope_for(mallory)
    crossing = Subject(tenant_id=foreign.tenant.id, namespace_id=scope.namespace.id, name="x")
    with pytest.raises(IntegrityError), transaction.atomic():
        crossing.save()


def test_every_table_is_walled_off() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relname = ANY(%s) AND relrowsecurity ORDER BY relname",
            [TABLES],
        )
        assert [name for (name,) in cursor.fetchall()] == TABLES
