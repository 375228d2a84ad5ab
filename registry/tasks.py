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
from registry.queries.field_sources import tenants_with_unlisted
from registry.queries.leased_runs import (
    CHECKS,
    DRY_RUNS,
    RunKind,
    namespace_of_run,
    tenants_in_turn,
    waiting_runs,
)
from registry.queries.look_ups import tenants_with_unprinted_schemas
from registry.queries.webhooks import KEPT_DAYS, tenants_with_old_messages
from registry.services import tenant_exports
from registry.services.check_opening import RUN_NEXT, tell_workers
from registry.services.check_runs import prune_checks
from registry.services.check_work import run_check
from registry.services.collecting import collect_unused, tenants_with_unused_rows
from registry.services.dry_runs import prune_dry_runs, run_dry_run
from registry.services.fingerprints import fill_in
from registry.services.indexing import BATCH, EDITION, reindex
from registry.services.webhook_sending import prune_messages, send_due
from registry.services.webhooks import SEND
from tenants.principals import operator_scope

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from accord_server.kit.outbox import Event
    from registry.services.collecting import Collected

RUN_DRY_RUN: Final = "registry.run_dry_run"
SOFT_LIMIT_S: Final = 600
HARD_LIMIT_S: Final = 660
# Of a whole tenant's export, which is one piece.
LONG_SOFT_LIMIT_S: Final = 4 * 3600
LONG_HARD_LIMIT_S: Final = LONG_SOFT_LIMIT_S + 60
# So long one task sends; a call that has begun then takes a minute at most.
SENDING_S: Final = 50.0


# So many messages lie in the queue for checks that were lost; each that finds one sends the next.
MOST_RESUMED: Final = 8


@dataclass(frozen=True, slots=True)
class _Work:
    """One kind of leased work: what does a piece of it, and what forgets it."""

    kind: RunKind
    act: Callable[[Scope, int], bool]
    prune: Callable[..., int]

    def do(self, tenant_id: UUID, run_key: int) -> bool:
        """Work on one piece, unless somebody else does."""
        with tenancy.tenant_context(tenant_id):
            tenant = TenantRef(tenant_id, "")
            namespace_id = namespace_of_run(operator_scope(tenant), self.kind, run_key)
            if namespace_id is None:
                return False
            return self.act(operator_scope(tenant, NamespaceRef(namespace_id, "")), run_key)

    def waiting(self, tenant_id: UUID) -> list[int]:
        """Return what a tenant has that nobody works on, oldest first."""
        with tenancy.tenant_context(tenant_id):
            return waiting_runs(operator_scope(TenantRef(tenant_id, "")), self.kind)

    def forget(self) -> int:
        """Forget what ended long ago."""
        before = timezone.now() - timedelta(days=configured(CHECK_RETENTION_DAYS))
        return sum(self._forget(tenant_id, before) for tenant_id in self.kind.old_tenants(before))

    def _forget(self, tenant_id: UUID, before: datetime) -> int:
        with tenancy.tenant_context(tenant_id):
            return self.prune(operator_scope(TenantRef(tenant_id, "")), before=before)


_CHECKS: Final = _Work(CHECKS, run_check, prune_checks)
_DRY_RUNS: Final = _Work(DRY_RUNS, run_dry_run, prune_dry_runs)


