"""Checks that may take long: asked for, worked on by whoever holds the lease, followed by their id.

A run compares a candidate with one version after the other and writes down what it found after each,
so that a worker that is killed loses one comparison at most: once its lease is over, the next worker
goes on from there. Two workers on one run do no harm; the later lease wins.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accord.errors import AccordError
from accord.model import Format, SchemaText, Severity, SubjectName
from accord.policy import Policy
from accord.policy.level_names import read_level, spell_level
from accord.policy.policies import Transform
from accord_server.kit import outbox
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import CHECK_LEASE, OPEN_CHECKS
from registry.errors import TooManyChecks
from registry.models import CheckRun, CheckState
from registry.queries.check_runs import (
    OPEN,
    OVER,
    await_turn_to_ask,
    check_run_record,
    count_open_checks,
    find_check_run,
)
from registry.queries.places import namespace_of
from registry.queries.rows import references_of, references_to_store
from registry.queries.standing import history_of
from registry.queries.visibility import admit
from registry.services.candidates import prepare
from registry.services.compatibility import candidate_for, policy_for
from registry.services.events import CHECK_REQUESTED
from registry.services.judging import Opponents, judge_against, level_at, opponents, weights_of
from registry.services.requirements import own_findings
from registry.services.situation import situation_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord.model import Comparison, Finding, Level
    from accord_server.kit.scope import Scope
    from registry.records import CheckCandidate, CheckRunRecord
    from registry.services.candidates import Candidate

MAX_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a run: lost as soon as somebody else takes it up."""

    run_key: int
    attempt: int


def request_check(scope: Scope, command: CheckCandidate) -> CheckRunRecord:
    """Ask for a check and return its run; the same question joins the run it was asked in before.

    Raises:
        SubjectNotFound, RightMissing: ``compat.check`` is missing on the subject.
        EmptySchema, InvalidSchema, UnknownLevel and what else parsing raises: The request is wrong.
        TooManyChecks: The tenant has too many unfinished ones.
    """
    subject = command.subject
    admit(scope, subject, "compat.check")
    now = situation_of(scope, subject)
    candidate = candidate_for(scope, command, now.config)
    found = policy_for(scope, candidate, now, level=command.level)
    own = own_findings(candidate, found, subject) if now.settings.bound else ()
    compared = [row.version_key for row in opponents(found.policy, now.live).rows]
    asked = {**_written(found.policy), "own": [_shown_finding(one) for one in own]}
    run = _new_run(scope, subject, candidate, level=found.level.value, policy=asked, version_keys=compared)
    with transaction.atomic():
        return check_run_record(_joined_or_opened(scope, run))


def prune_checks(scope: Scope, *, before: datetime) -> int:
    """Forget the tenant's checks that ended before a moment; return how many."""
    old = CheckRun.objects.scoped(scope).filter(state__in=OVER, leased_until__lt=before)
    return old.delete()[0]


def run_check(scope: Scope, run_key: int) -> bool:
    """Work on a run until it is done; return False if somebody else holds it or it is over.

    Whatever breaks it for good is written down as its result.
    """
    lease = _take(scope, run_key)
    if lease is None:
        return False
    row = CheckRun.objects.scoped(scope).get(pk=run_key)
    try:
        _work(scope, row, lease)
    except AccordError as error:
        _end(scope, lease, CheckState.FAILED, {"error": error.code, "message": error.message})
    return True


def _work(scope: Scope, row: CheckRun, lease: Lease) -> None:
    subject = SubjectName(row.name, row.context)
    source = SchemaText(Format(row.format), row.text, references_of(row.references))
    candidate = prepare(scope, subject, source, strict=False)
    rows = {one.version_key: one for one in history_of(scope, subject)}
    found = list((row.result or {}).get("comparisons", ()))
    policy = _policy(row)
    for position, version_key in enumerate(row.version_keys[row.done :], start=row.done + 1):
        if version_key in rows:
            version = rows[version_key]
            level = level_at(policy.level, version.number, age=position - 1)
            against = Opponents(policy, weights_of(policy), (version,), (level,))
            verdict = judge_against(scope, candidate, against)
            found += [_shown(comparison) for comparison in verdict.comparisons]
        if not _write(scope, lease, done=position, result={"comparisons": found}):
            return
    own = row.policy["own"]
    is_compatible = not any(comparison["is_blocked"] for comparison in found) and not any(
        finding["severity"] == Severity.BLOCK for finding in own
    )
    _end(scope, lease, CheckState.DONE, {"is_compatible": is_compatible, "own": own, "comparisons": found})


