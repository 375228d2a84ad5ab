"""What is told besides the verdict: findings of presets that only warn, each place and rule once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from accord.model import Direction, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord.model import Comparison, Finding

    # A rule, and the place and the thing it speaks of.
    Key: TypeAlias = "tuple[str, str, str, str]"

ORDER = list(Severity)
OPPOSITE = {Direction.BACKWARD: Direction.FORWARD, Direction.FORWARD: Direction.BACKWARD}


def looking(finding: Finding, direction: Direction) -> Direction:
    """Return the direction that a finding speaks of, of a comparison in one."""
    return OPPOSITE[direction] if finding.is_turned else direction


def weighed(finding: Finding, severity: Severity) -> Finding:
    """Return a finding that weighs so much, and whose reasons weigh no more."""
    reasons = tuple(weighed(one, min(one.severity, severity, key=ORDER.index)) for one in finding.reasons)
    return replace(finding, severity=severity, reasons=reasons)


def joined(own: tuple[Finding, ...], others: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings and what others find more.

    What both tell weighs what it weighs for the graver one, and is told in the words of the first.
    """
    weights = {_key(one): one.severity for one in own}
    more: dict[Key, Finding] = {}
    for one in others:
        key = _key(one)
        if key not in weights:
            more[key] = one
        weights[key] = max(weights.get(key, Severity.OFF), one.severity, key=ORDER.index)
    if not weights:
        return own
    raised = (
        one if one.severity is weights[_key(one)] else replace(one, severity=weights[_key(one)])
        for one in (*own, *more.values())
    )
    return tuple(raised)


def with_turned(own: tuple[Finding, ...], turned: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings of one direction, and what refuses a schema in the other one at further places."""
    refused = {one.path for one in own if one.severity is Severity.BLOCK}
    more = [one for one in turned if one.severity is Severity.BLOCK and one.path not in refused]
    return (*own, *(replace(one, is_turned=not one.is_turned) for one in more))


def told_once(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return the comparisons with one version, each direction once, without what another of them tells.

    A preset that looks one way only tells the same whichever direction was asked for.
    """
    if len(comparisons) < 2:  # noqa: PLR2004  # nothing to be told twice
        return tuple(comparisons)
    looked = {one.direction for one in comparisons}
    is_plain = not any(each.is_turned for one in comparisons for each in one.findings)
    if is_plain and len(looked) == len(comparisons):
        return tuple(comparisons)
    made: dict[Direction, Comparison] = {}
    for one in comparisons:
        found = one.findings
        if OPPOSITE[one.direction] in looked:
            found = tuple(each for each in found if not each.is_turned)
        before = made.get(one.direction)
        if before is not None:
            found = tuple(dict.fromkeys((*before.findings, *found)))
        made[one.direction] = replace(one, findings=found)
    return tuple(made.values())


def _key(finding: Finding) -> Key:
    return finding.rule, finding.path, finding.lost, finding.name
