"""Reads of dry runs of policies: for who follows them, and for who works on them."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, Q

from accord.model import SubjectName
from accord_server.kit.paging import Batch
from registry.dry_run_records import ChangeKind, Decision, DryRunRecord, DryRunRow, VerdictChange
from registry.models import DryRun, DryRunChange, DryRunState, Subject, Version
from registry.policy_errors import DryRunNotFound
from registry.policy_records import PolicyPlace
from registry.queries.places import namespace_of
from registry.queries.policies import may_at
from tenants.access import require_in_tenant
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import NamespaceRef, Scope

# What whoever starts or reads a dry run must hold on all that it looks at.
NEEDED = ("policy.read", "subject.read")
OVER = (DryRunState.DONE, DryRunState.FAILED, DryRunState.CANCELLED)
# How long a run was worked on, in milliseconds: kept beside what it counts.
SPENT = "spent"


def dry_run(scope: Scope, run_id: UUID) -> DryRunRecord:
    """Return a dry run for whoever might have started it.

    Raises:
        DryRunNotFound: No such run here, or one on places of which nothing may be seen.
        RightMissing: One of the two rights is missing there.
    """
    return dry_run_record(scope, seen_dry_run(scope, run_id))


def list_dry_runs(
    scope: Scope, *, is_open: bool = False, before: int | None = None, limit: int
) -> Batch[DryRunRecord]:
    """Return the namespace's dry runs that may be seen, newest first; a tenant keeps few.

    Raises:
        RightMissing: ``policy.read`` is held nowhere in the tenant.
    """
    require_in_tenant(scope, NEEDED[0])
    rows: QuerySet[DryRun] = DryRun.objects.scoped(scope)
    rows = rows.filter(namespace=namespace_of(scope)).order_by("-pk")
    if is_open:
        rows = rows.exclude(state__in=OVER)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    seen = [one for one in rows if not missing_right(scope, places_of(scope, one))]
    after = str(seen[limit - 1].pk) if len(seen) > limit else None
    return Batch(tuple(dry_run_record(scope, one) for one in seen[:limit]), after)


def dry_run_changes(
    scope: Scope, run_id: UUID, *, kind: ChangeKind | None = None, after: int = 0, limit: int
) -> Batch[DryRunRow]:
    """Return what a dry run has found so far, in the order it was found; raises as `dry_run`."""
    run = seen_dry_run(scope, run_id)
    rows: QuerySet[DryRunChange] = DryRunChange.objects.scoped(scope)
    rows = rows.filter(run=run, position__gt=after).order_by("position")
    if kind is not None:
        rows = rows.filter(kind=kind)
    found = [_row(one) for one in rows[: limit + 1]]
    kept = tuple(found[:limit])
    return Batch(kept, str(kept[-1].position) if len(found) > limit else None)


def seen_dry_run(scope: Scope, run_id: UUID) -> DryRun:
    """Return the row of a dry run that may be seen; raises as `dry_run`."""
    rows: QuerySet[DryRun] = DryRun.objects.scoped(scope)
    run = rows.filter(namespace=namespace_of(scope), public_id=run_id).first()
    if run is None:
        raise DryRunNotFound(str(run_id))
    missing = missing_right(scope, places_of(scope, run))
    if missing == NEEDED:
        raise DryRunNotFound(str(run_id))
    if missing:
        raise RightMissing(missing[0])
    return run


def missing_right(scope: Scope, places: Iterable[PolicyPlace]) -> tuple[str, ...]:
    """Return which of the needed rights are not held on everything that a run looks at.

    Of the tenant it looks at the scope's namespace alone.
    """
    looked_at = [place if place.namespace else PolicyPlace(scope.namespace) for place in places]
    return tuple(right for right in NEEDED if not all(may_at(scope, right, one) for one in looked_at))


def dry_run_record(scope: Scope, run: DryRun) -> DryRunRecord:
    """Return a dry run as it is followed."""
    return DryRunRecord(
        id=run.public_id,
        state=str(run.state),
        proposal=run.proposal,
        places=places_of(scope, run),
        done=run.done,
        total=run.total,
        tally={name: count for name, count in run.tally.items() if name != SPENT},
        cut=run.cut,
        failure=(run.result or {}).get("message", ""),
        created_at=run.created_at,
        created_by=run.created_by,
    )


def places_of(scope: Scope, run: DryRun) -> tuple[PolicyPlace, ...]:
    """Return the places that the proposal counts for."""
    here = scope.namespace
    return tuple(_place(here, **one) for one in run.places)


def places_to_store(places: Iterable[PolicyPlace]) -> list[dict[str, Any]]:
    """Return the stored form of places."""
    return [
        {
            "is_tenant": place.namespace is None,
            "context": place.subject.context if place.subject else "",
            "name": place.subject.name if place.subject else "",
            "is_prefix": place.is_prefix,
        }
        for place in places
    ]


def subjects_concerned(scope: Scope, places: Iterable[PolicyPlace]) -> QuerySet[Subject]:
    """Return the live subjects that the places cover: for counting and for working through."""
    live = Version.objects.scoped(scope).filter(deleted_at__isnull=True, subject=OuterRef("pk"))
    covered = [_covered(place) for place in places]
    everything = Q() in covered
    rows: QuerySet[Subject] = Subject.objects.scoped(scope)
    found = rows.filter(Exists(live), namespace=namespace_of(scope))
    return found if everything else found.filter(reduce(or_, covered))


def next_subjects(
    scope: Scope, places: Sequence[PolicyPlace], *, first: int, limit: int
) -> list[tuple[int, SubjectName]]:
    """Return so many of the subjects concerned by their keys, from one on."""
    rows = subjects_concerned(scope, places).filter(pk__gte=first).order_by("pk")
    found = rows.values_list("pk", "context", "name")[:limit]
    return [(key, SubjectName(name, context)) for key, context, name in found]


def _covered(place: PolicyPlace) -> Q:
    if place.subject is None:
        return Q()
    is_named = {"name__startswith": place.subject.name} if place.is_prefix else {"name": place.subject.name}
    return Q(context=place.subject.context, **is_named)


def _place(
    here: NamespaceRef | None, *, is_tenant: bool, context: str, name: str, is_prefix: bool
) -> PolicyPlace:
    if is_tenant:
        return PolicyPlace()
    return PolicyPlace(here, SubjectName(name, context) if context else None, is_prefix)


def _row(row: DryRunChange) -> DryRunRow:
    decided_by = tuple(Decision(**one) for one in row.decided_by["listed"])
    change = VerdictChange(ChangeKind(row.kind), decided_by, row.decided_by["left_out"])
    return DryRunRow(row.position, SubjectName(row.name, row.context), row.number, change)
