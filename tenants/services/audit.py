"""Writing the audit log: with the change, or after the refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from accord_server.kit import tenancy
from accord_server.kit.scope import PrincipalKind
from tenants.callers import clean_address, clean_text
from tenants.errors import RightMissing
from tenants.models import LONGEST_KEY, REQUEST_ID_LENGTH, AuditRecord
from tenants.records import AuditEntry
from tenants.tokens import without_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord_server.kit.errors import Denial
    from accord_server.kit.scope import Scope

DENIED: Final = "denied"
AUTHENTICATE: Final = "authenticate"
LONGEST_OBJECT: Final = 4096


def record_audit(scope: Scope, *, entry: AuditEntry) -> None:
    """Note who did what; call it inside the transaction of the change, with the tenant active."""
    record_audits(scope, [entry])


def record_audits(scope: Scope, entries: Iterable[AuditEntry]) -> None:
    """Note many things that somebody did, as `record_audit` does one: one statement."""
    caller = _caller(scope)
    AuditRecord.objects.scoped(scope).bulk_create(
        AuditRecord(tenant_id=scope.tenant.id, **caller, **_what(entry)) for entry in entries
    )


def record_denial(denial: Denial) -> None:
    """Note a refused call of a known caller, in a transaction of its own.

    Calls without a genuine token leave no row: anybody could fill a tenant's log with them.
    """
    scope = denial.scope or getattr(denial.error, "caller", None)
    if scope is None or scope.principal.kind is PrincipalKind.ANONYMOUS:
        return
    error = denial.error
    entry = AuditEntry(
        action=error.right if isinstance(error, RightMissing) else AUTHENTICATE,
        object_kind=denial.method.lower() or "call",
        object_name=denial.path,
        outcome=DENIED,
    )
    where = {"request_id": _request_id(denial.request_id), "address": clean_address(denial.address)}
    with tenancy.tenant_context(scope.tenant.id), transaction.atomic():
        AuditRecord.objects.insert(scope, **{**_caller(scope), **where}, **_what(entry))


def _caller(scope: Scope) -> dict[str, Any]:
    return {
        "actor_kind": scope.principal.kind,
        "actor": clean_text(scope.principal.key, LONGEST_KEY),
        "token_key_id": scope.token_key or "",
        "token_slot": scope.token_slot,
        "namespace_id": scope.namespace.id if scope.namespace else None,
        "address": clean_address(scope.address),
        "request_id": _request_id(scope.request_id),
    }


def _request_id(text: str) -> str:
    return clean_text(text, REQUEST_ID_LENGTH)


def _what(entry: AuditEntry) -> dict[str, Any]:
    return {
        "action": entry.action,
        "object_kind": clean_text(entry.object_kind, 40),
        "object_name": clean_text(without_tokens(entry.object_name), LONGEST_OBJECT),
        "outcome": entry.outcome,
        "before": entry.before,
        "after": entry.after,
    }
