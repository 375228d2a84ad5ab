"""A verdict explained: who breaks, where in both texts, and what to change.

The words of rules speak of reader and writer. Here the direction is known, so they say which of the two is
the new schema and which the stored version. Confluent's messages are made of the same findings by
`accord.policy.confluent`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from accord.model import Direction, Severity
from accord.policy.places import FindingPlaces
from accord.policy.remedies import remedy
from accord.rules.table import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from accord.formats.positions import Position
    from accord.model import Comparison, Finding, Format, Verdict

    Data: TypeAlias = "dict[str, object]"

# Nobody reads further; the rest is counted.
MOST_FINDINGS = 1_000
NEW = "the new schema"
OLD = "the old schema"
ROLES = re.compile(r"\bthe (?:(open|closed) )?(reader|writer|data)\b('s)?")


@dataclass(frozen=True, slots=True)
class ExplainedFinding:
    """A finding with its places, a sentence about both sides, and what to do.

    ``new_at`` and ``old_at`` are line and column in the two texts, None where a text is not known.
    ``advice`` is empty where nothing can be suggested. ``judged_as`` names the rule whose weight counts,
    where a policy replaced this one.
    """

    rule: str
    severity: Severity
    summary: str
    path: str
    new_at: Position | None
    old_at: Position | None
    sentence: str
    advice: str
    judged_as: str = ""
    reasons: tuple[ExplainedFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class ExplainedComparison:
    """One direction against one version: which side breaks and who would have to be upgraded first.

    ``left_out`` counts findings beyond `MOST_FINDINGS` of the whole verdict.
    """

    direction: Direction
    version: int | None
    is_blocked: bool
    reader: str
    writer: str
    sentence: str
    upgrade: str
    findings: tuple[ExplainedFinding, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Explanation:
    """A whole verdict; ``summary`` is one sentence, ``own`` are findings about the new schema by itself."""

    is_allowed: bool
    summary: str
    own: tuple[ExplainedFinding, ...]
    comparisons: tuple[ExplainedComparison, ...]


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts as people wrote them: the new one, and by number the old ones that may be shown."""

    format: Format
    new: str
    old: Mapping[int | None, str] = field(default_factory=dict)


def explain(verdict: Verdict, texts: Texts, *, name: str = NEW) -> Explanation:
    """Explain a verdict; ``name`` is what the candidate is called, such as ``version 4``."""
    made = _Explainer(texts, name)
    own = tuple(made.own(verdict.own)) if verdict.own else ()
    comparisons = tuple(made.comparison(one) for one in verdict.comparisons)
    return Explanation(verdict.is_allowed, _summary(verdict, comparisons, name), own, comparisons)


def _summary(verdict: Verdict, comparisons: Iterable[ExplainedComparison], name: str) -> str:
    if verdict.is_allowed:
        warned = sum(one.severity is Severity.WARN for one in verdict.findings)
        return f"{name} is compatible" + (f", with {warned} warnings" if warned else "")
    blocked = [one.sentence for one in comparisons if one.is_blocked]
    return " ".join(blocked) or f"{name} does not fulfil what the policy asks of every schema."


