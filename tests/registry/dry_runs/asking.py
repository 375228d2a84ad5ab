"""Asking for dry runs over the native API, working on them, and reading what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord_server.kit import tenancy
from registry.models import DryRun
from registry.tasks import run_dry_run_task
from tests.registry.policies.asking import NAMESPACE

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.registry.policies.asking import Native

DRY_RUNS = f"{NAMESPACE}/policy-dry-runs"


def only_run(scope: Scope) -> DryRun:
    """Return the one dry run of the tenant."""
    tenancy.activate(scope.tenant.id)
    run: DryRun = DryRun.objects.scoped(scope).get()
    return run


def change(scope: Scope, **values: Any) -> None:
    """Write into every dry run of the tenant."""
    tenancy.activate(scope.tenant.id)
    DryRun.objects.scoped(scope).update(**values)


def work(scope: Scope) -> bool:
    """Work on the only dry run, as a worker does."""
    return run_dry_run_task(str(scope.tenant.id), only_run(scope).pk)


def tried(native: Native, scope: Scope, **proposal: Any) -> tuple[Any, list[tuple[Any, ...]]]:
    """Do a dry run at once; return how it ended and which versions change how."""
    where = native.ok("POST", DRY_RUNS, proposal)["id"]
    tenancy.activate(scope.tenant.id)
    key = DryRun.objects.scoped(scope).values_list("pk", flat=True).get(public_id=where)
    assert run_dry_run_task(str(scope.tenant.id), key)
    listed = native.ok("GET", f"{DRY_RUNS}/{where}/changes?limit=200")["items"]
    rows = [(one["subject"], one["version"], one["change"], _rules(one)) for one in listed]
    return native.ok("GET", f"{DRY_RUNS}/{where}"), rows


def _rules(change: Any) -> list[tuple[Any, ...]]:
    return [
        (one["rule"], one["direction"], one["version"], one["before"], one["after"])
        for one in change["decided_by"]
    ]
