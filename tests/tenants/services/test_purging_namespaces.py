"""The end of a namespace: gone to the last row when its grace is over, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import psycopg
import pytest
from django.db import ProgrammingError, connection, transaction
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.models import Outbox
from accord_server.kit.scope import NamespaceRef
from accord_server.kit.sole import alone_with
from registry.services.collecting import collect_unused
from tenants import tasks
from tenants.errors import NamespaceGoing, NamespaceNotFound
from tenants.models import AuditRecord, Namespace, RoleBinding, Tenant
from tenants.owned import namespace_chains
from tenants.principals import operator_scope
from tenants.queries import namespace_of
from tenants.queries.quotas import in_use
from tenants.services import (
    bind_role,
    create_namespace,
    delete_namespace,
    purging_namespaces,
    quotas,
    restore_namespace,
    suspend_tenant,
)
from tenants.services.invitations import Invite, WantedBinding, accept_invitation, invite
from tests import factories
from tests.registry.client import record
from tests.registry.texts import register
from tests.tenants import filled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor
    from tests.tenants.filled import Owner

pytestmark = pytest.mark.django_db(transaction=True)


def purge(**limits: float) -> int:
    return purging_namespaces.purge_namespaces(**limits)  # type: ignore[arg-type]  # as the signature says


def age(scope: Scope, slug: str, *, days: int = 31) -> None:
    """Let time pass since it was deleted."""
    with tenancy.tenant_context(scope.tenant.id):
        rows = Namespace.objects.scoped(scope).filter(slug=slug)
        rows.update(deleted_at=timezone.now() - timedelta(days=days))


@pytest.fixture
def boss(alice: Actor) -> Scope:
    return operator_scope(alice.tenant.ref)


@pytest.fixture
def pay(boss: Scope) -> Scope:
    """A namespace with something of its own, and something that the tenant has elsewhere too."""
    made = create_namespace(boss, slug="pay", template=None)
    return replace(boss, namespace=NamespaceRef(made.id, "pay"))


@pytest.fixture
def owner(db: None) -> Iterator[Owner]:
    yield from filled.owner()


def rows_of(owner: Owner, namespace: UUID) -> dict[str, int]:
    """Count the rows of a namespace by table."""
    found: dict[str, int] = {}
    for chain in namespace_chains():
        condition = f"{chain.columns[-1]} = %s"
        for table, column in zip(chain.tables[:0:-1], chain.columns[-2::-1], strict=True):
            condition = f"{column} IN (SELECT id FROM {table} WHERE {condition})"  # noqa: S608  # tables of ours
        table = chain.tables[0]
        counted = owner.number(f"SELECT count(*) FROM {table} WHERE {condition}", namespace)  # noqa: S608  # as above
        found[table] = found.get(table, 0) + counted
    return found


def test_the_last_row_goes_and_no_other_namespace_loses_any(
    owner: Owner, alice: Actor, scope_for: ScopeFor, boss: Scope, pay: Scope
) -> None:
    here = scope_for(alice)
    filled.fill(alice, here)
    # The very same things again, in a namespace that is to go.
    filled.fill_namespace(replace(here, namespace=pay.namespace))
    bind_role(boss, principal=alice.key, role="editor", namespace_slug="pay")
    assert [table for table, n in rows_of(owner, namespace_of(pay).id).items() if not n] == []
    others = rows_of(owner, namespace_of(here).id)
    delete_namespace(pay, confirmed="pay", expected=None)
    age(boss, "pay")
    runs = 1
    # Three rows at a time, and cut after the first batch of most runs, as by a kill.
    while not purge(batch=3, seconds=0.05):
        runs += 1
        with pytest.raises(NamespaceGoing):
            restore_namespace(boss, slug="pay")
    assert runs > 1
    assert set(rows_of(owner, namespace_of(pay).id).values()) == {0}
    assert rows_of(owner, namespace_of(here).id) == others
    assert create_namespace(boss, slug="pay", template=None).id != namespace_of(pay).id


def test_while_it_is_kept_nothing_is_removed(boss: Scope, pay: Scope) -> None:
    delete_namespace(pay, confirmed="pay", expected=None)
    age(boss, "pay", days=29)
    assert purge() == 0
    assert restore_namespace(boss, slug="pay").deleted_at is None
    assert purge() == 0


def test_nothing_goes_while_the_tenant_is_suspended_or_somebody_is_at_it(boss: Scope, pay: Scope) -> None:
    delete_namespace(pay, confirmed="pay", expected=None)
    age(boss, "pay")
    suspend_tenant(boss)
    assert purge() == 0
    with tenancy.tenant_context(boss.tenant.id):
        Tenant.objects.update(state="active")
    with psycopg.connect(**filled.owner_address(), autocommit=True) as other:
        work = f"purge namespaces of {boss.tenant.id}"
        other.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [work])
        assert purge() == 0
        # Not left to the end of the connection, which the server notices some time later.
        other.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [work])
    with alone_with(work) as is_mine:
        assert is_mine
    assert tasks.purge_deleted() == 1


def test_what_it_used_is_given_back_and_what_others_use_stays(
    boss: Scope, pay: Scope, alice: Actor, scope_for: ScopeFor
) -> None:
    here = scope_for(alice)
    with tenancy.tenant_context(boss.tenant.id):
        quotas.fold_tenant(boss)
        empty = in_use(boss)
        register(here, "s", record("shared", name="Shared"))
        before = in_use(boss)
        register(pay, "s", record("shared", name="Shared"))
        register(pay, "own", record("own", name="Own"))
    assert before != empty
    delete_namespace(pay, confirmed="pay", expected=None)
    age(boss, "pay")
    assert purge() == 1
    with tenancy.tenant_context(boss.tenant.id):
        assert collect_unused(boss).contents == 1
        assert in_use(boss) == {**before, "namespaces": before["namespaces"] - 1}
        assert quotas.recount_usage(boss) == []


def test_when_the_time_is_up_no_other_namespace_is_begun(boss: Scope, pay: Scope) -> None:
    made = create_namespace(boss, slug="second", template=None)
    second = replace(boss, namespace=NamespaceRef(made.id, "second"))
    for scope, slug in ((pay, "pay"), (second, "second")):
        delete_namespace(scope, confirmed=slug, expected=None)
        age(boss, slug)
    assert purge(seconds=-1) <= 1
    with tenancy.tenant_context(boss.tenant.id):
        left = Namespace.objects.scoped(boss).filter(deleted_at__isnull=False, purge_begun_at=None)
        assert left.count() == 1


def test_an_invitation_to_it_opens_no_other_that_has_its_name(boss: Scope, pay: Scope) -> None:
    there = WantedBinding("viewer", "default"), WantedBinding("viewer", "pay")
    sent = invite(boss, command=Invite(email="erin@example.org", bindings=there))
    delete_namespace(pay, confirmed="pay", expected=None)
    age(boss, "pay")
    assert purge() == 1
    create_namespace(boss, slug="pay", template=None)
    accept_invitation(value=sent.value, username="erin", password=factories.PASSWORD)
    with tenancy.tenant_context(boss.tenant.id):
        held = RoleBinding.objects.scoped(boss).filter(member__user__username="erin")
        assert [one.namespace.slug for one in held] == ["default"]


def test_it_is_in_the_log_and_roles_there_are_gone(boss: Scope, pay: Scope, bob: Actor) -> None:
    bind_role(boss, principal=bob.key, role="editor", namespace_slug="pay")
    delete_namespace(pay, confirmed="pay", expected=None)
    age(boss, "pay")
    assert purge() == 1
    there = Namespace(id=namespace_of(pay).id)
    with tenancy.tenant_context(boss.tenant.id):
        told = AuditRecord.objects.scoped(boss).filter(object_kind="namespace").order_by("id")
        assert [row.action for row in told][-3:] == [
            "namespace.delete",
            "namespace.purge",
            "namespace.purged",
        ]
        assert not bob.user.has_perm("tenants.subject.write", there)
        assert not Outbox.objects.scoped(boss).filter(namespace_id=there.id).exists()
    with pytest.raises(NamespaceNotFound):
        restore_namespace(boss, slug="pay")


def test_one_that_was_restored_a_moment_ago_stays(boss: Scope, pay: Scope) -> None:
    assert not purging_namespaces.begin_end(boss, namespace_of(pay).id)


@pytest.mark.parametrize(
    ("tables", "columns", "says"),
    [
        (["tenants_auditrecord"], ["namespace_id"], "has no rows of namespaces"),
        (["auth_user"], ["namespace_id"], "has no rows of namespaces"),
        (["registry_subject"], ["id"], "has no rows of namespaces"),
        (["tenants_token", "registry_subject"], ["member_id", "namespace_id"], "does not refer to"),
        (["registry_subject"], ["namespace_id"], "is not being purged"),
    ],
)
def test_the_database_removes_rows_only_of_a_namespace_whose_end_has_begun(
    boss: Scope, pay: Scope, tables: list[str], columns: list[str], says: str
) -> None:
    tenancy.activate(boss.tenant.id)
    with transaction.atomic(), connection.cursor() as cursor:
        if "purged" not in says:
            cursor.execute("UPDATE tenants_namespace SET purge_begun_at = now(), deleted_at = now()")
        with pytest.raises(ProgrammingError, match=says), transaction.atomic():
            cursor.execute(
                "SELECT accord_purge_namespace_rows(%s, %s, %s, %s, false, 1)",
                [boss.tenant.id, namespace_of(pay).id, tables, columns],
            )


def test_its_end_is_not_taken_back(boss: Scope, pay: Scope) -> None:
    tenancy.activate(boss.tenant.id)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE tenants_namespace SET purge_begun_at = now(), deleted_at = now()")
        with pytest.raises(ProgrammingError, match="cannot be taken back"), transaction.atomic():
            cursor.execute("UPDATE tenants_namespace SET purge_begun_at = NULL")
