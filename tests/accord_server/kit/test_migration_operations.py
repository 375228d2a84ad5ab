"""The migration steps: they do what they say, take it back, and can be written to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.db import connections
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import OperationWriter

from accord_server.kit.migration_operations import (
    EnableRowSecurity,
    FreezeRows,
    GrantTable,
    GrantTables,
    SecurityDefinerFunction,
    TenantForeignKey,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.plugin import DjangoDbBlocker

    from accord_server.kit.migration_operations import SqlOperation

ANSWER = SecurityDefinerFunction("kit_test_answer", arguments="", returns="integer", body="SELECT 42")
OPERATIONS = [
    EnableRowSecurity("Outbox"),
    TenantForeignKey("Delivery", "outbox"),
    ANSWER,
    GrantTables("sessions"),
    GrantTable("django_migrations", verbs="SELECT"),
    FreezeRows("Outbox"),
]
SHAPE = """
SELECT relname, relrowsecurity, relacl::text,
       (SELECT array_agg(conname || pg_get_constraintdef(oid) ORDER BY conname)
        FROM pg_constraint WHERE conrelid = c.oid)
FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1
"""


@pytest.fixture
def owner(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The owner's connection, inside a transaction that is taken back."""
    with django_db_blocker.unblock():
        connections["owner"].set_autocommit(False)
        yield
        connections["owner"].rollback()
        connections["owner"].set_autocommit(True)
        connections["owner"].close()


def run(operation: SqlOperation, direction: str) -> None:
    state = ProjectState.from_apps(apps)
    with connections["owner"].schema_editor(atomic=False) as editor:
        getattr(operation, f"database_{direction}")("kit", editor, state, state)


def shape() -> list[tuple[object, ...]]:
    with connections["owner"].cursor() as cursor:
        cursor.execute(SHAPE)
        return list(cursor.fetchall())


@pytest.mark.usefixtures("owner")
@pytest.mark.parametrize("operation", [OPERATIONS[0], OPERATIONS[1], OPERATIONS[3], OPERATIONS[4]], ids=repr)
def test_back_and_forth_changes_nothing(operation: SqlOperation) -> None:
    if isinstance(operation, EnableRowSecurity):
        run(OPERATIONS[1], "backwards")
    before = shape()
    run(operation, "backwards")
    assert shape() != before
    run(operation, "forwards")
    assert shape() == before


@pytest.mark.usefixtures("owner")
def test_a_definer_function_is_for_the_application_alone() -> None:
    run(ANSWER, "forwards")
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT kit_test_answer()")
        assert cursor.fetchone() == (42,)
        cursor.execute(
            "SELECT prosecdef, proconfig, proacl::text FROM pg_proc WHERE proname = 'kit_test_answer'"
        )
        is_definer, config, rights = cursor.fetchone()
    assert (is_definer, config) == (True, ["search_path=public, pg_temp"])
    assert "accord_app=X" in rights
    assert "{=X" not in rights


@pytest.mark.usefixtures("owner")
def test_a_definer_function_can_be_taken_back() -> None:
    run(ANSWER, "forwards")
    run(ANSWER, "backwards")
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_proc WHERE proname = 'kit_test_answer'")
        assert cursor.fetchone() == (0,)


@pytest.mark.usefixtures("owner")
def test_insert_only_rows_can_be_added_and_read() -> None:
    run(OPERATIONS[1], "backwards")
    run(EnableRowSecurity("Outbox"), "backwards")
    run(EnableRowSecurity("Outbox", is_insert_only=True), "forwards")
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT privilege_type FROM information_schema.role_table_grants"
            " WHERE grantee = 'accord_app' AND table_name = 'kit_outbox' ORDER BY 1"
        )
        assert [row[0] for row in cursor.fetchall()] == ["INSERT", "SELECT"]


@pytest.mark.usefixtures("owner")
def test_frozen_rows_can_be_locked_and_not_changed() -> None:
    def changeable() -> list[str]:
        with connections["owner"].cursor() as cursor:
            cursor.execute(
                "SELECT column_name FROM information_schema.column_privileges"
                " WHERE grantee = 'accord_app' AND table_name = 'kit_outbox' AND privilege_type = 'UPDATE'"
            )
            return [name for (name,) in cursor.fetchall()]

    before = changeable()
    run(FreezeRows("Outbox"), "forwards")
    assert changeable() == ["id"]
    run(FreezeRows("Outbox"), "backwards")
    assert sorted(changeable()) == sorted(before)
    assert FreezeRows("Outbox").migration_name_fragment == "freeze_outbox"


@pytest.mark.parametrize("operation", OPERATIONS, ids=repr)
def test_a_step_can_be_written_to_a_migration(operation: SqlOperation) -> None:
    text, imports = OperationWriter(operation, indentation=0).serialize()
    assert text.startswith(f"accord_server.kit.migration_operations.{type(operation).__name__}(")
    assert imports == {"import accord_server.kit.migration_operations"}
    assert operation.describe()
