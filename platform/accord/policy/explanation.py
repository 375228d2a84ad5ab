"""A verdict explained: who breaks, where in both texts, and what to change.

The words of rules speak of reader and writer. Here the direction is known, so they say which of the two is
the new schema and which the stored version. Confluent's messages are made of the same findings by
`accord.policy.confluent`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from accord.formats.places import shown_pointer
from accord.formats.protobuf.paths import OWN_PATH
from accord.lint.table import LINT
from accord.model import Direction, Format, Severity
from accord.policy.besides import OPPOSITE
from accord.policy.places import FindingPlaces, Place, Reading
from accord.policy.readability import Readability, readability, readability_of_all
from accord.policy.remedies import Stance, remedy
from accord.rules.table import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from accord.formats.positions import Position
    from accord.formats.protobuf.positions import ProtoPlaces
    from accord.model import Comparison, Finding, Verdict

    Data: TypeAlias = "dict[str, object]"

# Nobody reads further; the rest is counted. A finding with a long sentence or path counts for several.
MOST_FINDINGS = 1_000
CHARACTERS_PER_FINDING = 2_000
# A chain of ten thousand types has a path as long for each of them: the middle of a longer one is left out.
LONGEST_PATH = 1_000
# Characters of stored versions that are read for lines and columns; beyond them findings have none.
MOST_TEXT = 8_000_000
NEW = "the new schema"
OLD = "the old schema"
FROZEN = "FROZEN"
SILENT = frozenset({Readability.UNTOLD, Readability.UNKNOWN})
ROLES = re.compile(r"\bthe (?:(open|closed) )?(reader|writer|data)\b('s)?")


@dataclass(frozen=True, slots=True)
class ExplainedFinding:
    """A finding with its places, a sentence about both sides, and what to do.

    ``new_at`` and ``old_at`` are line and column in the two texts, None where a text is not known.
    ``advice`` is empty where nothing can be suggested. ``effect`` says who reads what if nothing else
    differs, and is empty for what concerns the new schema alone. ``judged_as`` names the rule whose
    weight counts, where a policy replaced this one. ``new_pointer`` and ``old_pointer`` are JSON pointers to
    the two places, empty for the whole text, and None but for JSON Schema. ``is_turned`` marks what was found
    looking the other way than the comparison.
    """

    rule: str
    severity: Severity
    summary: str
    path: str
    new_at: Position | None
    old_at: Position | None
    sentence: str
    advice: str
    effect: str = ""
    judged_as: str = ""
    reasons: tuple[ExplainedFinding, ...] = ()
    new_pointer: str | None = None
    old_pointer: str | None = None
    is_turned: bool = False


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
    """The texts as people wrote them: the new one, and by number the old ones that may be shown.

    ``names`` says what old ones are called, where they are not "version 3"; ``path`` is what findings call
    a Protobuf file; ``known`` holds the places of Protobuf texts that need not be read for them, by text.
    """

    format: Format
    new: str
    old: Mapping[int | None, str] = field(default_factory=dict)
    names: Mapping[int | None, str] = field(default_factory=dict)
    path: str = OWN_PATH
    known: Mapping[str, ProtoPlaces] = field(default_factory=dict)

    def called(self, version: int | None) -> str:
        """Return what an old schema is called in sentences."""
        return self.names.get(version, OLD if version is None else f"version {version}")


def explain(
    verdict: Verdict, texts: Texts, *, name: str = NEW, stance: Stance = Stance.PRODUCER
) -> Explanation:
    """Explain a verdict; ``name`` is what the candidate is called, such as ``version 4``.

    ``stance`` says who is advised.
    """
    made = _Explainer(texts, name, stance)
    own = tuple(made.own(verdict.own)) if verdict.own else ()
    comparisons = tuple(made.comparison(one) for one in verdict.comparisons)
    return Explanation(verdict.is_allowed, _summary(verdict, comparisons, name), own, comparisons)


def sentence_of(finding: Finding, direction: Direction) -> str:
    """Return the sentence about a finding that speaks of the new and the old schema."""
    return _Side(direction, NEW, OLD, places=None, is_old_known=False).sentence(finding)


def summary_of(rule: str) -> str:
    """Return what a rule of compatibility or lint finds; nothing for a rule of another registry."""
    row = TABLE.rows.get(rule) or LINT.rows.get(rule)
    return "" if row is None else row.summary


def _summary(verdict: Verdict, comparisons: Iterable[ExplainedComparison], name: str) -> str:
    # Other names are those of files, which stay as they are.
    start = f"{name[0].upper()}{name[1:]}" if name == NEW or name.startswith("version ") else name
    if verdict.is_allowed:
        warned = sum(one.severity is Severity.WARN for one in verdict.findings)
        counted = "1 warning" if warned == 1 else f"{warned} warnings"
        return f"{start} is compatible" + (f", with {counted}." if warned else ".")
    blocked = [one.sentence for one in comparisons if one.is_blocked]
    return " ".join(blocked) or f"{start} does not fulfil what the policy asks of every schema."


@dataclass(slots=True)
class _Explainer:
    texts: Texts
    name: str
    stance: Stance = Stance.PRODUCER
    room: int = MOST_FINDINGS
    unread: int = field(default_factory=lambda: MOST_TEXT)
    reading: Reading = field(init=False)

    def __post_init__(self) -> None:
        self.reading = Reading(self.texts.path, self.texts.known)

    def own(self, findings: Iterable[Finding]) -> Iterator[ExplainedFinding]:
        texts = self.texts
        places = FindingPlaces(texts.format, reader=texts.new, writer="", by=self.reading)
        side = _Side(Direction.BACKWARD, self.name, OLD, places, is_old_known=False, stance=self.stance)
        for one in self._bounded(findings):
            yield replace(side.finding(one), effect="")

    def comparison(self, comparison: Comparison) -> ExplainedComparison:
        version = comparison.version
        side = _Side(
            comparison.direction,
            self.name,
            self.texts.called(version),
            self._places(comparison),
            is_old_known=version in self.texts.old,
            stance=self.stance,
            is_binary=self.texts.format is Format.PROTOBUF,
        )
        turned = side.turned()
        findings = tuple(
            (turned if one.is_turned else side).finding(one) for one in self._bounded(comparison.findings)
        )
        straight = [one for one in comparison.findings if not one.is_turned]
        found = readability_of_all(self.texts.format, straight)
        return ExplainedComparison(
            comparison.direction,
            version,
            comparison.is_blocked,
            side.reader,
            side.writer,
            side.outcome(straight, found, is_blocked=comparison.is_blocked)
            or side.untold(is_blocked=comparison.is_blocked),
            side.upgrade(comparison, found),
            findings,
            len(comparison.findings) - len(findings),
        )

    def _bounded(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        for finding in findings:
            if self.room <= 0:
                break
            written = len(finding.message) + len(finding.path)
            self.room -= 1 + written // CHARACTERS_PER_FINDING
            yield finding

    def _places(self, comparison: Comparison) -> FindingPlaces | None:
        if not comparison.findings or self.room <= 0:
            return None
        old, new = self.texts.old.get(comparison.version, ""), self.texts.new
        self.unread -= len(old)
        if self.unread < 0:
            return None
        is_backward = comparison.direction is Direction.BACKWARD
        reader, writer = (new, old) if is_backward else (old, new)
        return FindingPlaces(self.texts.format, reader=reader, writer=writer, by=self.reading)


@dataclass(frozen=True, slots=True)
class _Side:
    """One direction: who is who, and where things are."""

    direction: Direction
    new: str
    old: str
    places: FindingPlaces | None
    is_old_known: bool
    stance: Stance = Stance.PRODUCER
    is_turned: bool = False
    is_binary: bool = False

    def turned(self) -> _Side:
        """Return the other direction, for what a preset finds there whoever reads."""
        return replace(self, direction=OPPOSITE[self.direction], is_turned=True)

    @property
    def reader(self) -> str:
        return self.new if self.direction is Direction.BACKWARD else self.old

    @property
    def writer(self) -> str:
        return self.old if self.direction is Direction.BACKWARD else self.new

    def finding(self, finding: Finding) -> ExplainedFinding:
        new, old = self._located(finding)
        return ExplainedFinding(
            finding.rule,
            finding.severity,
            summary_of(finding.rule),
            shown_pointer(finding.path, LONGEST_PATH),
            None if new is None else new.position,
            None if old is None else old.position,
            self.sentence(finding),
            remedy(finding, self.direction, self.old, self.stance, self._named),
            self.outcome((finding,), readability((finding,)), is_blocked=finding.severity is Severity.BLOCK),
            finding.judged_as,
            tuple(map(self.finding, finding.reasons)),
            None if new is None else _shown(new.pointer),
            None if old is None else _shown(old.pointer),
            self.is_turned,
        )

    def _named(self, finding: Finding) -> str:
        """Return the place in the new schema that advice is about, as its text has it if that is known."""
        new, _ = self._located(finding)
        is_backward = self.direction is Direction.BACKWARD
        steps = (finding.held if is_backward else finding.lost) or finding.path
        return steps if new is None or new.wanted is None else new.wanted

    def _located(self, finding: Finding) -> tuple[Place | None, Place | None]:
        if self.places is None:
            return None, None
        at = {"held": finding.held, "lost": finding.lost}
        reader, writer = self.places.locate(finding.path, **at, is_turned=self.is_turned)
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

    def outcome(self, findings: Iterable[Finding], found: Readability, *, is_blocked: bool) -> str:
        """Say whether data is read, which the formats decide, and what the policy makes of it."""
        if any(finding.rule == FROZEN for finding in findings):
            return f"The subject is frozen at {self.old}."
        wrote = "wrote" if self.direction is Direction.BACKWARD else "write"
        what = "the binary data that" if self.is_binary else "what"
        reads = f"{what} writers on {self.writer} {wrote}"
        match found:
            case Readability.UNREADABLE:
                passes = "" if is_blocked else " The policy lets it pass all the same."
                return f"Readers on {self.reader} cannot read {reads}.{passes}"
            case Readability.UNKNOWN:
                return f"It cannot be told whether readers on {self.reader} can read {reads}."
            case Readability.UNTOLD:
                return ""
            case _:
                refused = ", but the policy does not allow the change" if is_blocked else ""
                return f"Readers on {self.reader} can read {reads}{refused}."

    def untold(self, *, is_blocked: bool) -> str:
        """Say what the policy makes of a comparison whose findings do not tell whether data is read."""
        who = f"readers on {self.reader} and writers on {self.writer}"
        if is_blocked:
            return f"The policy does not allow what changed between {who}."
        return f"The policy finds nothing to refuse between {who}."

    def upgrade(self, comparison: Comparison, found: Readability) -> str:
        is_frozen = any(finding.rule == FROZEN for finding in comparison.findings)
        if not comparison.is_blocked or is_frozen or found in SILENT:
            return ""
        if found is Readability.READABLE:
            return "No reader stops. The policy alone stands in the way, so no order of upgrades helps."
        if self.direction is Direction.BACKWARD:
            return (
                f"Whoever reads with {self.new} {self._fails(self.old)}."
                f" Upgrading the writers first helps only once no such record is left."
            )
        return (
            f"Whoever still reads with {self.old} {self._fails(self.new)}."
            f" It would take every reader to be upgraded before the first writer."
        )

    def _fails(self, writer: str) -> str:
        """A parser of Protobuf need not fail: a value of another wire type is passed over."""
        if self.is_binary:
            return f"stops at records of {writer}, or loses values of them without a word"
        return f"stops at the first record of {writer} that it cannot read"


def explanation_data(explanation: Explanation) -> Data:
    """Return an explanation as JSON values."""
    return {
        "is_allowed": explanation.is_allowed,
        "summary": explanation.summary,
        "own": [finding_data(one) for one in explanation.own],
        "comparisons": [_comparison_data(one) for one in explanation.comparisons],
    }


def _comparison_data(one: ExplainedComparison) -> Data:
    return {
        "direction": str(one.direction),
        "version": one.version,
        "is_blocked": one.is_blocked,
        "reader": one.reader,
        "writer": one.writer,
        "sentence": one.sentence,
        "upgrade": one.upgrade,
        "findings": [finding_data(finding) for finding in one.findings],
        "left_out": one.left_out,
    }


def finding_data(one: ExplainedFinding) -> Data:
    """Return a finding as JSON values."""
    return {
        "rule": one.rule,
        "severity": str(one.severity),
        "summary": one.summary,
        "path": one.path,
        "new": place_data(one.new_at, one.new_pointer),
        "old": place_data(one.old_at, one.old_pointer),
        "sentence": one.sentence,
        "advice": one.advice,
        "effect": one.effect,
        "judged_as": one.judged_as or None,
        "reasons": [finding_data(reason) for reason in one.reasons],
        **({"is_turned": True} if one.is_turned else {}),
    }


def place_data(place: Position | None, pointer: str | None = None) -> Data | None:
    """Return line and column as JSON values, and the pointer where there is one."""
    if place is None:
        return None
    found: Data = {"line": place.line, "column": place.column}
    return found if pointer is None else {**found, "pointer": pointer}


def _shown(pointer: str | None) -> str | None:
    return shown_pointer(pointer, LONGEST_PATH) if pointer else pointer
