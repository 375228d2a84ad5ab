"""What a check that runs by itself writes down after each version, and the verdict it ends with."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from accord.model import Comparison, Direction, Finding, SchemaText, Severity, SubjectName, Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Policy
from accord.policy.explanation import MOST_FINDINGS
from accord.policy.ignoring import Ignored
from accord.policy.level_names import read_level
from accord.policy.policies import Transform
from registry.services.judging import BACKWARD, FORWARD, FROZEN, couples_of, sides_at, verdict_of
from registry.services.questions import Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from accord.model import Level
    from registry.models import CheckRun
    from registry.records import HistoryRow
    from registry.services.judging import Couple

Json = dict[str, Any]
SIDES: Final = {"forward": FORWARD, "backward": BACKWARD, "frozen": FROZEN}
# Members of a stored policy that only errands have: the versions that the candidate refers to, and whether
# the version that blocks is the last one compared.
TARGETS: Final = "targets"
ENDS_EARLY: Final = "ends_early"
MOST_OF_ERRAND: Final = 5 * MOST_FINDINGS
NAMES: Final = {side: name for name, side in SIDES.items()}


def asked_to_store(policy: Policy, asked: Question) -> Json:
    """Return what decides about a run, to be read back by the worker."""
    return {
        "preset": policy.preset,
        "overrides": dict(policy.overrides),
        "replacements": dict(policy.replacements),
        "transform": policy.transform,
        "ignored": asdict(policy.ignored),
        "ignored_places": {rule: list(places) for rule, places in policy.ignored_places.items()},
        "ignores_formats": policy.ignores_formats,
        "also_warns": policy.also_warns,
        "written": asked.source.text,
        "name": asked.name,
        "in_force": asked.policy,
        "own": [asdict(one) for one in asked.own],
    }


def policy_of(row: CheckRun) -> Policy:
    """Return the policy that was in force when the check was asked for."""
    known = row.policy
    return Policy(
        read_level(row.level),
        known["preset"],
        {rule: Severity(weight) for rule, weight in known["overrides"].items()},
        known["replacements"],
        Transform(known["transform"]),
        # Runs asked for by an earlier release lack some of these.
        ignored=ignored_in(known.get("ignored", {})),
        ignored_places={rule: tuple(places) for rule, places in known.get("ignored_places", {}).items()},
        ignores_formats=known.get("ignores_formats", False),
        also_warns=known.get("also_warns", ""),
    )


def ignored_in(stored: Mapping[str, Any]) -> Ignored:
    """Return what a stored policy does not look at."""
    paths, packages = stored.get("paths", ()), stored.get("packages", ())
    return Ignored(tuple(paths), tuple(packages), unstable=bool(stored.get("unstable")))


def question_in(row: CheckRun, source: SchemaText) -> Question:
    """Return what was asked; ``source`` is the candidate's stored text."""
    known = row.policy
    return Question(
        SubjectName(row.name, row.context),
        SchemaText(source.format, known["written"], source.references),
        known["name"],
        read_level(row.level),
        known["preset"],
        known["in_force"],
        tuple(map(_finding, known["own"])),
    )


def sides_for(level: Level, number: int, *, age: int, is_errand: bool) -> tuple[Level, ...]:
    """Return how a version is compared: for a registration as its level says, else for every level."""
    if is_errand:
        return sides_at(level, number, age=age)
    return (*((FROZEN,) if level.frozen and age == 0 else ()), FORWARD, BACKWARD)


def comparison_to_store(couple: Couple, made: Comparison, *, room: int) -> Json:
    """Return a comparison with as many findings as there is room for, and one that blocks if any does."""
    kept = made.findings[: max(room, 0)]
    blocking = [one for one in made.findings if one.severity is Severity.BLOCK]
    if not any(one.severity is Severity.BLOCK for one in kept):
        kept = (*kept, *blocking[:1])
    return {
        "version": couple.row.number,
        "side": NAMES[couple.side],
        "direction": made.direction,
        "findings": [asdict(one) for one in kept],
        "left_out": len(made.findings) - len(kept),
    }


def room_left(found: Iterable[Mapping[str, Any]], *, is_errand: bool) -> int:
    """Return how many more findings are kept; a registration is told more of them than can be explained."""
    return (MOST_OF_ERRAND if is_errand else MOST_FINDINGS) - sum(len(one["findings"]) for one in found)


class Progress:
    """What was found so far about the versions that are still there, oldest first."""

    def __init__(self, found: Iterable[Mapping[str, Any]], live: Sequence[HistoryRow]) -> None:
        self._live = live
        self._found = {(one["version"], SIDES[one["side"]]): one for one in found}

    def whole(self, level: Level) -> Verdict:
        """Return the verdict on every version, not only up to the first that blocks."""
        return Verdict(tuple(map(self.comparison, self._couples(level))))

    def verdict(self, level: Level) -> Verdict | None:
        """Return the verdict up to the version that blocks; None if something is missing for it."""
        couples = couples_of(level, self._live)
        try:
            return verdict_of(couples, self.comparison)
        except KeyError:
            return None

    def unabridged(self, level: Level) -> Verdict | None:
        """Return the verdict on every version with every finding; None if one was not written down."""
        complete = self.complete_couples(level)
        if len(complete) < len(couples_of(level, self._live)):
            return None
        return Verdict(tuple(map(self.comparison, complete)))

    def levels(self) -> dict[str, Verdict]:
        """Return the verdict of each level, up to the version that blocks."""
        return {
            name: verdict_of(self._couples(level), self.comparison)
            for name, level in CONFLUENT_LEVELS.items()
        }

    def left_out(self, level: Level) -> list[int]:
        """Return how many findings of each comparison of `whole` were not written down."""
        return [self._found[row.number, side]["left_out"] for row, side in self._couples(level)]

    def comparisons(self, level: Level) -> dict[Couple, Comparison]:
        """Return what was written down of each couple."""
        return {couple: self.comparison(couple) for couple in self._couples(level)}

    def _couples(self, level: Level) -> list[Couple]:
        return [one for one in couples_of(level, self._live) if (one.row.number, one.side) in self._found]

    def complete_couples(self, level: Level) -> list[Couple]:
        """Return the couples of which every finding was written down."""
        counted = zip(self._couples(level), self.left_out(level), strict=True)
        return [couple for couple, left_out in counted if not left_out]

    def comparison(self, couple: Couple) -> Comparison:
        """Return what was found about one of the couples."""
        found = self._found[couple.row.number, couple.side]
        # Runs begun by an earlier release have no direction; a preset may look the other way than was asked.
        asked = Direction.FORWARD if couple.side == FORWARD else Direction.BACKWARD
        direction = Direction(found.get("direction", asked))
        return Comparison(direction, couple.row.number, tuple(map(_finding, found["findings"])))


def _finding(stored: Mapping[str, Any]) -> Finding:
    reasons = tuple(map(_finding, stored["reasons"]))
    return Finding(**{**stored, "severity": Severity(stored["severity"]), "reasons": reasons})
