"""What a waiver waives: the verdict of a refused schema once more, up to the last version.

Parse errors, modes and limits are never waived: a comparison that was cut short proves nothing. A freeze,
and what a policy asks of the schema itself, are waived by name alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from accord.model import Severity, Verdict
from accord.policy import STEPS_PER_CHECK
from accord.policy.requirements import LIMIT_EXCEEDED
from registry.queries.waivers import open_waiver, waiver_record
from registry.services.delegating import verdict_on
from registry.services.judging import couples_of, trials_of
from registry.services.replaying import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.model import Comparison, Finding
    from accord.policy import Policy
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow
    from registry.services.candidates import Candidate
    from registry.services.delegating import Errand
    from registry.waiver_records import WaivedFinding, WaiverRecord

TOO_LARGE: Final = "CHECK_TOO_LARGE"
NEVER: Final = frozenset({LIMIT_EXCEEDED, TOO_LARGE})
BY_NAME: Final = frozenset({"FROZEN"})


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict that lets a schema in, and the waiver that was needed, if any."""

    verdict: Verdict
    waiver: WaiverRecord | None = None


def whole_verdict(scope: Scope, errand: Errand) -> Verdict:
    """Judge a candidate against all that a policy compares it with, whatever blocks.

    Done here, all comparisons together take at most the steps of one check. Where one is cut short the
    verdict ends: that is never waived.

    Raises:
        TooBusy: This takes long, and so do others just now.
        VerdictAwaited: A worker is to do it, and has not yet.
    """

    def inline() -> Verdict:
        return Verdict(tuple(_compared(scope, errand.candidate, errand.policy.policy, errand.rows)))

    found = verdict_on(scope, replace(errand, ends_early=False), inline)
    return Verdict(found.comparisons, errand.own)


def _compared(
    scope: Scope, candidate: Candidate, policy: Policy, live: Sequence[HistoryRow]
) -> Iterator[Comparison]:
    left = STEPS_PER_CHECK
    for part in parts_of(couples_of(policy.level, live)):
        with trials_of(scope, candidate, policy, [part]) as trials:
            trials.allow(left)
            for couple in part:
                comparison = trials.comparison(couple)
                yield comparison
                if any(finding.rule == TOO_LARGE for finding in comparison.findings):
                    return
            left = trials.left


def waived(scope: Scope, errand: Errand) -> Ruling | None:
    """Return the ruling on a refused schema that a waiver makes; None without one that is enough.

    Raises:
        TooBusy, VerdictAwaited: As `whole_verdict`.
    """
    row = open_waiver(scope, errand.subject, errand.candidate.identity)
    if row is None:
        return None
    waiver = waiver_record(row)
    verdict = whole_verdict(scope, errand)
    return None if any(left_over(verdict, waiver.rules, waiver.findings)) else Ruling(verdict, waiver)


def at_hand(verdict: Verdict) -> tuple[WaivedFinding, ...]:
    """Return what blocks and need not be named to be waived."""
    found = (
        (finding.rule, finding.path, direction)
        for finding, direction in blocking(verdict)
        if direction is not None and finding.rule not in NEVER | BY_NAME
    )
    return tuple(dict.fromkeys(found))


def left_over(verdict: Verdict, rules: Sequence[str], findings: Sequence[WaivedFinding]) -> Iterator[str]:
    """Yield the rules that would still block: those not named, or without names those of other findings."""
    for finding, direction in blocking(verdict):
        named = finding.rule in rules if rules else (finding.rule, finding.path, direction) in findings
        if finding.rule in NEVER or not named:
            yield finding.rule


def blocking(verdict: Verdict) -> Iterator[tuple[Finding, str | None]]:
    """Yield each finding that blocks, and its direction if it came out of a comparison."""
    found = [(finding, None) for finding in verdict.own]
    compared = [(finding, str(one.direction)) for one in verdict.comparisons for finding in one.findings]
    yield from (one for one in (*found, *compared) if one[0].severity is Severity.BLOCK)
