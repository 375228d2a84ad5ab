"""A verdict in words: one sentence, a row per level, a row per finding, who breaks and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord.lint.table import LINT
from accord.model import Direction, Severity, Verdict
from accord.policy.besides import OPPOSITE
from accord.policy.explanation import FROZEN, Texts, explain
from accord.policy.level_names import read_level
from accord.policy.matrix import LevelVerdict
from accord.policy.remedies import Stance
from accord.rules import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from accord.formats.positions import Position
    from accord.model import Comparison
    from accord.policy.explanation import ExplainedComparison, ExplainedFinding
    from frontend.pages.shell import Label

    # A finding, and the comparison that tells it.
    Told: TypeAlias = "tuple[ExplainedFinding, ExplainedComparison]"

# Shown in this order; the names are those of the Confluent dialect.
LEVELS: Final = (
    "NONE",
    "BACKWARD",
    "BACKWARD_TRANSITIVE",
    "FORWARD",
    "FORWARD_TRANSITIVE",
    "FULL",
    "FULL_TRANSITIVE",
)
# Of one pair, these two levels together hold every finding that any level can have.
BOTH_DIRECTIONS: Final = ("BACKWARD", "FORWARD")
SEVERITIES: Final[dict[Severity, Label]] = {
    Severity.BLOCK: gettext_lazy("Blocks"),
    Severity.WARN: gettext_lazy("Warns"),
    Severity.INFO: gettext_lazy("Info"),
    Severity.OFF: gettext_lazy("Off"),
}
WOULD_BE: Final[dict[Severity, Label]] = {
    **SEVERITIES,
    Severity.BLOCK: gettext_lazy("Would block"),
    Severity.WARN: gettext_lazy("Would warn"),
}
# The levels that look in a direction; with depth they look further the same way.
LEVELS_OF: Final = {Direction.BACKWARD: ("BACKWARD", "FULL"), Direction.FORWARD: ("FORWARD", "FULL")}
MAX_FINDINGS: Final = 500
MAX_RULES: Final = 3
MAX_REASONS: Final = 5


class Outcome(StrEnum):
    """How a pair fares; the values are classes of the style sheet."""

    PASS = "pass"  # noqa: S105 - a class of the style sheet
    WARN = "warn"
    FAIL = "fail"


BADGES: Final = {
    Severity.BLOCK: ("fail", "cross"),
    Severity.WARN: ("warn", "alert"),
    Severity.INFO: ("info", "info"),
    Severity.OFF: ("info", "minus"),
}
LEVEL_LABELS: Final[dict[Outcome, Label]] = {
    Outcome.PASS: gettext_lazy("Allowed"),
    Outcome.WARN: gettext_lazy("Allowed, with warnings"),
    Outcome.FAIL: gettext_lazy("Refused"),
}
SIGNS: Final = {Outcome.PASS: "check", Outcome.WARN: "alert", Outcome.FAIL: "cross"}


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """What is judged: ``new`` replaces ``old``, with the texts as the page shows them.

    ``address`` is that of the subject's definition, to which versions and lines are added.
    """

    old: int
    new: int
    texts: Texts
    address: str = ""

    def url(self, version: int, at: Position | None = None) -> str:
        """Return the address of a version, or of a line of it."""
        return f"{self.address}?v={version}" + (f"#L{at.line}" if at else "")


@dataclass(frozen=True, slots=True)
class RuleLink:
    """A rule and the address of its page, if it has one."""

    id: str
    url: str


@dataclass(frozen=True, slots=True)
class LevelRow:
    """One level: what comes of the newer version, the newest stored version it fails on, and why."""

    name: str
    outcome: Outcome
    is_in_force: bool
    fails_on: int | None
    fails_url: str
    rules: tuple[RuleLink, ...]
    hidden: int

    @property
    def label(self) -> Label:
        """The outcome in a word."""
        return LEVEL_LABELS[self.outcome]

    @property
    def icon(self) -> str:
        """The sign of the outcome."""
        return SIGNS[self.outcome]


@dataclass(frozen=True, slots=True)
class PlaceLink:
    """A line of one of the texts."""

    version: int
    line: int
    url: str


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding as the table prints it."""

    severity: Severity
    rule: RuleLink
    path: str
    sentence: str
    advice: str
    judged_as: str
    places: tuple[PlaceLink, ...]
    reasons: tuple[str, ...]
    who: str
    levels: str
    is_in_force: bool

    @property
    def severity_label(self) -> Label:
        """What the finding does, or would do if the level in force asked for this direction."""
        return (SEVERITIES if self.is_in_force else WOULD_BE)[self.severity]

    @property
    def badge(self) -> str:
        """The class that colours the severity: only what counts is coloured."""
        return BADGES[self.severity][0] if self.is_in_force else "info"

    @property
    def icon(self) -> str:
        """The sign of the severity: colour is never alone."""
        return BADGES[self.severity][1]


@dataclass(frozen=True, slots=True)
class VerdictPanel:
    """The verdict on "``new`` replaces ``old``" with everything that explains it."""

    outcome: Outcome
    sentence: str
    note: str
    levels: tuple[LevelRow, ...]
    findings: tuple[FindingRow, ...]
    hidden: int

    @property
    def icon(self) -> str:
        """The sign of the outcome."""
        return SIGNS[self.outcome]


