"""The second wall, table by table: every one holds rows of two tenants, and raw SQL sees one or none.

The rows are committed and counted as the owner of the tables, so that a wall around nothing fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest
from django.db import Error, connection, transaction

from accord_server.kit import tenancy
from tenants.checks import walled_tables
from tests.tenants import filled
from tests.tenants.filled import OWNER_COLUMNS, but_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from tests.cast import Actor, ScopeFor
    from tests.tenants.filled import Owner

pytestmark = pytest.mark.django_db(transaction=True)

REFUSED = ("row-level security", "permission denied")


@pytest.fixture
def owner(alice: Actor, mallory: Actor, scope_for: ScopeFor) -> Iterator[Owner]:
    """Whom no wall stops, once both tenants have a row in every table."""
    for actor in (alice, mallory):
        filled.fill(actor, scope_for(actor))
    tenancy.deactivate()
    yield from filled.owner()


def run(statement: str, *values: str | UUID) -> int:
    """Run a statement as the application's role; return the number it counts or touches."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.fetchone()[0]) if cursor.description else int(cursor.rowcount)


def is_refused(statement: str, *values: str | UUID) -> bool:
    """Tell whether the database refuses, and for the tenant's sake."""
    try:
        run(statement, *values)
    except Error as refusal:
        return any(words in str(refusal) for words in REFUSED)
    return False


def seen(table: str) -> int:
    """Count all that is to be seen."""
    return run(f'SELECT count(*) FROM "{table}"')  # noqa: S608  # our own table names


def changes_nothing(statement: str, tenant: UUID) -> bool:
    """Tell whether a statement about a tenant's rows touches none."""
    try:
        return run(statement, tenant) == 0
    except Error as refusal:
        return "permission denied" in str(refusal)


def test_every_table_has_rows_to_hide(owner: Owner, alice: Actor, mallory: Actor) -> None:
    assert sorted(OWNER_COLUMNS) == walled_tables()
    for actor in (alice, mallory):
        assert but_for(lambda table, actor=actor: owner.count(table, actor.tenant.id) > 0) == []  # type: ignore[misc]  # bound at once


def test_without_a_tenant_no_row_is_seen(owner: Owner) -> None:
    assert but_for(lambda table: seen(table) == 0) == []


def test_a_tenant_sees_its_own_rows_and_no_other(owner: Owner, alice: Actor) -> None:
    tenancy.activate(alice.tenant.id)
    assert but_for(lambda table: seen(table) == owner.count(table, alice.tenant.id)) == []


def test_no_row_is_stored_for_another_tenant(owner: Owner, alice: Actor, mallory: Actor) -> None:
    def is_kept_out(table: str) -> bool:
        statement = f'INSERT INTO "{table}" SELECT * FROM jsonb_populate_record(null::"{table}", %s::jsonb)'  # noqa: S608  # our own table names
        return is_refused(statement, owner.row(table, alice.tenant.id))

    tenancy.activate(mallory.tenant.id)
    assert but_for(is_kept_out) == []
    tenancy.deactivate()
    assert but_for(is_kept_out) == []


def test_no_row_is_given_to_another_tenant(owner: Owner, alice: Actor, mallory: Actor) -> None:
    def is_kept(table: str) -> bool:
        return is_refused(f'UPDATE "{table}" SET {OWNER_COLUMNS[table]} = %s', alice.tenant.id)  # noqa: S608  # our own table names

    tenancy.activate(mallory.tenant.id)
    assert but_for(is_kept) == []


def test_no_row_of_another_tenant_is_changed_or_removed(owner: Owner, alice: Actor, mallory: Actor) -> None:
    def is_unhurt(table: str) -> bool:
        column = OWNER_COLUMNS[table]
        before = owner.row(table, alice.tenant.id), owner.count(table, alice.tenant.id)
        update = f'UPDATE "{table}" SET {column} = {column} WHERE {column} = %s'  # noqa: S608  # our own table names
        delete = f'DELETE FROM "{table}" WHERE {column} = %s'  # noqa: S608  # as above
        is_untouched = all(changes_nothing(one, alice.tenant.id) for one in (update, delete))
        return is_untouched and before == (
            owner.row(table, alice.tenant.id),
            owner.count(table, alice.tenant.id),
        )

    tenancy.activate(mallory.tenant.id)
    assert but_for(is_unhurt) == []