@shared_task(name=RUN_NEXT, soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def run_next_check() -> bool:
    """Work on the check whose turn it is, tenant by tenant, and see to it that the next has its turn.

    A message names no check: so a tenant that asks for a hundred does not stand before the others with them.
    """
    is_done = any(
        run_one_check(tenant_id, run_key)
        for tenant_id in tenants_in_turn()
        for run_key in _CHECKS.waiting(tenant_id)
    )
    if is_done:
        tell_workers()
    return is_done


def run_one_check(tenant_id: UUID, run_key: int) -> bool:
    """Work on one check, unless somebody else does."""
    return _CHECKS.do(tenant_id, run_key)


@shared_task(name="registry.resume_checks", soft_time_limit=60, time_limit=90)
def resume_checks() -> int:
    """Have the checks worked on whose worker was lost, or whose message never arrived."""
    waiting = sum(len(_CHECKS.waiting(tenant_id)) for tenant_id in CHECKS.waiting_tenants)
    return sum(tell_workers() for _ in range(min(waiting, MOST_RESUMED)))


@shared_task(name="registry.prune_checks", soft_time_limit=120, time_limit=180)
def prune_old_checks() -> int:
    """Forget the checks that ended long ago."""
    return _CHECKS.forget()


@shared_task(name=RUN_DRY_RUN, soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def run_dry_run_task(tenant_id: str, run_key: int) -> bool:
    """Work on one dry run of a policy, unless somebody else does."""
    return _DRY_RUNS.do(UUID(tenant_id), run_key)


@shared_task(name="registry.resume_dry_runs", soft_time_limit=60, time_limit=90)
def resume_dry_runs() -> int:
    """Hand out the dry runs whose worker was lost, or whose task never arrived."""
    waiting = [
        (tenant_id, key) for tenant_id in DRY_RUNS.waiting_tenants for key in _DRY_RUNS.waiting(tenant_id)
    ]
    for tenant_id, run_key in waiting:
        _send_dry_run(tenant_id, run_key)
    return len(waiting)


@shared_task(name="registry.prune_dry_runs", soft_time_limit=120, time_limit=180)
def prune_old_dry_runs() -> int:
    """Forget the dry runs that ended long ago."""
    return _DRY_RUNS.forget()


@shared_task(name="registry.fill_fingerprints", soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def fill_fingerprints() -> int:
    """Store some of the fingerprints that are missing, tenant by tenant, and return how many were."""
    return sum(_fill(tenant_id) for tenant_id in tenants_with_unprinted_schemas())


def _fill(tenant_id: UUID) -> int:
    with tenancy.tenant_context(tenant_id):
        return fill_in(operator_scope(TenantRef(tenant_id, "")))


@shared_task(name="registry.list_fields", soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def list_fields() -> int:
    """List the fields of some subjects that the search does not know; return of how many."""
    return sum(reindex(tenant_id, most=BATCH) for tenant_id in tenants_with_unlisted(EDITION))


@shared_task(name=SEND, soft_time_limit=120, time_limit=180)
def send_webhooks() -> int:
    """Send the messages to webhooks that are due, for a while; whatever is left then has its turn next."""
    return send_due(seconds=SENDING_S)


@shared_task(name="registry.prune_webhook_messages", soft_time_limit=120, time_limit=180)
def prune_webhook_messages() -> int:
    """Forget the messages that ended long ago."""
    before = timezone.now() - timedelta(days=KEPT_DAYS)
    return sum(_prune_messages(tenant_id, before) for tenant_id in tenants_with_old_messages(before))


def _prune_messages(tenant_id: UUID, before: datetime) -> int:
    with tenancy.tenant_context(tenant_id):
        return prune_messages(operator_scope(TenantRef(tenant_id, "")), before=before)


@shared_task(name="registry.collect_files", soft_time_limit=SOFT_LIMIT_S, time_limit=HARD_LIMIT_S)
def collect_files() -> int:
    """Remove texts and files that nothing uses any more, tenant by tenant; return how many files went."""
    return sum(_collect(tenant_id).files for tenant_id in tenants_with_unused_rows())


def _collect(tenant_id: UUID) -> Collected:
    with tenancy.tenant_context(tenant_id):
        return collect_unused(operator_scope(TenantRef(tenant_id, "")))


def start_dry_run(event: Event) -> None:
    """Hand out a dry run that was asked for: the handler of its topic."""
    _send_dry_run(event.tenant_id, int(event.payload["dry_run"]))


def _send_dry_run(tenant_id: UUID, run_key: int) -> None:
    current_app.send_task(RUN_DRY_RUN, args=[str(tenant_id), run_key], queue="jobs", ignore_result=True)


# It takes longer than a message may be hidden, so the message counts as done at once: the lease brings
# another worker where this one is lost.
@shared_task(
    name=tenant_exports.WRITE,
    acks_late=False,
    soft_time_limit=LONG_SOFT_LIMIT_S,
    time_limit=LONG_HARD_LIMIT_S,
)
def write_exports() -> int:
    """Write the archives of tenants that were asked for."""
    return tenant_exports.write_exports()


@shared_task(name="registry.prune_exports")
def prune_exports() -> int:
    """Remove archives of tenants that were kept long enough."""
    return tenant_exports.prune_exports()
