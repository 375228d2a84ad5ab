"""Switching kinds of deletion off and on, for a tenant or for one of its namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.utils import timezone

from accord_server.kit import outbox
from accord_server.kit.edit_errors import Changed
from registry.models import DeletionRule
from registry.queries.deletion_rules import switches
from registry.services.events import DELETION_RULES_CHANGED
from tenants.access import require, require_everywhere
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.life_records import DeletionSwitches

TURN = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


def set_deletion_rules(
    scope: Scope, *, forbids_soft: bool, forbids_permanent: bool, expected: int | None
) -> DeletionSwitches:
    """Say what may not be deleted in the namespace of the scope, or without one in all of the tenant.

    Raises:
        RightMissing: ``namespace.manage`` is missing, or ``tenant.manage``.
        Changed: The rules are at another revision than ``expected``.
    """
    if scope.namespace is None:
        require_everywhere(scope, "tenant.manage")
    else:
        require(scope, "namespace.manage")
    values = {"forbids_soft": forbids_soft, "forbids_permanent": forbids_permanent}
    with transaction.atomic():
        _await_turn(scope)
        now = switches(scope)
        if expected not in {None, now.revision}:
            raise Changed("What may be deleted", now.revision)
        before = {"forbids_soft": now.forbids_soft, "forbids_permanent": now.forbids_permanent}
        if before == values:
            return now
        _store(scope, now, values)
        _leave_traces(scope, before=before, after=values)
        return switches(scope)


def _await_turn(scope: Scope) -> None:
    """Let one change the rules of a tenant after the other: a row that is not there cannot be locked."""
    with connection.cursor() as cursor:
        cursor.execute(TURN, [f"deletion-rules:{scope.tenant.id}"])


def _store(scope: Scope, now: DeletionSwitches, values: dict[str, Any]) -> None:
    namespace = None if scope.namespace is None else scope.namespace.id
    told = {**values, "changed_by": scope.principal.key, "changed_at": timezone.now()}
    told["revision"] = now.revision + 1
    if not DeletionRule.objects.scoped(scope).filter(namespace=namespace).update(**told):
        DeletionRule.objects.insert(scope, namespace_id=namespace, **told)


def _leave_traces(scope: Scope, *, before: dict[str, Any], after: dict[str, Any]) -> None:
    kind, name = "tenant", scope.tenant.slug
    if scope.namespace is not None:
        kind, name = "namespace", scope.namespace.slug
    outbox.emit(scope, DELETION_RULES_CHANGED, {kind: name, **after})
    record_audit(scope, entry=AuditEntry(DELETION_RULES_CHANGED, kind, name, before=before, after=after))