@dataclass(slots=True)
class _Explainer:
    texts: Texts
    name: str
    room: int = MOST_FINDINGS

    def own(self, findings: Iterable[Finding]) -> Iterator[ExplainedFinding]:
        texts = self.texts
        places = FindingPlaces(texts.format, reader=texts.new, writer="")
        side = _Side(Direction.BACKWARD, self.name, OLD, places, is_old_known=False)
        yield from map(side.finding, self._bounded(findings))

    def comparison(self, comparison: Comparison) -> ExplainedComparison:
        version = comparison.version
        old = OLD if version is None else f"version {version}"
        side = _Side(
            comparison.direction,
            self.name,
            old,
            self._places(comparison),
            is_old_known=version in self.texts.old,
        )
        findings = tuple(map(side.finding, self._bounded(comparison.findings)))
        return ExplainedComparison(
            comparison.direction,
            version,
            comparison.is_blocked,
            side.reader,
            side.writer,
            side.outcome(comparison),
            side.upgrade(comparison),
            findings,
            len(comparison.findings) - len(findings),
        )

    def _bounded(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        for finding in islice(findings, self.room):
            self.room -= 1
            yield finding

    def _places(self, comparison: Comparison) -> FindingPlaces | None:
        if not comparison.findings or not self.room:
            return None
        old, new = self.texts.old.get(comparison.version, ""), self.texts.new
        is_backward = comparison.direction is Direction.BACKWARD
        reader, writer = (new, old) if is_backward else (old, new)
        return FindingPlaces(self.texts.format, reader=reader, writer=writer)


@dataclass(frozen=True, slots=True)
class _Side:
    """One direction: who is who, and where things are."""

    direction: Direction
    new: str
    old: str
    places: FindingPlaces | None
    is_old_known: bool

    @property
    def reader(self) -> str:
        return self.new if self.direction is Direction.BACKWARD else self.old

    @property
    def writer(self) -> str:
        return self.old if self.direction is Direction.BACKWARD else self.new

    def finding(self, finding: Finding) -> ExplainedFinding:
        new_at, old_at = self._located(finding.path)
        row = TABLE.rows.get(finding.rule)
        return ExplainedFinding(
            finding.rule,
            finding.severity,
            row.summary if row is not None else "",
            finding.path,
            new_at,
            old_at,
            self.sentence(finding),
            remedy(finding, self.direction, self.old),
            finding.judged_as,
            tuple(map(self.finding, finding.reasons)),
        )

    def _located(self, path: str) -> tuple[Position | None, Position | None]:
        found = None if self.places is None else self.places.locate(path)
        if found is None:
            return None, None
        reader, writer = found
        new, old = (reader, writer) if self.direction is Direction.BACKWARD else (writer, reader)
        return new, old if self.is_old_known else None

    def sentence(self, finding: Finding) -> str:
        """Say who is who in the words of a rule; what people wrote stays as it is."""
        written = [one for one in (finding.name, finding.reader, finding.writer) if " " in one]
        values = "|".join(re.escape(one) for one in sorted(written, key=len, reverse=True))
        pieces = re.split(f"({values})", finding.message) if values else [finding.message]
        # Every second piece is a value.
        return "".join(
            piece if position % 2 else ROLES.sub(self._role, piece) for position, piece in enumerate(pieces)
        )

    def _role(self, match: re.Match[str]) -> str:
        model, role, owning = match.groups(default="")
        if role == "data":
            return f"data of {self.writer}"
        who = self.reader if role == "reader" else self.writer
        return f"{who}{owning}" + (f" (an {model} object)" if model == "open" else "")

    def outcome(self, comparison: Comparison) -> str:
        if any(finding.rule == "FROZEN" for finding in comparison.findings):
            return f"The subject is frozen at {self.old}."
        can = "cannot" if comparison.is_blocked else "can"
        wrote = "wrote" if self.direction is Direction.BACKWARD else "write"
        return f"Readers on {self.reader} {can} read what writers on {self.writer} {wrote}."

    def upgrade(self, comparison: Comparison) -> str:
        if not comparison.is_blocked:
            return ""
        if self.direction is Direction.BACKWARD:
            return (
                f"Whoever reads with {self.new} stops at the first record of {self.old}."
                f" Upgrading the writers first helps only once no such record is left."
            )
        return (
            f"Whoever still reads with {self.old} stops at the first record of {self.new}."
            f" It would take every reader to be upgraded before the first writer."
        )


def explanation_data(explanation: Explanation) -> Data:
    """Return an explanation as JSON values."""
    return {
        "isAllowed": explanation.is_allowed,
        "summary": explanation.summary,
        "own": [finding_data(one) for one in explanation.own],
        "comparisons": [_comparison_data(one) for one in explanation.comparisons],
    }


def _comparison_data(one: ExplainedComparison) -> Data:
    return {
        "direction": str(one.direction),
        "version": one.version,
        "isBlocked": one.is_blocked,
        "reader": one.reader,
        "writer": one.writer,
        "sentence": one.sentence,
        "upgrade": one.upgrade,
        "findings": [finding_data(finding) for finding in one.findings],
        "leftOut": one.left_out,
    }


def finding_data(one: ExplainedFinding) -> Data:
    """Return a finding as JSON values."""
    return {
        "rule": one.rule,
        "severity": str(one.severity),
        "summary": one.summary,
        "path": one.path,
        "new": _place_data(one.new_at),
        "old": _place_data(one.old_at),
        "sentence": one.sentence,
        "advice": one.advice,
        "judgedAs": one.judged_as or None,
        "reasons": [finding_data(reason) for reason in one.reasons],
    }


def _place_data(place: Position | None) -> Data | None:
    return None if place is None else {"line": place.line, "column": place.column}
