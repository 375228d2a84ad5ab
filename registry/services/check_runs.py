"""Checks that may take long: asked for, worked on by whoever holds the lease, followed by their id.

A run compares a candidate with one version after the other and writes down what it found after each,
so that a worker that is killed loses one comparison at most: once its lease is over, the next worker
goes on from there. Two workers on one run do no harm; the later lease wins.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from accord.errors import AccordError
from accord.model import Format, SchemaText, SubjectName
from accord.policy.level_names import spell_level
from accord_server.kit import outbox
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import OPEN_CHECKS
from registry.errors import TooManyChecks
from registry.models import CheckRun, CheckState
from registry.queries.check_runs import OVER, check_run, check_run_record, find_check_run
from registry.queries.leased_runs import CHECKS, await_turn_to_ask, count_open_runs
from registry.queries.places import namespace_of
from registry.queries.rows import references_of, references_to_store
from registry.queries.standing import history_of
from registry.queries.visibility import admit
from registry.services.candidates import prepare
from registry.services.check_progress import (
    Progress,
    asked_to_store,
    comparison_to_store,
    policy_of,
    question_in,
    room_left,
    sides_for,
)
from registry.services.events import CHECK_REQUESTED
from registry.services.explaining import as_seen_by, question_of, verdict_document
from registry.services.judging import Couple, trials_of
from registry.services.leases import end_under, take_lease, write_under
from registry.services.situation import situation_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from registry.records import CheckCandidate, CheckRunRecord
    from registry.services.candidates import Candidate
    from registry.services.explaining import Question
    from registry.services.leases import Lease


def request_check(scope: Scope, command: CheckCandidate) -> CheckRunRecord:
    """Ask for a check and return its run; the same question joins the run it was asked in before.

    Raises:
        SubjectNotFound, RightMissing: ``compat.check`` is missing on the subject.
        EmptySchema, InvalidSchema, LevelInvalid and what else parsing raises: The request is wrong.
        TooManyChecks: The tenant has too many unfinished ones.
    """
    admit(scope, command.subject, "compat.check")
    now = situation_of(scope, command.subject)
    candidate, policy, asked = question_of(scope, command, now)
    compared = [row.version_key for row in reversed(now.live)]
    run = _new_run(scope, candidate, asked, policy=asked_to_store(policy, asked), version_keys=compared)
    with transaction.atomic():
        return seen_by(scope, check_run_record(_joined_or_opened(scope, run)))


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


def run_check(scope: Scope, run_key: int) -> bool:
    """Work on a run until it is done; return False if somebody else holds it or it is over.

    Whatever breaks it for good is written down as its result.
    """
    lease = take_lease(scope, CheckRun, run_key)
    if lease is None:
        return False
    row = CheckRun.objects.scoped(scope).get(pk=run_key)
    try:
        _work(scope, row, lease)
    except AccordError as error:
        end_under(scope, lease, CheckState.FAILED, {"error": error.code, "message": error.message})
    return True


def _work(scope: Scope, row: CheckRun, lease: Lease) -> None:
    subject = SubjectName(row.name, row.context)
    source = SchemaText(Format(row.format), row.text, references_of(row.references))
    candidate = prepare(scope, subject, source, strict=False)
    rows = {one.version_key: one for one in history_of(scope, subject)}
    found = list((row.result or {}).get("comparisons", ()))
    policy = policy_of(row)
    for age, version_key in enumerate(row.version_keys[row.done :], start=row.done):
        if version_key in rows:
            couples = [Couple(rows[version_key], side) for side in sides_for(policy.level, age=age)]
            with trials_of(scope, candidate, policy, [couples]) as trials:
                for one in couples:
                    found.append(comparison_to_store(one, trials.comparison(one), room=room_left(found)))
        if not write_under(scope, lease, done=age + 1, result={"comparisons": found}):
            return
    live = [rows[key] for key in reversed(row.version_keys) if key in rows]
    progress, asked = Progress(found, live), question_in(row, source)
    verdict = progress.whole(asked.level)
    result = verdict_document(scope, asked, verdict, levels=progress.levels(), rows=live)
    for told, left_out in zip(result["comparisons"], progress.left_out(asked.level), strict=True):
        told["left_out"] += left_out
    end_under(scope, lease, CheckState.DONE, result)


def _joined_or_opened(scope: Scope, run: CheckRun) -> CheckRun:
    """Return the run of the same question, or this one; one that failed is tried again.

    Raises:
        TooManyChecks: There would be one too many.
    """
    await_turn_to_ask(scope, CHECKS)
    known = find_check_run(scope, key=bytes(run.key))
    if known is not None and known.state != CheckState.FAILED:
        return known
    limit = configured(OPEN_CHECKS)
    if count_open_runs(scope, CHECKS) >= limit:
        raise TooManyChecks(limit)
    row = run if known is None else known
    row.state, row.attempts, row.done, row.result = CheckState.QUEUED, 0, 0, None
    row.leased_until = timezone.now()
    row.save()
    outbox.emit(scope, CHECK_REQUESTED, {"check": row.pk})
    return row


def _new_run(
    scope: Scope,
    candidate: Candidate,
    asked: Question,
    *,
    policy: Mapping[str, Any],
    version_keys: Sequence[int],
) -> CheckRun:
    subject, level = asked.subject, spell_level(asked.level)
    question = [subject.context, subject.name, candidate.identity.hex(), version_keys, level, policy]
    return CheckRun(
        tenant_id=scope.tenant.id,
        namespace_id=namespace_of(scope),
        context=subject.context,
        name=subject.name,
        key=hashlib.sha256(json.dumps(question, sort_keys=True).encode()).digest(),
        level=level,
        policy=policy,
        format=candidate.parsed.format,
        text=candidate.parsed.canonical,
        references=references_to_store(candidate.parsed.references),
        version_keys=version_keys,
        created_by=scope.principal.key,
    )
