"""What a policy asks of a new schema by itself: names, docs, owners, size, closed objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.model import Severity
from accord.policy import judge
from accord.policy.requirements import check_content
from registry.policy_errors import ContentRefused
from registry.services.heavy import turn_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.model import Finding, SubjectName
    from accord.policy.effective import EffectivePolicy
    from registry.services.candidates import Candidate

MOST_SENTENCES = 20


def own_findings(candidate: Candidate, policy: EffectivePolicy, subject: SubjectName) -> tuple[Finding, ...]:
    """Return what a policy finds in a candidate that is compared with nothing.

    Raises:
        TooBusy: It is large, and so are others just now.
    """
    with turn_for(len(candidate.parsed.canonical)):
        about_objects = judge(candidate.parsed, (), policy.policy).own
        asked = check_content(candidate.parsed, policy.requirements, subject=subject.name)
    return (*about_objects, *asked)


def require_content(subject: SubjectName, found: Sequence[Finding]) -> None:
    """Refuse a candidate for what blocks it by itself.

    Raises:
        ContentRefused: With the findings.
    """
    blocking = tuple(one for one in found if one.severity is Severity.BLOCK)
    if blocking:
        raise ContentRefused(subject.qualified, sentences(blocking), tuple(found))


def sentences(found: Sequence[Finding]) -> tuple[str, ...]:
    """Return what blocks in words, the first so many; who mends those sees the others."""
    blocking = [one for one in found if one.severity is Severity.BLOCK]
    words = [f"{one.rule} at {one.path}: {one.message}" for one in blocking[:MOST_SENTENCES]]
    left = len(blocking) - len(words)
    return (*words, f"and {left} more") if left else tuple(words)
