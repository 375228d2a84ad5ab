"""Verdicts that a worker gives: the request that needs one waits a while, and is answered 503 after that.

A check that is too heavy for a request becomes a run, keyed by candidate, versions and policy. Whoever asks
again joins it, or finds its verdict; what is stored then is looked at once more under the lock, as always.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from accord.model import SchemaText, Verdict
from accord.policy.explanation import NEW
from accord.policy.level_names import spell_level
from accord_server.kit.configuration import configured
from accord_server.kit.seats import Seats
from accord_server.kit.settings_table import CHECK_PATIENCE, CHECK_WAITERS
from accord_server.kit.turnstile import Crowded
from registry.errors import CheckBroken, CheckUnderWay, NoWorkers
from registry.models import CheckRun, CheckState
from registry.queries.check_runs import done_of_run, find_finished_run, state_of_run, why_it_ended
from registry.services.burden import is_heavy
from registry.services.check_opening import ENDED_BADLY, digest_of, new_run, open_run, tell_workers
from registry.services.check_progress import ENDS_EARLY, TARGETS, Progress, asked_to_store
from registry.services.judging import couples_of, remember_pair, remembered_verdict
from registry.services.questions import Question, policy_document
from tenants.limits import limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.model import Comparison, Finding, SubjectName
    from accord.policy.effective import EffectivePolicy
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow
    from registry.services.candidates import Candidate
    from registry.services.judging import Couple
    from registry.services.situation import Situation

T = TypeVar("T")

SEATS: Final = Seats()
WAITING_CHECKS: Final = "waiting_checks"
FIRST_LOOK_S: Final = 0.05
LONGEST_PAUSE_S: Final = 0.5
LATE: Final = "it is not done yet"
CROWDED: Final = "as many requests as may wait for such comparisons already"
# What of a stored policy has no say in a verdict.
TOLD: Final = frozenset({"written", "name", "in_force", "own"})


@dataclass(frozen=True, slots=True)
class Errand:
    """A candidate to be held against versions of a subject, oldest first, as things stand.

    ``is_whole`` is False where they are not all that a registration would look at, ``ends_early`` where it
    is to be held against all of them, whatever blocks.
    """

    subject: SubjectName
    candidate: Candidate
    policy: EffectivePolicy
    now: Situation
    own: tuple[Finding, ...]
    rows: tuple[HistoryRow, ...]
    is_whole: bool = True
    ends_early: bool = True

    def run(self, scope: Scope) -> CheckRun:
        """Return the run that does it, not stored yet."""
        level, parsed = self.policy.policy.level, self.candidate.parsed
        keys = list(dict.fromkeys(couple.row.version_key for couple in couples_of(level, self.rows)))
        asked = Question(
            self.subject,
            SchemaText(parsed.format, parsed.canonical, parsed.references),
            NEW,
            level,
            self.policy.preset.value,
            policy_document(self.policy, self.now, None),
            self.own,
        )
        policy = asked_to_store(self.policy.policy, asked)
        targets = [target.version_key for target in self.candidate.targets]
        decides = {name: value for name, value in policy.items() if name not in TOLD}
        place = [self.subject.context, self.subject.name]
        compared = [targets, keys, self.ends_early]
        key = digest_of([*place, self.candidate.identity.hex(), *compared, spell_level(level), decides])
        stored = {**policy, TARGETS: targets, ENDS_EARLY: self.ends_early}
        return new_run(scope, self.candidate, asked, key=key, policy=stored, version_keys=keys)

    def remembered(self, scope: Scope) -> Verdict | None:
        """Return the verdict if this process knows it."""
        if not (self.is_whole and self.ends_early):
            return None
        return remembered_verdict(scope, self.candidate, self.policy.policy, self.now.history)

    def verdict_in(self, found: list[Any]) -> Verdict | None:
        """Return the verdict that a run ended with; None if something was not written down."""
        policy, progress = self.policy.policy, Progress(found, self.rows)
        for couple in progress.complete_couples(policy.level):
            remember_pair(self.candidate, policy, couple, progress.comparison(couple))
        return progress.verdict(policy.level) if self.ends_early else progress.unabridged(policy.level)


class VerdictAwaited(Exception):
    """Only a worker may give this verdict, and none has; nothing that others wait for may be held then."""

    def __init__(self, errand: Errand) -> None:
        super().__init__()
        self.errand = errand


def verdict_on(scope: Scope, errand: Errand, inline: Callable[[], Verdict]) -> Verdict:
    """Return the verdict: judged here if that is soon done, else as a worker gave it.

    Raises:
        VerdictAwaited: No worker has given it yet.
    """
    policy = errand.policy.policy
    known = errand.remembered(scope)
    if known is not None:
        return known
    if not is_heavy(scope, errand.candidate, policy, errand.rows, policy.level):
        return inline()
    found = find_finished_run(scope, key=bytes(errand.run(scope).key))
    if found is None:
        raise VerdictAwaited(errand)
    return errand.verdict_in(found) or inline()


def handed_over(scope: Scope, errand: Errand) -> dict[Couple, Comparison]:
    """Return what a worker found of each couple, if one has; else leave it to one, and wait for nothing.

    Of very many findings some were not written down.

    Raises:
        CheckUnderWay: The worker is not done.
        NoWorkers: The workers cannot be reached.
        TooManyChecks: The tenant has too many unfinished ones.
    """
    found = find_finished_run(scope, key=bytes(errand.run(scope).key))
    if found is None:
        raise _under_way(scope, _asked(scope, errand), LATE)
    return Progress(found, errand.rows).comparisons(errand.policy.policy.level)


def patiently(scope: Scope, act: Callable[[], T]) -> T:
    """Do what may need the verdict of a worker: wait for that and do it again, until the patience ends.

    Raises:
        CheckUnderWay: The worker takes longer, or too many requests wait already.
        CheckBroken: The worker gave up, or the check was cancelled.
        NoWorkers: The workers cannot be reached.
        TooManyChecks: The tenant has too many unfinished ones.
    """
    try:
        return act()
    except VerdictAwaited as awaited:
        run = _asked(scope, awaited.errand)
    deadline = time.monotonic() + configured(CHECK_PATIENCE)
    places, of_one = configured(CHECK_WAITERS), limits.of(scope, WAITING_CHECKS)
    try:
        with SEATS.seat(scope.tenant.id, places=places, of_one=of_one):
            while True:
                time.sleep(FIRST_LOOK_S)
                _await_end(scope, run, deadline)
                try:
                    return act()
                except VerdictAwaited as awaited:
                    run = _asked(scope, awaited.errand)
    except Crowded:
        raise _under_way(scope, run, CROWDED) from None


def _asked(scope: Scope, errand: Errand) -> CheckRun:
    run = open_run(scope, errand.run(scope))
    if not tell_workers():
        raise NoWorkers
    return run


def _await_end(scope: Scope, run: CheckRun, deadline: float) -> None:
    pause = FIRST_LOOK_S
    while (state := state_of_run(scope, run.pk)) != CheckState.DONE:
        if state in ENDED_BADLY:
            raise CheckBroken(str(run.public_id), why_it_ended(scope, run.pk))
        left = deadline - time.monotonic()
        if left <= 0:
            raise _under_way(scope, run, LATE)
        time.sleep(min(pause, left))
        pause = min(2 * pause, LONGEST_PAUSE_S)


def _under_way(scope: Scope, run: CheckRun, reason: str) -> CheckUnderWay:
    return CheckUnderWay(str(run.public_id), done_of_run(scope, run.pk), len(run.version_keys), reason)
