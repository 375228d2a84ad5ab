"""The end of a tenant: it looks missing at once, can be brought back, and is gone to the last row later."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, transaction
from django.test import Client
from django.utils import timezone

from accord_server.celery import SCHEDULE
from accord_server.kit import tenancy
from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.models import KeptAnswer
from tenants import tasks
from tenants.checks import walled_tables
from tenants.errors import NotConfirmed, RightMissing, SlugTaken, TenantGoing, TenantNotDeleted
from tenants.models import AuditSeal, PurgedTenant, Tenant
from tenants.owned import owned_models
from tenants.principals import operator_scope
from tenants.queries import resolve_place, tenants_of
from tenants.services import create_tenant, delete_tenant, purging, restore_tenant, suspend_tenant
from tests.cast import bearer, issued_for
from tests.tenants import filled
from tests.tenants.filled import OWNER_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cast import Actor, ScopeFor
    from tests.tenants.filled import Owner

pytestmark = pytest.mark.django_db(transaction=True)

WITH_TENANT = """
SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = 'public'::regnamespace AND attname = 'tenant_id' AND NOT relispartition
    AND relkind IN ('r', 'p')
"""


def delete(actor: Actor) -> None:
    delete_tenant(operator_scope(actor.tenant.ref), confirmed=actor.tenant.slug)


def age(actor: Actor, *, days: int = 31) -> None:
    """Let time pass since it was deleted."""
    with tenancy.tenant_context(actor.tenant.id):
        Tenant.objects.update(deleted_at=timezone.now() - timedelta(days=days))


def purge(**limits: float) -> int:
    return purging.purge_tenants(**limits)  # type: ignore[arg-type]  # as the signature says


@pytest.fixture
def owner(alice: Actor, mallory: Actor, scope_for: ScopeFor) -> Iterator[Owner]:
    """Who sees all rows, once both tenants have some in every table."""
    for actor in (alice, mallory):
        filled.fill(actor, scope_for(actor))
    tenancy.deactivate()
    yield from filled.owner()


def test_a_deleted_tenant_looks_missing_until_it_is_restored(alice: Actor) -> None:
    headers = {"Authorization": bearer(issued_for(alice).value)}
    addresses = ("/sr/north/default/subjects", "/api/v1/tenants/north")
    steps: dict[str, Callable[[], object]] = {
        "before": lambda: None,
        "suspended": lambda: suspend_tenant(operator_scope(alice.tenant.ref)),
        "deleted": lambda: delete(alice),
        "restored": lambda: restore_tenant(slug="north"),
    }
    told = {}
    for name, step in steps.items():
        step()
        told[name] = [Client().get(path, headers=headers).status_code for path in addresses]
        is_there = resolve_place("north", None) is not None
        assert is_there == (name != "deleted")
    # The token of a tenant that is not there is unknown, whatever state the tenant was in.
    assert told == {"before": [200, 200], "suspended": [403] * 2, "deleted": [401] * 2, "restored": [403] * 2}


def test_its_people_have_it_in_no_list_and_its_name_stays_taken(alice: Actor) -> None:
    delete(alice)
    assert tenants_of(alice.user) == ()
    client = Client()
    client.force_login(alice.user)
    assert client.get("/t/north/").status_code == 404
    with pytest.raises(SlugTaken):
        create_tenant(slug="north", template=None)


def test_only_an_operator_deletes_it_and_only_by_its_name(alice: Actor, scope_for: ScopeFor) -> None:
    with pytest.raises(RightMissing):
        delete_tenant(scope_for(alice), confirmed="north")
    with pytest.raises(NotConfirmed):
        delete_tenant(operator_scope(alice.tenant.ref), confirmed="south")


def test_nothing_is_done_for_a_deleted_tenant_but_sealing_its_log(alice: Actor) -> None:
    assert tenants_from("accord_active_tenants") == [alice.tenant.id]
    delete(alice)
    question = "accord_tenants_with_unsealed_audit"
    assert (tenants_from(question), tenants_from(question, are_deleted=True)) == ([], [alice.tenant.id])


def test_while_it_is_kept_nothing_is_removed(alice: Actor) -> None:
    delete(alice)
    age(alice, days=29)
    assert purge() == 0
    assert restore_tenant(slug="north").state == "active"
    age(alice)
    with tenancy.tenant_context(alice.tenant.id):
        Tenant.objects.update(deleted_at=None)
    assert purge() == 0
    with pytest.raises(TenantNotDeleted):
        restore_tenant(slug="north")


def test_every_table_that_holds_rows_of_tenants_is_known(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(WITH_TENANT)
        found = {table for (table,) in cursor.fetchall()}
    known = {model._meta.db_table for model in owned_models()}
    assert found - known == {PurgedTenant._meta.db_table}
    assert known | {Tenant._meta.db_table} == set(walled_tables())


def test_the_last_row_goes_and_no_other_tenant_loses_any(owner: Owner, alice: Actor, mallory: Actor) -> None:
    before = {table: owner.count(table, mallory.tenant.id) for table in OWNER_COLUMNS}
    assert min(before.values()) > 0
    delete(alice)
    age(alice)
    # Two rows at a time, and cut after the first batch of each run, as by a kill.
    runs = 1
    while not purge(batch=2, seconds=0.05):
        runs += 1
        with pytest.raises(TenantGoing):
            restore_tenant(slug="north")
    assert runs > 1
    assert {table for table in OWNER_COLUMNS if owner.count(table, alice.tenant.id)} == set()
    assert {table: owner.count(table, mallory.tenant.id) for table in OWNER_COLUMNS} == before
    assert [one.slug for one in PurgedTenant.objects.exclude(ended_at=None)] == ["north"]
    assert purge() == 0
    assert create_tenant(slug="north", template=None).id != alice.tenant.id


def test_where_its_log_ended_is_kept(alice: Actor, mallory: Actor) -> None:
    delete(alice)
    age(alice)
    with tenancy.tenant_context(alice.tenant.id):
        assert purging.begin_end(alice.tenant.id)
        assert purging.begin_end(alice.tenant.id)
        last = AuditSeal.objects.scoped(operator_scope(alice.tenant.ref)).latest("number")
    kept = PurgedTenant.objects.get()
    assert (kept.last_seal, bytes(kept.last_digest)) == (last.number, bytes(last.digest))
    assert kept.audit_records == len(last.ids)
    held = []
    for actor in (alice, mallory):
        with tenancy.tenant_context(actor.tenant.id):
            held.append(actor.user.has_perm("tenants.tenant.manage", Tenant(id=actor.tenant.id)))
    assert held == [False, True]


def test_a_row_that_comes_at_the_last_moment_is_left_to_the_next_run(alice: Actor) -> None:
    delete(alice)
    age(alice)
    with tenancy.tenant_context(alice.tenant.id):
        assert purging.begin_end(alice.tenant.id)
        assert not purging.end(alice.tenant.id)
        late = {"status": 200, "headers": {}, "body": "", "digest": b"", "principal": "p", "key": "k"}
        KeptAnswer.objects.insert(operator_scope(alice.tenant.ref), **late)
    assert purge() == 1


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("SELECT accord_purge_rows('{id}', 'tenants_auditrecord', false, 1)", "is not being purged"),
        ("SELECT accord_purge_rows('{id}', 'auth_user', false, 1)", "has no rows of tenants"),
        ("UPDATE tenants_tenant SET purge_begun_at = NULL", "cannot be taken back"),
        ("UPDATE tenants_tenant SET deleted_at = NULL", "cannot be taken back"),
    ],
)
def test_the_database_removes_rows_only_of_a_tenant_whose_end_has_begun(
    alice: Actor, statement: str, says: str
) -> None:
    tenancy.activate(alice.tenant.id)
    with transaction.atomic(), connection.cursor() as cursor:
        if "auth_user" in statement or "NULL" in statement:
            cursor.execute("UPDATE tenants_tenant SET purge_begun_at = now(), deleted_at = now()")
        with pytest.raises(ProgrammingError, match=says), transaction.atomic():
            cursor.execute(statement.replace("{id}", str(alice.tenant.id)))


def test_operators_delete_and_restore_on_the_command_line_and_beat_purges(alice: Actor) -> None:
    said = StringIO()
    call_command("delete_tenant", "north", "--confirm", "north", stdout=said)
    call_command("restore_tenant", "north", stdout=said)
    assert "kept until" in said.getvalue()
    assert said.getvalue().endswith("tenant north is active\n")
    for command in (("delete_tenant", "north", "--confirm", "south"), ("restore_tenant", "north")):
        with pytest.raises(CommandError):
            call_command(*command, stdout=said)
    assert tasks.purge_deleted() == 0
    assert {row.task: row.seconds for row in SCHEDULE}["tenants.purge_deleted"] <= 3600
