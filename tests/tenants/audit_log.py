"""An audit log to try things on: records of a tenant, and whoever may change them behind its back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psycopg

from accord_server.kit import tenancy
from tenants.models import AuditRecord, AuditSeal
from tenants.queries.audit_verdicts import verify_audit
from tenants.records import AuditEntry
from tenants.services import record_audits
from tenants.services.audit_sealing import seal_waiting
from tests.tenants.filled import owner_address

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tenants.records import AuditVerdict

INSERT = (
    b"INSERT INTO tenants_auditrecord (tenant_id, at, actor_kind, actor, token_key_id, action, object_kind,"
    b" object_name, outcome, request_id) VALUES (%s, %s, 'person', 'person:eve', '', %s, 'thing', '',"
    b" 'allowed', '') RETURNING id"
)
LONG_AGO = datetime(2020, 2, 3, tzinfo=UTC)


def owner() -> psycopg.Connection:
    """Connect as the owner of the tables, whom nothing stops; changes count once they are committed."""
    return psycopg.connect(**owner_address())


def write(scope: Scope, *names: str) -> list[int]:
    """Add a record for each name, and return the ids of all records of the tenant."""
    tenancy.activate(scope.tenant.id)
    record_audits(scope, [AuditEntry("thing.write", "thing", name) for name in names])
    return ids(scope)


def write_behind(
    connection: psycopg.Connection, scope: Scope, action: str, at: datetime | None = None
) -> int:
    """Add a record by another transaction, which is left open."""
    values = (scope.tenant.id, at or datetime.now(UTC), action)
    found = connection.execute(INSERT, values).fetchone()
    assert found is not None
    return int(found[0])


def ids(scope: Scope) -> list[int]:
    tenancy.activate(scope.tenant.id)
    return list(AuditRecord.objects.scoped(scope).order_by("id").values_list("id", flat=True))


def sealed_ids(scope: Scope) -> list[int]:
    """Return the ids that seals hold, in the order of the chain."""
    tenancy.activate(scope.tenant.id)
    rows = AuditSeal.objects.scoped(scope).order_by("number").values_list("ids", flat=True)
    return [number for row in rows for number in row]


def sealed(scope: Scope, *names: str) -> list[int]:
    """Add records, have them sealed, and return the ids of all records of the tenant."""
    write(scope, *names)
    seal_waiting(scope)
    return ids(scope)


def verdict(scope: Scope, checkpoint: str = "") -> AuditVerdict:
    tenancy.activate(scope.tenant.id)
    return verify_audit(scope, checkpoint=checkpoint)


def change_behind(statement: str, *values: object) -> None:
    """Change something as the owner."""
    with owner() as connection:
        connection.execute(statement.encode(), values)
