"""How two verdicts on the same schema differ, and which findings decide that.

A verdict that refuses stops at the first version that blocks, so what it does not hold need not be missing.
Hence only what blocks is compared where one of the two refuses, and everything where both allow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.model import Severity
from registry.dry_run_records import ChangeKind, Decision, VerdictChange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.model import Finding, Verdict

# Enough to understand a change; the rest is counted.
MOST_DECISIONS: Final = 5
LONGEST_MESSAGE: Final = 500
WEIGHTS: Final = {weight: place for place, weight in enumerate(Severity)}

Place = tuple[str, str, str | None]
Weighed = dict[Place, tuple["Finding", int | None]]


def change_between(before: Verdict, after: Verdict) -> VerdictChange | None:
    """Return how the second verdict differs from the first; None if it does not."""
    old, new = _weighed(before), _weighed(after)
    if before.is_allowed == after.is_allowed:
        is_decisive = Severity.OFF if before.is_allowed else Severity.BLOCK
        places = [place for place in _either(old, new, is_decisive) if _differs(old, new, place)]
        return _change(ChangeKind.SEVERITY, old, new, places) if places else None
    kind, deciding = (ChangeKind.REFUSED, new) if before.is_allowed else (ChangeKind.ALLOWED, old)
    places = [place for place, (finding, _) in deciding.items() if finding.severity is Severity.BLOCK]
    return _change(kind, old, new, places)


def _weighed(verdict: Verdict) -> Weighed:
    """Return the heaviest finding of each rule, path and direction, with the version it was found at."""
    found: Weighed = {}
    for finding, direction, version in _findings(verdict):
        place = (finding.rule, finding.path, direction)
        known = found.get(place)
        if known is None or WEIGHTS[known[0].severity] < WEIGHTS[finding.severity]:
            found[place] = (finding, version)
    return found


def _findings(verdict: Verdict) -> Iterator[tuple[Finding, str | None, int | None]]:
    for finding in verdict.own:
        yield finding, None, None
    for comparison in verdict.comparisons:
        for finding in comparison.findings:
            yield finding, str(comparison.direction), comparison.version


def _either(old: Weighed, new: Weighed, least: Severity) -> list[Place]:
    """Return the places that weigh at least so much on one side, the heaviest of the new side first."""
    heavy = [
        place
        for place in dict.fromkeys((*new, *old))
        if max(_weight(old, place), _weight(new, place)) >= WEIGHTS[least]
    ]
    return sorted(heavy, key=lambda place: -_weight(new, place))


def _differs(old: Weighed, new: Weighed, place: Place) -> bool:
    return _weight(old, place) != _weight(new, place)


def _weight(found: Weighed, place: Place) -> int:
    return WEIGHTS[found[place][0].severity] if place in found else WEIGHTS[Severity.OFF]


def _change(kind: ChangeKind, old: Weighed, new: Weighed, places: list[Place]) -> VerdictChange:
    decided_by = tuple(_decision(old, new, place) for place in places[:MOST_DECISIONS])
    return VerdictChange(kind, decided_by, len(places) - len(decided_by))


def _decision(old: Weighed, new: Weighed, place: Place) -> Decision:
    rule, path, direction = place
    finding, version = new.get(place) or old[place]
    before, after = (str(side[place][0].severity) if place in side else None for side in (old, new))
    return Decision(rule, path, direction, version, before, after, finding.message[:LONGEST_MESSAGE])
