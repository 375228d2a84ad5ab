"""Tasks of the registry: work that outlives a request, each piece done under its lease."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

from celery import current_app, shared_task
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.configuration import configured
from accord_server.kit.scope import NamespaceRef, Scope, TenantRef
from accord_server.kit.settings_table import CHECK_RETENTION_DAYS
from registry.queries.leased_runs import CHECKS, DRY_RUNS, RunKind, namespace_of_run, waiting_runs
from registry.services.check_runs import prune_checks, run_check
from registry.services.dry_runs import prune_dry_runs, run_dry_run
from tenants.principals import operator_scope

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from accord_server.kit.outbox import Event

RUN_CHECK: Final = "registry.run_check"
RUN_DRY_RUN: Final = "registry.run_dry_run"
SOFT_LIMIT_S: Final = 600
HARD_LIMIT_S: Final = 660


@dataclass(frozen=True, slots=True)
class _Work:
    """One kind of leased work: the task that does it, where it waits, and what forgets it."""

    kind: RunKind
    task: str
    queue: str
    prune: Callable[..., int]

    def send(self, tenant_id: UUID, run_key: int) -> None:
        """Hand one piece out."""
        current_app.send_task(self.task, args=[str(tenant_id), run_key], queue=self.queue, ignore_result=True)

    def do(self, tenant_id: str, run_key: int, act: Callable[[Scope, int], bool]) -> bool:
        """Work on one piece, unless somebody else does."""
        with tenancy.tenant_context(UUID(tenant_id)):
            tenant = TenantRef(UUID(tenant_id), "")
            namespace_id = namespace_of_run(operator_scope(tenant), self.kind, run_key)
            if namespace_id is None:
                return False
            return act(operator_scope(tenant, NamespaceRef(namespace_id, "")), run_key)

    def resume(self) -> int:
        """Hand out what lost its worker, or whose task never arrived."""
        return sum(self._resume(tenant_id) for tenant_id in self.kind.waiting_tenants)

    def forget(self) -> int:
        """Forget what ended long ago."""
        before = timezone.now() - timedelta(days=configured(CHECK_RETENTION_DAYS))
        return sum(self._forget(tenant_id, before) for tenant_id in self.kind.old_tenants(before))

    def _resume(self, tenant_id: UUID) -> int:
        with tenancy.tenant_context(tenant_id):
            waiting = waiting_runs(operator_scope(TenantRef(tenant_id, "")), self.kind)
        for run_key in waiting:
            self.send(tenant_id, run_key)
        return len(waiting)

    def _forget(self, tenant_id: UUID, before: datetime) -> int:
        with tenancy.tenant_context(tenant_id):
            return self.prune(operator_scope(TenantRef(tenant_id, "")), before=before)


_CHECKS: Final = _Work(CHECKS, RUN_CHECK, "checks", prune_checks)
_DRY_RUNS: Final = _Work(DRY_RUNS, RUN_DRY_RUN, "jobs", prune_dry_runs)


@shared_task(name=RUN_CHECK, soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def run_check_task(tenant_id: str, run_key: int) -> bool:
    """Work on one check, unless somebody else does."""
    return _CHECKS.do(tenant_id, run_key, run_check)


@shared_task(name="registry.resume_checks", soft_time_limit=60, time_limit=90)
def resume_checks() -> int:
    """Hand out the checks whose worker was lost, or whose task never arrived."""
    return _CHECKS.resume()


@shared_task(name="registry.prune_checks", soft_time_limit=120, time_limit=180)
def prune_old_checks() -> int:
    """Forget the checks that ended long ago."""
    return _CHECKS.forget()


@shared_task(name=RUN_DRY_RUN, soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def run_dry_run_task(tenant_id: str, run_key: int) -> bool:
    """Work on one dry run of a policy, unless somebody else does."""
    return _DRY_RUNS.do(tenant_id, run_key, run_dry_run)


@shared_task(name="registry.resume_dry_runs", soft_time_limit=60, time_limit=90)
def resume_dry_runs() -> int:
    """Hand out the dry runs whose worker was lost, or whose task never arrived."""
    return _DRY_RUNS.resume()


@shared_task(name="registry.prune_dry_runs", soft_time_limit=120, time_limit=180)
def prune_old_dry_runs() -> int:
    """Forget the dry runs that ended long ago."""
    return _DRY_RUNS.forget()


def start_check(event: Event) -> None:
    """Hand out a check that was asked for: the handler of its topic."""
    _CHECKS.send(event.tenant_id, int(event.payload["check"]))


def start_dry_run(event: Event) -> None:
    """Hand out a dry run that was asked for: the handler of its topic."""
    _DRY_RUNS.send(event.tenant_id, int(event.payload["dry_run"]))
