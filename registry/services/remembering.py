"""What is kept with a version about its registration: what was in force, and what the verdict was."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from accord.model import Severity
from accord.policy.besides import looking
from accord.policy.level_names import spell_level
from registry.registration_records import (
    InForce,
    Judged,
    Outcome,
    PolicyAt,
    WaivedBy,
    in_force_to_store,
    judged_to_store,
)

if TYPE_CHECKING:
    from accord.model import Finding, Verdict
    from accord.policy.effective import EffectivePolicy
    from registry.services.situation import Situation
    from registry.waiver_records import WaiverRecord

# Findings kept with a version: enough to read later, never a second copy of the schema.
KEPT_FINDINGS: Final = 50
HEAVIEST_FIRST: Final = tuple(reversed(Severity))


def remembered(
    now: Situation, policy: EffectivePolicy, verdict: Verdict, waiver: WaiverRecord | None = None
) -> dict[str, Any]:
    """Return the columns of a version that tell of its registration."""
    return {
        "level": spell_level(policy.level.value),
        "in_force": in_force_to_store(in_force(now, policy)),
        "judged": judged_to_store(judged(now, verdict, waiver)),
        "findings": _findings(verdict),
    }


def in_force(now: Situation, policy: EffectivePolicy) -> InForce:
    """Return what is in force, with the policies whose versions are, the nearest first."""
    nearest_first = sorted(now.settings.bound, key=lambda one: (-one.place.reach, -len(one.place.name)))
    policies = tuple(PolicyAt(one.policy, one.version, one.place) for one in nearest_first)
    return InForce(policy.preset.value, policy.preset.origin, policy.level.origin, policies)


def judged(now: Situation, verdict: Verdict, waiver: WaiverRecord | None = None) -> Judged:
    """Return how a verdict let a version in; one that blocks did so by a waiver."""
    compared = len({comparison.version for comparison in verdict.comparisons})
    counts = Counter(finding.severity for finding in verdict.findings)
    if now.is_import:
        outcome = Outcome.IMPORTED
    elif counts[Severity.BLOCK]:
        outcome = Outcome.WAIVED
    elif not now.usable:
        outcome = Outcome.FIRST
    else:
        outcome = Outcome.ALLOWED if compared else Outcome.UNCHECKED
    by = None if waiver is None else WaivedBy(str(waiver.id), waiver.created_by, waiver.reason)
    return Judged(outcome, compared, counts, by)


def _findings(verdict: Verdict) -> list[dict[str, Any]]:
    """Return the heaviest findings; those about the schema itself have neither direction nor version."""
    own = [(finding, None, None) for finding in verdict.own]
    compared = [
        (finding, looking(finding, comparison.direction), comparison.version)
        for comparison in verdict.comparisons
        for finding in comparison.findings
    ]
    found = sorted((*own, *compared), key=lambda one: HEAVIEST_FIRST.index(one[0].severity))
    return [_kept(*one) for one in found[:KEPT_FINDINGS]]


def _kept(finding: Finding, direction: str | None, version: int | None) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "path": finding.path,
        "direction": direction,
        "version": version,
    }