def test_not_even_the_owner_can_refer_across_tenants(owner: Owner, alice: Actor, mallory: Actor) -> None:
    statement = (
        "INSERT INTO tenants_rolebinding (tenant_id, member_id, role, subjects, created_at, created_by)"
        " SELECT %s, id, 'admin', '*', now(), 'x' FROM tenants_member WHERE tenant_id = %s"
    )
    with pytest.raises(psycopg.errors.ForeignKeyViolation, match="member_tenant_fk"):
        owner.execute(statement, alice.tenant.id, mallory.tenant.id)


# Everything that holds a tenant's rows under whatever name: tables, the parts of one, views.
WITH_TENANT = """
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND a.attname = 'tenant_id' AND NOT a.attisdropped ORDER BY 1
"""
# Keys between tables of tenants whose columns do not lead from tenant to tenant: row-level security does not
# look at them, so the key itself has to.
LOOSE_KEYS = """
    SELECT k.conname FROM pg_constraint k
    JOIN pg_attribute one ON one.attrelid = k.conrelid AND one.attname = 'tenant_id'
    JOIN pg_attribute other ON other.attrelid = k.confrelid AND other.attname = 'tenant_id'
    WHERE k.contype = 'f' AND NOT EXISTS (
        SELECT 1 FROM unnest(k.conkey, k.confkey) AS pair (mine, theirs)
        WHERE pair.mine = one.attnum AND pair.theirs = other.attnum
    ) ORDER BY 1
"""


def column(statement: str) -> list[str]:
    """Return the first column of what a statement finds."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [str(row[0]) for row in cursor.fetchall()]


def sees_nothing(table: str, tenant: UUID) -> bool:
    """Tell whether of a tenant's rows none is seen, or the table cannot even be asked."""
    try:
        return run(f'SELECT count(*) FROM "{table}" WHERE tenant_id = %s', tenant) == 0  # noqa: S608  # a name of the catalogue
    except Error as refusal:
        return "permission denied" in str(refusal)


def test_no_part_of_a_table_and_no_view_is_a_way_around(owner: Owner, alice: Actor, mallory: Actor) -> None:
    tables = column(WITH_TENANT)
    assert set(tables) > {table for table, name in OWNER_COLUMNS.items() if name == "tenant_id"}
    tenancy.deactivate()
    assert [one for one in tables if not sees_nothing(one, alice.tenant.id)] == []
    tenancy.activate(mallory.tenant.id)
    assert [one for one in tables if not sees_nothing(one, alice.tenant.id)] == []


def test_every_key_between_tables_of_tenants_holds_the_tenant(db: None) -> None:
    assert column(LOOSE_KEYS) == []


# What is unique beyond a tenant, and not within a thing of one: whoever meets it learns that another has it.
WIDE_INDEXES = """
    SELECT t.relname || ' ' || (
        SELECT string_agg(a.attname, ', ' ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = t.oid AND a.attnum = ANY (i.indkey)
    ) FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
    JOIN pg_attribute one ON one.attrelid = t.oid AND one.attname = 'tenant_id'
    WHERE i.indisunique AND t.relkind IN ('r', 'p') AND NOT t.relispartition
    AND NOT one.attnum = ANY (i.indkey) AND NOT EXISTS (
        SELECT 1 FROM pg_constraint k, unnest(k.conkey) AS led (number)
        WHERE k.contype = 'f' AND k.conrelid = t.oid AND one.attnum = ANY (k.conkey)
        AND led.number = ANY (i.indkey) AND led.number <> one.attnum
    ) ORDER BY 1
"""
# Numbers and secrets that the database or we make up; nobody can choose one that is taken.
MADE_UP = {"id", "id, at", "public_id", "key_id", "digest", "record_id"}


def test_nothing_that_a_caller_chooses_is_unique_beyond_a_tenant(db: None) -> None:
    found = {one for one in column(WIDE_INDEXES) if one.partition(" ")[2] not in MADE_UP}
    assert found == set()
