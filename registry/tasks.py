"""Tasks of the registry: asynchronous checks, each worked on under its lease."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

from celery import current_app, shared_task
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.configuration import configured
from accord_server.kit.scope import NamespaceRef, Scope, TenantRef
from accord_server.kit.settings_table import CHECK_RETENTION_DAYS
from registry.queries.check_runs import (
    namespace_of_check,
    tenants_with_old_checks,
    waiting_checks,
    waiting_tenants,
)
from registry.services.check_runs import prune_checks, run_check
from tenants.principals import operator_scope

if TYPE_CHECKING:
    from datetime import datetime

    from accord_server.kit.outbox import Event

RUN_CHECK: Final = "registry.run_check"
QUEUE: Final = "checks"
SOFT_LIMIT_S: Final = 600
HARD_LIMIT_S: Final = 660


@shared_task(name=RUN_CHECK, soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def run_check_task(tenant_id: str, run_key: int) -> bool:
    """Work on one check, unless somebody else does."""
    with tenancy.tenant_context(UUID(tenant_id)):
        scope = _scope(UUID(tenant_id), run_key)
        return scope is not None and run_check(scope, run_key)


@shared_task(name="registry.resume_checks", soft_time_limit=60, time_limit=90)
def resume_checks() -> int:
    """Hand out the checks whose worker was lost, or whose task never arrived."""
    return sum(_resume(tenant_id) for tenant_id in waiting_tenants())


@shared_task(name="registry.prune_checks", soft_time_limit=120, time_limit=180)
def prune_old_checks() -> int:
    """Forget the checks that ended long ago."""
    before = timezone.now() - timedelta(days=configured(CHECK_RETENTION_DAYS))
    return sum(_prune(tenant_id, before) for tenant_id in tenants_with_old_checks(before))


def start_check(event: Event) -> None:
    """Hand out a check that was asked for: the handler of its topic."""
    _send(event.tenant_id, int(event.payload["check"]))


def _resume(tenant_id: UUID) -> int:
    with tenancy.tenant_context(tenant_id):
        waiting = waiting_checks(operator_scope(TenantRef(tenant_id, "")))
    for run_key in waiting:
        _send(tenant_id, run_key)
    return len(waiting)


def _prune(tenant_id: UUID, before: datetime) -> int:
    with tenancy.tenant_context(tenant_id):
        return prune_checks(operator_scope(TenantRef(tenant_id, "")), before=before)


def _send(tenant_id: UUID, run_key: int) -> None:
    current_app.send_task(RUN_CHECK, args=[str(tenant_id), run_key], queue=QUEUE, ignore_result=True)


def _scope(tenant_id: UUID, run_key: int) -> Scope | None:
    tenant = TenantRef(tenant_id, "")
    namespace_id = namespace_of_check(operator_scope(tenant), run_key)
    return None if namespace_id is None else operator_scope(tenant, NamespaceRef(namespace_id, ""))
