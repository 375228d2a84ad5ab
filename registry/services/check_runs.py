"""Checks that may take long: asked for, followed by their id, cancelled, forgotten in the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from accord.policy.level_names import spell_level
from registry.models import CheckRun, CheckState
from registry.queries.check_runs import OVER, check_run, check_run_record
from registry.queries.leased_runs import OPEN
from registry.queries.visibility import admit
from registry.services.check_opening import digest_of, new_run, open_run, tell_workers
from registry.services.check_progress import asked_to_store
from registry.services.explaining import LeftToWorker, as_seen_by, explain_check, question_of
from registry.services.situation import situation_of
from tenants.access import require

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from registry.records import CheckCandidate, CheckRunRecord


def request_check(scope: Scope, command: CheckCandidate) -> CheckRunRecord:
    """Ask for a check and return its run; the same question joins the run it was asked in before.

    Raises:
        SubjectNotFound, RightMissing: ``compat.check`` is missing on the subject.
        EmptySchema, InvalidSchema, LevelInvalid and what else parsing raises: The request is wrong.
        TooManyChecks: The tenant has too many unfinished ones.
    """
    admit(scope, command.subject, "compat.check")
    now = situation_of(scope, command.subject)
    candidate, policy, asked, now = question_of(scope, command, now)
    compared = [row.version_key for row in reversed(now.usable)]
    stored = asked_to_store(policy, asked)
    level, place = spell_level(asked.level), [asked.subject.context, asked.subject.name]
    key = digest_of([*place, candidate.identity.hex(), compared, level, stored])
    run = open_run(scope, new_run(scope, candidate, asked, key=key, policy=stored, version_keys=compared))
    transaction.on_commit(tell_workers)
    return seen_by(scope, check_run_record(run))


def cancel_check(scope: Scope, check_id: UUID) -> CheckRunRecord:
    """Let a check end without a verdict; one that is over stays as it is.

    Raises:
        CheckNotFound: No such check here, or its subject may neither be checked nor read.
        RightMissing: Its subject may not be checked, or somebody else asked and ``job.manage`` is missing.
    """
    check_run(scope, check_id)
    rows = CheckRun.objects.scoped(scope).filter(public_id=check_id)
    if rows.values_list("created_by", flat=True).get() != scope.principal.key:
        require(scope, "job.manage")
    rows.filter(state__in=OPEN).update(state=CheckState.CANCELLED, leased_until=timezone.now())
    return follow_check(scope, check_id)


def explain_or_request(scope: Scope, command: CheckCandidate) -> dict[str, Any] | CheckRunRecord:
    """Return the explained verdict, or the run of a worker that has not given it yet.

    Raises:
        TooManyChecks: The tenant has too many unfinished ones.
        SubjectNotFound and what else `explain_check` raises.
    """
    try:
        return explain_check(scope, command)
    except LeftToWorker:
        record = request_check(scope, command)
    return record if record.result is None else dict(record.result)


def seen_by(scope: Scope, record: CheckRunRecord) -> CheckRunRecord:
    """Return a check as the caller may see it, who need not be the one that asked."""
    if record.result is None or "verdict" not in record.result:
        return record
    return replace(record, result=as_seen_by(scope, record.subject, dict(record.result)))


def follow_check(scope: Scope, check_id: UUID) -> CheckRunRecord:
    """Return a check for whoever may check that subject.

    Raises:
        CheckNotFound: No such check here, or its subject may neither be checked nor read.
        RightMissing: Its subject may be read, not checked.
    """
    return seen_by(scope, check_run(scope, check_id))


def prune_checks(scope: Scope, *, before: datetime) -> int:
    """Forget the tenant's checks that ended before a moment; return how many."""
    old = CheckRun.objects.scoped(scope).filter(state__in=OVER, leased_until__lt=before)
    return old.delete()[0]
