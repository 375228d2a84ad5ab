"""The second wall: what the application's role can do with raw SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, ProgrammingError, connection, models, transaction

from accord_server.kit import tenancy
from accord_server.kit.tenant_queries import UnscopedAccess
from tenants.models import AuditRecord, Member, Namespace, RoleBinding, Tenant, Token
from tenants.principals import operator_scope
from tests.cast import issued_for
from tests.tenants.filled import OWNED

if TYPE_CHECKING:
    from tests.cast import Actor


def count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608  # our own table names
        return int(cursor.fetchone()[0])


def run(statement: str, values: list[Any] | None = None) -> int:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def test_tests_run_as_a_role_that_owns_and_bypasses_nothing(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == (False,)
        cursor.execute("SELECT count(*) FROM pg_tables WHERE tableowner = current_user")
        assert cursor.fetchone() == (0,)


def test_a_tenant_sees_itself_alone(alice: Actor, mallory: Actor) -> None:
    tenancy.activate(mallory.tenant.id)

    assert list(Tenant.objects.values_list("slug", flat=True)) == ["south"]
    everybody = Member.objects.unscoped("the wall is under test")
    assert [member.tenant_id for member in everybody] == [mallory.tenant.id]


def test_a_row_for_another_tenant_is_refused(alice: Actor, mallory: Actor) -> None:
    tenancy.activate(mallory.tenant.id)

    with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
        Namespace.objects.insert(operator_scope(alice.tenant.ref), slug="trojan", name="Trojan")


def test_own_rows_cannot_move_to_another_tenant(alice: Actor, mallory: Actor) -> None:
    tenancy.activate(mallory.tenant.id)

    with pytest.raises(ProgrammingError, match="row-level security"):
        run("UPDATE tenants_namespace SET tenant_id = %s", [str(alice.tenant.id)])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tenants_auditrecord SET actor = 'nobody'",
        "DELETE FROM tenants_auditrecord",
        "TRUNCATE tenants_auditrecord",
        "ALTER TABLE tenants_auditrecord DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE tenants_token ADD COLUMN clear_text text",
        "DROP POLICY accord_tenant ON tenants_token",
        "DROP TABLE tenants_token",
        "CREATE TABLE mine (id int)",
        "SET ROLE accord_owner",
        "CREATE OR REPLACE FUNCTION resolve_token(wanted text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    ],
)
def test_the_application_cannot_rewrite_history_or_tables(alice: Actor, statement: str) -> None:
    tenancy.activate(alice.tenant.id)
    before = AuditRecord.objects.unscoped("the wall is under test").count()

    with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"):
        run(statement)
    assert AuditRecord.objects.unscoped("the wall is under test").count() == before > 0


@pytest.mark.parametrize("model", OWNED, ids=lambda model: model._meta.label)
def test_the_manager_refuses_to_forget_the_tenant(model: type[models.Model]) -> None:
    for forgetful in ("all", "count", "first", "get_queryset"):
        with pytest.raises(UnscopedAccess):
            getattr(model._meta.managers_map["objects"], forgetful)()


def test_a_row_cannot_refer_to_another_tenant(alice: Actor, mallory: Actor) -> None:
    tenancy.activate(mallory.tenant.id)
    member = Member.objects.scoped(operator_scope(mallory.tenant.ref)).get()
    tenancy.activate(alice.tenant.id)

    # The row itself is Alice's own, so row-level security lets it pass; the composite key does not.
    with pytest.raises(IntegrityError, match="tenants_rolebinding_member_tenant_fk"), transaction.atomic():
        RoleBinding.objects.insert(
            operator_scope(alice.tenant.ref), member_id=member.pk, role="admin", created_by="x"
        )


@pytest.mark.parametrize("table", ["tenants_token", "tenants_tokensecret"])
def test_one_key_id_asked_for_gives_one_token(alice: Actor, mallory: Actor, table: str) -> None:
    issued, _ = issued_for(alice), issued_for(mallory)
    tenancy.deactivate()

    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_slug FROM resolve_token(%s)", [issued.record.key_id])
        assert cursor.fetchall() == [("north",)]
        cursor.execute("SELECT tenant_slug FROM resolve_token('%%')")
        assert cursor.fetchall() == []
    assert count(table) == 0
    assert Token.objects.unscoped("the wall is under test").count() == 0
