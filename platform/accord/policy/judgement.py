"""The verdict on a candidate: which versions it is compared with, and what the findings weigh.

Newest version first; a version that blocks ends the check. Each version is compared in every
direction the level asks for, forward first, as Confluent does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from accord.diff import WALKS
from accord.diff.changes import FormatDiffers, FrozenContent, Pair
from accord.formats import is_equivalent
from accord.model import Comparison, Direction, Finding, Severity, Verdict
from accord.policy.comparison import (
    Budget,
    Comparer,
    ComparisonEnded,
    Found,
    WorkLimitReached,
    too_much_work,
)
from accord.rules.table import rule_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from accord.diff.changes import Change
    from accord.formats import ParsedSchema
    from accord.model import Bound, Format
    from accord.policy.policies import Policy

EXPLAINED_FINDINGS = 20
EXPLAINED_DEPTH = 4


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A live version to compare with; ``number`` is None where versions have none (two files)."""

    number: int | None
    schema: ParsedSchema


def judge(
    candidate: ParsedSchema,
    history: Sequence[HistoryEntry],
    policy: Policy,
    *,
    budget: Budget | None = None,
) -> Verdict:
    """Return the verdict on a candidate against the live versions, oldest first.

    Incompatibility is a value, never an exception. ``budget`` bounds the work of the whole check;
    beyond it the check blocks with CHECK_TOO_LARGE. Source: avro-compat, section 1.
    """
    check = _Check(candidate, policy, budget or Budget())
    comparisons: list[Comparison] = []
    for age, entry in enumerate(reversed(history)):
        made = list(check.against(entry, age=age))
        comparisons += made
        if any(comparison.is_blocked for comparison in made):
            break
    return Verdict(tuple(comparisons))


@dataclass(frozen=True, slots=True)
class _Check:
    """One candidate under one policy."""

    candidate: ParsedSchema
    policy: Policy
    budget: Budget

    def against(self, entry: HistoryEntry, *, age: int) -> Iterator[Comparison]:
        """Compare with one version; ``age`` 0 is the latest."""
        level = self.policy.level
        if level.frozen:
            yield from self._frozen(entry, age)
            return
        if _reaches(level.forward, entry, age):
            findings = self._findings(entry.schema, self.candidate)
            yield Comparison(Direction.FORWARD, entry.number, findings)
        if _reaches(level.backward, entry, age):
            findings = self._findings(self.candidate, entry.schema)
            yield Comparison(Direction.BACKWARD, entry.number, findings)

    def _frozen(self, entry: HistoryEntry, age: int) -> Iterator[Comparison]:
        if age == 0:
            same = is_equivalent(self.candidate, entry.schema)
            found = [] if same else [Found(FrozenContent(()), (), ())]
            yield Comparison(Direction.BACKWARD, entry.number, self._weigh(found))

    def _findings(self, reader: ParsedSchema, writer: ParsedSchema) -> tuple[Finding, ...]:
        if reader.format is not writer.format:
            change = FormatDiffers((), reader.format, writer.format)
            return self._weigh([Found(change, (), ())])
        explainer = _Explainer(self, reader.format)
        found = explainer.compare(Pair(reader.root, writer.root))
        return explainer.explain(found)

    def _weigh(self, found: Iterable[Found]) -> tuple[Finding, ...]:
        weighed = (self.finding(one) for one in found)
        return tuple(one for one in weighed if one.severity is not Severity.OFF)

    def finding(self, found: Found) -> Finding:
        """Give a change its rule, its weight and its words."""
        row = rule_for(found.change)
        return Finding(
            rule=row.id,
            severity=self.severity(found.change),
            path="/" + "/".join(found.path),
            detail=found.change.detail,
            message=row.sentence(found.change),
            location="/" + "/".join(found.location),
        )

    def severity(self, change: Change) -> Severity:
        """Return how much the change weighs under the policy."""
        return self.policy.severity(rule_for(change).id)

    def blocks(self, change: Change) -> bool:
        """Tell whether the change refuses a registration."""
        return self.severity(change) is Severity.BLOCK

    def counts(self, change: Change) -> bool:
        """Tell whether the change is reported at all."""
        return self.severity(change) is not Severity.OFF


def _reaches(bound: Bound | None, entry: HistoryEntry, age: int) -> bool:
    """Tell whether a direction of the level looks as far back as this version."""
    if bound is None:
        return False
    if bound.oldest is None:
        return age == 0
    return entry.number is None or entry.number >= bound.oldest


@dataclass(slots=True)
class _Explainer:
    """Compares, and looks behind findings whose own words do not say what differs."""

    check: _Check
    format: Format
    left: int = EXPLAINED_FINDINGS

    def compare(self, pair: Pair) -> list[Found]:
        comparer = Comparer(
            WALKS[self.format],
            blocks=self.check.blocks,
            counts=self.check.counts,
            budget=self.check.budget,
        )
        try:
            return comparer.compare(pair)
        except ComparisonEnded as end:
            return [end.found]
        except WorkLimitReached:
            return [too_much_work(self.check.budget)]

    def explain(self, found: Iterable[Found], depth: int = 0) -> tuple[Finding, ...]:
        return tuple(self._explained(one, depth) for one in found)

    def _explained(self, found: Found, depth: int) -> Finding:
        finding = self.check.finding(found)
        inner = found.change.nearest
        if inner is None or depth == EXPLAINED_DEPTH or not self.left:
            return finding
        self.left -= 1
        reasons = [one._replace(path=(*found.path, *one.path)) for one in self.compare(inner)]
        return replace(finding, reasons=self.explain(reasons, depth + 1))
