"""Collecting what nothing uses any more: texts and contracts, sets, then files and what is noted of them.

Whoever uses a row locks it until that is committed. So a row is locked here first, those that somebody else
holds being passed over, and only then, in a statement of its own that sees all that was committed meanwhile,
it is asked again whether it is used. What an upload finds gone it stores anew; foreign keys stand behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db import connection, transaction

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope

BATCH: Final = 1_000
UNUSED_SET: Final = """
NOT EXISTS (SELECT FROM registry_moduleversion AS version WHERE version.set_id = held.id)
AND NOT EXISTS (SELECT FROM registry_schema AS schema WHERE schema.descriptor_set_id = held.id)
"""
UNUSED_FILE: Final = (
    "NOT EXISTS (SELECT FROM registry_descriptorsetentry AS entry WHERE entry.file_id = held.id)"
)
UNUSED_NOTE: Final = (
    "NOT EXISTS (SELECT FROM registry_descriptorsetentry AS entry WHERE entry.note_id = held.id)"
)
UNUSED_CONTENT: Final = "NOT EXISTS (SELECT FROM registry_schema AS schema WHERE schema.content_id = held.id)"
UNUSED_CONTRACT: Final = (
    "NOT EXISTS (SELECT FROM registry_schema AS schema WHERE schema.contract_id = held.id)"
)
HOLD: Final = """
SELECT held.id FROM {table} AS held WHERE held.tenant_id = %s AND {unused}
ORDER BY held.id LIMIT %s FOR UPDATE SKIP LOCKED
"""
STILL: Final = (
    "SELECT held.id FROM {table} AS held WHERE held.tenant_id = %s AND held.id = ANY(%s) AND {unused}"
)
ENTRIES: Final = "DELETE FROM registry_descriptorsetentry WHERE tenant_id = %s AND set_id = ANY(%s)"
REMOVE: Final = "DELETE FROM {table} WHERE tenant_id = %s AND id = ANY(%s)"
TENANTS: Final = "SELECT registry_tenants_with_unused_rows()"


class Collected(NamedTuple):
    """How many rows went."""

    sets: int
    files: int
    notes: int
    contents: int = 0
    contracts: int = 0


def collect_unused(scope: Scope) -> Collected:
    """Remove what of the tenant nothing uses, some thousand rows at a time."""
    return Collected(
        _collected(scope, "registry_descriptorset", UNUSED_SET, before=ENTRIES),
        _collected(scope, "registry_protofile", UNUSED_FILE),
        _collected(scope, "registry_protonote", UNUSED_NOTE),
        _collected(scope, "registry_content", UNUSED_CONTENT),
        _collected(scope, "registry_contract", UNUSED_CONTRACT),
    )


def tenants_with_unused_rows() -> list[UUID]:
    """Return the tenants that have something to collect."""
    return [tenant for (tenant,) in _rows(TENANTS)]


def _collected(scope: Scope, table: str, unused: str, *, before: str | None = None) -> int:
    """Remove the unused rows of a table, in transactions of their own; ``before`` is done for them first."""
    removed = 0
    while True:
        with transaction.atomic():
            held = [key for (key,) in _rows(HOLD.format(table=table, unused=unused), scope.tenant.id, BATCH)]
            found = [key for (key,) in _rows(STILL.format(table=table, unused=unused), scope.tenant.id, held)]
            for statement in (before, REMOVE.format(table=table)):
                if statement is not None:
                    _run(statement, scope.tenant.id, found)
        removed += len(found)
        if len(held) < BATCH or not found:
            return removed


def _rows(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _run(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
