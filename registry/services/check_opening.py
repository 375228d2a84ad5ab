"""Opening a check run, or joining the one of the same question, and telling the workers."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.utils import timezone

from accord.policy.level_names import spell_level
from accord_server.kit import nudge
from registry.errors import TooManyChecks
from registry.models import CheckRun, CheckState
from registry.queries.check_runs import find_check_run
from registry.queries.leased_runs import CHECKS, await_turn_to_ask, count_open_runs
from registry.queries.places import namespace_of
from registry.queries.rows import references_to_store
from tenants.limits import limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord_server.kit.scope import Scope
    from registry.services.candidates import Candidate
    from registry.services.questions import Question

QUEUE: Final = "checks"
OPEN_CHECKS: Final = "open_checks"
RUN_NEXT: Final = "registry.run_next_check"
# Those are asked anew.
ENDED_BADLY: Final = (CheckState.FAILED, CheckState.CANCELLED)


def digest_of(question: Sequence[Any]) -> bytes:
    """Return what names a question in every process."""
    return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).digest()


def new_run(
    scope: Scope,
    candidate: Candidate,
    asked: Question,
    *,
    key: bytes,
    policy: Mapping[str, Any],
    version_keys: Sequence[int],
) -> CheckRun:
    """Return a run that is not stored yet; ``version_keys`` are compared in their order."""
    return CheckRun(
        tenant_id=scope.tenant.id,
        namespace_id=namespace_of(scope),
        context=asked.subject.context,
        name=asked.subject.name,
        key=key,
        level=spell_level(asked.level),
        policy=policy,
        format=candidate.parsed.format,
        text=candidate.parsed.canonical,
        references=references_to_store(candidate.parsed.references),
        version_keys=version_keys,
        created_by=scope.principal.key,
    )


def open_run(scope: Scope, run: CheckRun) -> CheckRun:
    """Return the run of the same question, or this one; one that failed or was cancelled begins anew.

    Raises:
        TooManyChecks: There would be one too many.
    """
    with transaction.atomic():
        await_turn_to_ask(scope, CHECKS)
        known = find_check_run(scope, key=bytes(run.key))
        if known is not None and known.state not in ENDED_BADLY:
            return known
        limit = limits.of(scope, OPEN_CHECKS)
        if count_open_runs(scope, CHECKS) >= limit:
            raise TooManyChecks(limit)
        row = run if known is None else known
        row.state, row.attempts, row.done, row.found, row.result = CheckState.QUEUED, 0, 0, [], None
        row.leased_until = timezone.now()
        row.save()
    return row


def tell_workers() -> bool:
    """Say that there is a check to be done; False if nobody can be told, who will find it later."""
    return nudge.tell(RUN_NEXT, queue=QUEUE)
