"""Explained findings with the files they are about, as every output tells them.

What a finding says, and where, is made by `accord.policy.explanation` and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.formats.protobuf.paths import OWN_PATH
from accord.model import Direction
from accord.policy.besides import OPPOSITE
from accord.policy.explanation import Explanation, Texts, explain
from accord.policy.places import NOTHING
from accord.policy.remedies import stance_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.cli.cases import Case, Outcome
    from accord.formats.positions import Position
    from accord.formats.protobuf.positions import ProtoPlaces
    from accord.model import Severity, Verdict
    from accord.policy.explanation import ExplainedComparison, ExplainedFinding
    from accord.policy.remedies import Stance

SENTENCES = {Direction.BACKWARD: "new reads old", Direction.FORWARD: "old reads new"}


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a file or in what stands for one; line and column count from 1."""

    name: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        known = [str(one) for one in (self.line, self.column) if one is not None]
        return ":".join([self.name, *known])


@dataclass(frozen=True, slots=True)
class Told:
    """An explained finding and the names of both sides.

    ``comparison`` and ``old_name`` are missing where it is about the new schema by itself; ``against`` is
    what sentences call the old one.
    """

    finding: ExplainedFinding
    new_name: str
    comparison: ExplainedComparison | None = None
    old_name: str = ""
    against: str = ""

    @property
    def severity(self) -> Severity:
        """How much it weighs."""
        return self.finding.severity

    @property
    def direction(self) -> Direction | None:
        """Which side reads, if there are two."""
        if self.comparison is None:
            return None
        looks = self.comparison.direction
        return OPPOSITE[looks] if self.finding.is_turned else looks

    @property
    def new(self) -> Site:
        """The place in the new schema."""
        return site(self.new_name, self.finding.new_at)

    @property
    def old(self) -> Site | None:
        """The place in the old schema, if there is one."""
        return None if self.comparison is None else site(self.old_name, self.finding.old_at)

    @property
    def reader(self) -> Site:
        """The place in the side that reads."""
        return self.old if self.old is not None and self.direction is Direction.FORWARD else self.new

    @property
    def writer(self) -> Site | None:
        """The place in the side that wrote."""
        return self.new if self.direction is Direction.FORWARD else self.old

    @property
    def couple(self) -> str:
        """Who reads whom, in words; empty for a finding about the new schema by itself."""
        return "" if self.direction is None else f"{SENTENCES[self.direction]}, {self.against}"

    @property
    def reasons(self) -> Iterator[Told]:
        """The findings further in that explain this one."""
        for reason in self.finding.reasons:
            yield Told(reason, self.new_name, self.comparison, self.old_name, self.against)


def site(name: str, place: Position | None) -> Site:
    """A place in a schema of that name, or the schema where no place is known."""
    return Site(name) if place is None else Site(name, *place)


def explained(
    case: Case,
    verdict: Verdict,
    *,
    path: str = OWN_PATH,
    known: Mapping[str, ProtoPlaces] = NOTHING,
    stance: Stance | None = None,
) -> Explanation:
    """Explain the verdict on a case in the names of its files and versions.

    ``path`` and ``known`` are as in `accord.policy.explanation.Texts`; ``stance`` says who is advised, if not
    a producer.
    """
    schema, history = case.new.schema, case.history
    same = {one.number: one.source.schema for one in history}
    texts = Texts(
        schema.format,
        schema.text,
        {number: old.text for number, old in same.items() if old.format is schema.format},
        {one.number: one.label for one in history},
        path,
        known,
    )
    return explain(verdict, texts, stance=stance or stance_of(case.decision.policy))


def told(outcome: Outcome) -> tuple[Told, ...]:
    """All findings of an outcome: those about the new schema by itself, then those of each comparison."""
    case, explanation = outcome.case, outcome.explanation
    if case is None or explanation is None:
        return ()
    compared = (one for comparison in explanation.comparisons for one in told_in(case, comparison))
    return (*told_alone(case, explanation), *compared)


def told_alone(case: Case, explanation: Explanation) -> tuple[Told, ...]:
    """The findings about the new schema by itself."""
    return tuple(Told(finding, case.new.name) for finding in explanation.own)


def told_in(case: Case, comparison: ExplainedComparison) -> tuple[Told, ...]:
    """The findings of one comparison."""
    older = next(one for one in case.history if one.number == comparison.version)
    return tuple(
        Told(finding, case.new.name, comparison, older.source.name, older.label)
        for finding in comparison.findings
    )