def _take(scope: Scope, run_key: int) -> Lease | None:
    """Take the lease if it is free; a run that was taken up too often fails for good."""
    now = timezone.now()
    free = CheckRun.objects.scoped(scope).filter(pk=run_key, state__in=OPEN, leased_until__lte=now)
    given_up = {"error": "given_up", "message": f"{MAX_ATTEMPTS} workers were lost on it"}
    tired = free.filter(attempts__gte=MAX_ATTEMPTS)
    tired.update(state=CheckState.FAILED, result=given_up, leased_until=now)
    taken = free.filter(state__in=OPEN).update(
        state=CheckState.RUNNING, attempts=F("attempts") + 1, leased_until=_lease_end()
    )
    if not taken:
        return None
    attempts = CheckRun.objects.scoped(scope).values_list("attempts", flat=True).get(pk=run_key)
    return Lease(run_key, attempts)


def _write(scope: Scope, lease: Lease, **values: Any) -> bool:
    """Write progress and renew the lease; False once somebody else has taken it."""
    mine = CheckRun.objects.scoped(scope).filter(
        pk=lease.run_key, attempts=lease.attempt, state=CheckState.RUNNING
    )
    return bool(mine.update(**{"leased_until": _lease_end(), **values}))


def _end(scope: Scope, lease: Lease, state: CheckState, result: Mapping[str, Any]) -> None:
    _write(scope, lease, state=state, result=result, leased_until=timezone.now())


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=configured(CHECK_LEASE))


def _joined_or_opened(scope: Scope, run: CheckRun) -> CheckRun:
    """Return the run of the same question, or this one; one that failed is tried again.

    Raises:
        TooManyChecks: There would be one too many.
    """
    await_turn_to_ask(scope)
    known = find_check_run(scope, key=bytes(run.key))
    if known is not None and known.state != CheckState.FAILED:
        return known
    limit = configured(OPEN_CHECKS)
    if count_open_checks(scope) >= limit:
        raise TooManyChecks(limit)
    row = run if known is None else known
    row.state, row.attempts, row.done, row.result = CheckState.QUEUED, 0, 0, None
    row.leased_until = timezone.now()
    row.save()
    outbox.emit(scope, CHECK_REQUESTED, {"check": row.pk})
    return row


def _new_run(
    scope: Scope,
    subject: SubjectName,
    candidate: Candidate,
    *,
    level: Level,
    policy: Mapping[str, Any],
    version_keys: Sequence[int],
) -> CheckRun:
    spelled = spell_level(level)
    question = [subject.context, subject.name, candidate.identity.hex(), version_keys, spelled, policy]
    return CheckRun(
        tenant_id=scope.tenant.id,
        namespace_id=namespace_of(scope),
        context=subject.context,
        name=subject.name,
        key=hashlib.sha256(json.dumps(question, sort_keys=True).encode()).digest(),
        level=spelled,
        policy=policy,
        format=candidate.parsed.format,
        text=candidate.parsed.canonical,
        references=references_to_store(candidate.parsed.references),
        version_keys=version_keys,
        created_by=scope.principal.key,
    )


def _written(policy: Policy) -> dict[str, Any]:
    """Return all of a policy but its level, to be read back by the worker."""
    return {
        "preset": policy.preset,
        "overrides": dict(policy.overrides),
        "replacements": dict(policy.replacements),
        "transform": policy.transform,
    }


def _policy(row: CheckRun) -> Policy:
    """Return the policy that was in force when the check was asked for."""
    known = row.policy
    return Policy(
        read_level(row.level),
        known["preset"],
        {rule: Severity(weight) for rule, weight in known["overrides"].items()},
        known["replacements"],
        Transform(known["transform"]),
    )


def _shown(comparison: Comparison) -> dict[str, Any]:
    return {
        "version": comparison.version,
        "direction": comparison.direction,
        "is_blocked": comparison.is_blocked,
        "findings": [_shown_finding(finding) for finding in comparison.findings],
    }


def _shown_finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "path": finding.path,
        "message": finding.message,
    }
