"""Everything that differs between two schemas, whoever reads whose data: one walk in each direction.

What both directions report of one place is one change. How far it is safe follows from the two: data that the
new schema reads is safe for readers to upgrade to, data that the old schema reads is safe for writers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from accord.model import Direction, Level, Severity, Verdict
from accord.policy.explanation import NEW, Texts, explain, finding_data
from accord.policy.judgement import HistoryEntry, Trials
from accord.policy.policies import Policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from accord.formats import ParsedSchema
    from accord.formats.positions import Position
    from accord.policy.comparison import Budget
    from accord.policy.explanation import Data, ExplainedFinding

    Key: TypeAlias = "tuple[Position | None, Position | None, str]"

# The preset that is silent about nothing that a walk reports.
TELLS_ALL = "accord:1"
ORDER = list(Severity)


class Safety(StrEnum):
    """How far a change is safe."""

    BREAKING = "breaking"
    SAFE_FOR_READERS = "safe for readers"
    SAFE_FOR_WRITERS = "safe for writers"
    SAFE = "safe"


MEANINGS = {
    Safety.BREAKING: "Neither side reads what the other one writes.",
    Safety.SAFE_FOR_READERS: "Upgrade the readers first; the old schema cannot read new data.",
    Safety.SAFE_FOR_WRITERS: "Upgrade the writers first; the new schema cannot read old data.",
    Safety.SAFE: "Both sides read what the other one writes.",
}
SAFETIES = {
    (True, True): Safety.BREAKING,
    (False, True): Safety.SAFE_FOR_READERS,
    (True, False): Safety.SAFE_FOR_WRITERS,
    (False, False): Safety.SAFE,
}


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One difference: ``new_reads_old`` and ``old_reads_new`` are what each direction reports of it.

    ``sentence`` is that of the heaviest finding, ``path`` leads to it in the schema that reads there.
    """

    safety: Safety
    sentence: str
    path: str
    new_at: Position | None
    old_at: Position | None
    new_reads_old: tuple[ExplainedFinding, ...]
    old_reads_new: tuple[ExplainedFinding, ...]

    @property
    def breaks(self) -> tuple[Direction, ...]:
        """The directions in which the change breaks."""
        sides = ((Direction.BACKWARD, self.new_reads_old), (Direction.FORWARD, self.old_reads_new))
        return tuple(direction for direction, findings in sides if _blocks(findings))

    @property
    def meaning(self) -> str:
        """What the safety means for those who upgrade."""
        return MEANINGS[self.safety]


def changes(
    old: ParsedSchema,
    new: ParsedSchema,
    *,
    texts: tuple[str, str] | None = None,
    preset: str = TELLS_ALL,
    budget: Budget | None = None,
) -> tuple[SchemaChange, ...]:
    """Return all differences between two schemas, in the order of the new text.

    ``texts`` are the old and the new text as people wrote them, for line and column; else the canonical
    ones count. A preset that leaves rules off leaves their differences out.
    """
    was, is_ = texts or (old.canonical, new.canonical)
    entry = HistoryEntry(None, old)
    trials, policy = Trials(new, [entry], budget=budget), Policy(Level(), preset)
    made = [
        trials.comparison(policy, direction, entry) for direction in (Direction.BACKWARD, Direction.FORWARD)
    ]
    explained = explain(Verdict(tuple(made)), Texts(new.format, is_, {None: was}), name=NEW)
    sides = [one.findings for one in explained.comparisons]
    return tuple(sorted(_merged(*sides), key=lambda one: (one.new_at or (0, 0), one.old_at or (0, 0))))


def _merged(
    backward: Sequence[ExplainedFinding], forward: Sequence[ExplainedFinding]
) -> Iterator[SchemaChange]:
    places: dict[Key, tuple[list[ExplainedFinding], list[ExplainedFinding]]] = {}
    for side, findings in enumerate((backward, forward)):
        for finding in findings:
            places.setdefault(_key(finding), ([], []))[side].append(finding)
    for new_reads_old, old_reads_new in places.values():
        yield _change(new_reads_old, old_reads_new)


def _key(finding: ExplainedFinding) -> Key:
    """A place is two positions; where a format has none, the path."""
    is_placed = finding.new_at is not None or finding.old_at is not None
    return finding.new_at, finding.old_at, "" if is_placed else finding.path


def _change(new_reads_old: list[ExplainedFinding], old_reads_new: list[ExplainedFinding]) -> SchemaChange:
    heaviest = max((*new_reads_old, *old_reads_new), key=lambda one: ORDER.index(one.severity))
    return SchemaChange(
        SAFETIES[_blocks(new_reads_old), _blocks(old_reads_new)],
        heaviest.sentence,
        heaviest.path,
        heaviest.new_at,
        heaviest.old_at,
        tuple(new_reads_old),
        tuple(old_reads_new),
    )


def _blocks(findings: Iterable[ExplainedFinding]) -> bool:
    return any(one.severity is Severity.BLOCK for one in findings)


def change_data(change: SchemaChange) -> Data:
    """Return a change as JSON values."""
    return {
        "safety": str(change.safety),
        "meaning": change.meaning,
        "breaks": [str(direction) for direction in change.breaks],
        "sentence": change.sentence,
        "path": change.path,
        "new": None if change.new_at is None else change.new_at._asdict(),
        "old": None if change.old_at is None else change.old_at._asdict(),
        "new_reads_old": [finding_data(one) for one in change.new_reads_old],
        "old_reads_new": [finding_data(one) for one in change.old_reads_new],
    }
