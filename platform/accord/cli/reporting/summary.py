"""All outcomes of a check, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from accord.cli.cases import Status
from accord.cli.explaining import SENTENCES
from accord.model import Severity
from accord.policy.verdict_words import VerdictWord

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.cli.cases import Outcome
    from accord.cli.explaining import Told
    from accord.policy.verdict_words import LevelWord

UNUSABLE: Final = 2


@dataclass(frozen=True, slots=True)
class Report:
    """The outcomes of a check; ``is_strict`` lets warnings refuse, ``has_levels`` tells of every level.

    ``verb`` is what somebody called.
    """

    verb: ClassVar[str] = "accord check"
    outcomes: Sequence[Outcome]
    is_strict: bool = False
    has_levels: bool = False

    def refuses(self, told: Told) -> bool:
        """Tell whether a finding refuses the schema it is about."""
        return told.severity is Severity.BLOCK or (self.is_strict and told.severity is Severity.WARN)

    def is_refused(self, outcome: Outcome) -> bool:
        """Tell whether a file may not be registered."""
        return outcome.status is Status.BLOCKED or (self.is_strict and outcome.has_warnings)

    @property
    def exit_code(self) -> int:
        """0 where all is well, 1 where something is refused, 2 where something could not be judged."""
        if any(one.status is Status.UNREADABLE for one in self.outcomes):
            return UNUSABLE
        return int(any(self.is_refused(one) for one in self.outcomes))

    def verdict(self, outcome: Outcome) -> str:
        """What came of a file, in the word that programs are told."""
        if outcome.status in (Status.UNREADABLE, Status.SKIPPED):
            return str(outcome.status)
        return str(VerdictWord.of(is_allowed=not self.is_refused(outcome), is_warned=outcome.has_warnings))

    def words(self, outcome: Outcome) -> str:
        """What came of a file, in the word that people are told."""
        if outcome.status in (Status.UNREADABLE, Status.SKIPPED):
            return str(outcome.status)
        return "incompatible" if self.is_refused(outcome) else "compatible"

    def about(self, outcome: Outcome) -> str:
        """What a file was held against, and by what: behind the words for people."""
        case = outcome.case
        if case is None:
            return ""
        match case.history:
            case ():
                against = "by itself"
            case (one,):
                against = f"against {one.source.name}"
            case versions:
                against = f"against {len(versions)} versions"
        return f" {against} ({case.decision.words})"

    def levels(self, outcome: Outcome) -> Iterator[tuple[str, str]]:
        """Every level with what comes of a file under it, where that was asked for."""
        if self.has_levels and outcome.case is not None and outcome.levels is not None:
            labels = {one.number: one.label for one in outcome.case.history}
            for name, one in outcome.levels().items():
                yield name, _words(one, labels.get(one.version, f"version {one.version}"))


def _words(one: LevelWord, label: str) -> str:
    if one.is_allowed:
        return "compatible"
    if not one.directions:
        return "incompatible by itself"
    directions = " and ".join(SENTENCES[direction] for direction in one.directions)
    return f"incompatible with {label} ({directions})"