def verdict_panel(
    verdicts: Mapping[str, Verdict], pair: ComparedPair, *, level: str, stance: Stance = Stance.PRODUCER
) -> VerdictPanel:
    """Put the verdicts of one pair, by level, into words; transitive ones also tell of versions before.

    ``level`` is the one in force, which is among the verdicts; ``stance`` says who is advised.
    """
    compared = _compared(verdicts, pair, level, stance)
    told = _told(compared)
    rows = tuple(_row(one, pair, level=level) for one in told[:MAX_FINDINGS])
    in_force = LevelVerdict(level, verdicts[level])
    outcome = _outcome(in_force.verdict)
    shown = LEVELS if level in LEVELS else (*LEVELS, level)
    return VerdictPanel(
        outcome=outcome,
        sentence=_sentence(outcome, pair, level=level),
        note=_note(in_force.version, pair),
        levels=tuple(_level(LevelVerdict(name, verdicts[name]), pair, level=level) for name in shown),
        findings=rows,
        hidden=len(told) - len(rows) + sum(one.left_out for one in compared),
    )


def rule_link(rule: str) -> RuleLink:
    """Return a rule with the address of its page, or with none where it has no page."""
    if rule not in table.TABLE.rows and rule not in LINT.rows:
        return RuleLink(rule, "")
    return RuleLink(rule, reverse("frontend:rule", args=[rule]))


def _level(found: LevelVerdict, pair: ComparedPair, *, level: str) -> LevelRow:
    outcome = _outcome(found.verdict)
    weight = Severity.BLOCK if outcome is Outcome.FAIL else Severity.WARN
    deciding = dict.fromkeys(one.rule for one in found.verdict.findings if one.severity is weight)
    return LevelRow(
        name=found.level,
        outcome=outcome,
        is_in_force=found.level == level,
        fails_on=found.version,
        fails_url=pair.url(found.version) if found.version else "",
        rules=tuple(rule_link(rule) for rule in islice(deciding, MAX_RULES)),
        hidden=max(0, len(deciding) - MAX_RULES),
    )


def _outcome(verdict: Verdict) -> Outcome:
    if not verdict.is_allowed:
        return Outcome.FAIL
    warns = any(finding.severity is Severity.WARN for finding in verdict.findings)
    return Outcome.WARN if warns else Outcome.PASS


def _sentence(outcome: Outcome, pair: ComparedPair, *, level: str) -> str:
    values = {"old": pair.old, "new": pair.new, "level": level}
    match outcome:
        case Outcome.PASS:
            return _("Compatible. Version %(new)s can replace version %(old)s under %(level)s.") % values
        case Outcome.WARN:
            text = _(
                "Compatible, with warnings. Version %(new)s can replace version %(old)s under %(level)s."
            )
            return text % values
        case Outcome.FAIL:
            return _("Incompatible. Version %(new)s cannot replace version %(old)s under %(level)s.") % values


def _note(fails_on: int | None, pair: ComparedPair) -> str:
    """Say which version fails where it is another than the older one shown; the newest is judged first."""
    if fails_on in {None, pair.old}:
        return ""
    values = {"new": pair.new, "old": pair.old, "number": fails_on}
    if fails_on < pair.old:
        return _("Version %(new)s fits version %(old)s, but not version %(number)s before it.") % values
    return _("The version that it fails on is version %(number)s.") % values


def _compared(
    verdicts: Mapping[str, Verdict], pair: ComparedPair, level: str, stance: Stance
) -> tuple[ExplainedComparison, ...]:
    """Explain both directions of the pair, then what the level in force blames on versions before it."""
    asked = [one for name in BOTH_DIRECTIONS for one in verdicts[name].comparisons]
    in_force: tuple[Comparison, ...] = verdicts[level].comparisons
    further = [one for one in in_force if one.version != pair.old or read_level(level).frozen]
    verdict = Verdict((*asked, *further))
    name = _("version %(new)s") % {"new": pair.new}
    return explain(verdict, pair.texts, name=name, stance=stance).comparisons


def _told(compared: Iterable[ExplainedComparison]) -> list[list[Told]]:
    """Put what is told of both directions together: a preset that looks one way tells the same in each."""
    found: dict[tuple[object, ...], list[Told]] = {}
    for comparison in compared:
        for finding in comparison.findings:
            looks = OPPOSITE[comparison.direction] if finding.is_turned else comparison.direction
            what = (finding.rule, finding.path, finding.sentence, finding.severity)
            found.setdefault((comparison.version, looks, *what), []).append((finding, comparison))
    return list(found.values())


def _row(told: list[Told], pair: ComparedPair, *, level: str) -> FindingRow:
    finding, comparison = told[0]
    directions = _directions(level)
    is_frozen = finding.rule == FROZEN
    names = {name for _, one in told for name in LEVELS_OF[one.direction]}
    return FindingRow(
        severity=finding.severity,
        rule=rule_link(finding.rule),
        path=finding.path,
        sentence=finding.sentence,
        advice=finding.advice,
        judged_as=finding.judged_as,
        places=tuple(_places(finding, comparison, pair)),
        reasons=tuple(one.sentence for one in finding.reasons[:MAX_REASONS]),
        who=finding.effect,
        levels=level if is_frozen else ", ".join(sorted(names, key=LEVELS.index)),
        is_in_force=is_frozen or any(one.direction in directions for _, one in told),
    )


def _directions(level: str) -> set[Direction]:
    found = read_level(level)
    sides = {Direction.BACKWARD: found.backward, Direction.FORWARD: found.forward}
    return {direction for direction, bound in sides.items() if bound is not None}


def _places(
    finding: ExplainedFinding, comparison: ExplainedComparison, pair: ComparedPair
) -> Iterator[PlaceLink]:
    for version, at in ((comparison.version, finding.old_at), (pair.new, finding.new_at)):
        if version is not None and at is not None:
            yield PlaceLink(version, at.line, pair.url(version, at))
