"""Metadata and rule sets by row key: what a process has read before is not read again, since none changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection

from accord.model import NO_CONTRACT
from accord_server.kit.cache import BoundedMemory, memory_named
from registry.queries.rows import contract_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import Contract
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow

CONTRACTS: Final[BoundedMemory[Contract]] = memory_named("contracts")
BY_KEYS: Final = """
SELECT id, metadata::text, rule_set::text,
    coalesce(length(metadata::text), 0) + coalesce(length(rule_set::text), 0)
FROM registry_contract WHERE tenant_id = %s AND id = ANY(%s)
"""


def contracts_of(scope: Scope, rows: Iterable[HistoryRow]) -> dict[int | None, Contract]:
    """Return the contracts of versions by their row key, None among them: one statement at most.

    A version that was purged since it was read has none.
    """
    keys = {row.contract_key for row in rows} - {None}
    recalled = {key: CONTRACTS.recall((scope.tenant.id, key)) for key in keys}
    found = {key: known or NO_CONTRACT for key, known in recalled.items()}
    unknown = [key for key, known in recalled.items() if known is None]
    read = _read(scope, unknown) if unknown else {}
    return {None: NO_CONTRACT, **found, **read}


def contract_of_row(scope: Scope, row: HistoryRow | None) -> Contract:
    """Return the contract of one version; none where there is no version."""
    return NO_CONTRACT if row is None else contracts_of(scope, [row])[row.contract_key]


def _read(scope: Scope, keys: list[int | None]) -> dict[int | None, Contract]:
    tenant = scope.tenant.id
    found: dict[int | None, Contract] = {}
    with connection.cursor() as cursor:
        cursor.execute(BY_KEYS, [tenant, keys])
        for key, metadata, rule_set, characters in cursor.fetchall():
            found[key] = contract_of(metadata, rule_set)
            CONTRACTS.keep((tenant, key), found[key], weight=characters)
    return found
