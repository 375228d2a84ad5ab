"""One change judged by every preset that speaks of its format: who accepts it, who refuses, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from accord.model import Comparison, Severity, Verdict
from accord.policy.comparison import Budget
from accord.policy.explanation import explain, place_data
from accord.policy.judgement import Trials
from accord.policy.level_names import spell_level
from accord.policy.policies import Policy
from accord.policy.verdict_words import VerdictWord, verdict_word
from accord.rules.presets import presets_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from accord.formats import ParsedSchema
    from accord.model import Direction, Finding, Format, Level
    from accord.policy.explanation import Data, ExplainedFinding, Texts
    from accord.policy.judgement import HistoryEntry

    # Who reads, if anybody, and which version is looked at.
    Side: TypeAlias = "tuple[Direction | None, int | None]"

# Of one rule; whoever wants all of them asks one preset for its verdict.
MOST_FINDINGS: Final = 20


@dataclass(frozen=True, slots=True)
class PresetVerdict:
    """What one preset says of a change."""

    preset: str
    verdict: Verdict

    @property
    def is_allowed(self) -> bool:
        """True when nothing blocks."""
        return self.verdict.is_allowed

    @property
    def word(self) -> VerdictWord:
        """The verdict in a word."""
        return verdict_word(self.verdict)

    @property
    def heaviest(self) -> Severity:
        """The weight of the gravest finding; OFF where nothing is said."""
        weights = (finding.severity for finding in self.verdict.findings)
        return max(weights, key=list(Severity).index, default=Severity.OFF)

    @property
    def deciding(self) -> tuple[str, ...]:
        """The rules of the gravest findings, each once: why it is refused, or what it warns of."""
        return tuple(dict.fromkeys(finding.rule for _, finding in self.decisive))

    @property
    def decisive(self) -> Iterator[tuple[Side, Finding]]:
        """The gravest findings, if they block or warn, each with who reads."""
        weight = self.heaviest
        sides: list[tuple[Side, tuple[Finding, ...]]] = [((None, None), self.verdict.own)]
        sides += [((one.direction, one.version), one.findings) for one in self.verdict.comparisons]
        for side, findings in sides if weight in {Severity.BLOCK, Severity.WARN} else ():
            yield from ((side, finding) for finding in findings if finding.severity is weight)


@dataclass(frozen=True, slots=True)
class Group:
    """Presets that say the same for the same reasons."""

    word: VerdictWord
    rules: tuple[str, ...]
    presets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecidingRule:
    """A rule that decides for some preset, and what it finds; ``left_out`` counts what is not told.

    A finding goes with the direction it was found in, or None where it concerns the new schema alone.
    """

    rule: str
    summary: str
    findings: tuple[tuple[Direction | None, ExplainedFinding], ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class PresetMatrix:
    """One change under each preset, and why."""

    format: Format
    level: Level
    rows: tuple[PresetVerdict, ...]
    rules: tuple[DecidingRule, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        """Who says the same."""
        return groups_of(self.rows)

    def count(self, word: VerdictWord) -> int:
        """Return how many presets say so."""
        return sum(one.word is word for one in self.rows)

    @property
    def summary(self) -> str:
        """One sentence on how many allow, warn and refuse."""
        allowed, warned, blocked = (self.count(word) for word in VerdictWord)
        presets = "preset" if len(self.rows) == 1 else "presets"
        return (
            f"Of {len(self.rows)} {presets} {blocked} refuse the change, {warned} warn of it"
            f" and {allowed} let it pass."
        )


def groups_of(rows: Iterable[PresetVerdict]) -> tuple[Group, ...]:
    """Return who says the same, those that allow first, then those that warn."""
    found: dict[tuple[VerdictWord, tuple[str, ...]], list[str]] = {}
    for one in rows:
        found.setdefault((one.word, one.deciding), []).append(one.preset)
    made = (Group(word, rules, tuple(presets)) for (word, rules), presets in found.items())
    return tuple(sorted(made, key=lambda one: list(VerdictWord).index(one.word)))


def judged_by_all(
    candidate: ParsedSchema,
    history: Sequence[HistoryEntry],
    level: Level,
    *,
    presets: Iterable[str] | None = None,
    budget: Budget | None = None,
) -> Mapping[str, PresetVerdict]:
    """Judge under each preset, or those named; history oldest first.

    All of them share the steps that are left of ``budget``, and none takes more than it allows to one; a
    preset for which too few are left blocks with CHECK_TOO_LARGE. Raises `accord.errors.InvalidPolicy` for
    an unknown name.
    """
    names = presets_of(candidate.format) if presets is None else presets
    found = {}
    for name in names:
        own = Budget() if budget is None else Budget(budget.allowed, min(budget.allowed, budget.left))
        before = own.left
        found[name] = PresetVerdict(name, Trials(candidate, history, budget=own).verdict(Policy(level, name)))
        if budget is not None:
            budget.left -= before - max(own.left, 0)
    return found


def preset_matrix(
    candidate: ParsedSchema,
    older: HistoryEntry,
    level: Level,
    texts: Texts,
    *,
    presets: Iterable[str] | None = None,
    budget: Budget | None = None,
) -> PresetMatrix:
    """Judge a change by every preset, or those named, and explain what decides; see `judged_by_all`."""
    found = judged_by_all(candidate, [older], level, presets=presets, budget=budget)
    rows = tuple(found.values())
    return PresetMatrix(candidate.format, level, rows, tuple(_rules(rows, texts)))


def _rules(rows: Iterable[PresetVerdict], texts: Texts) -> Iterator[DecidingRule]:
    """Explain what decides, each finding once, however many presets rely on it."""
    known: dict[tuple[Side, str, str, str], Finding] = {}
    for row in rows:
        for side, finding in row.decisive:
            known.setdefault((side, finding.rule, finding.path, finding.message), finding)
    counts: dict[str, int] = {}
    told: dict[Side, list[Finding]] = {}
    for (side, rule, _, _), finding in known.items():
        counts[rule] = counts.get(rule, 0) + 1
        if counts[rule] <= MOST_FINDINGS:
            told.setdefault(side, []).append(finding)
    shown: dict[str, list[tuple[Direction | None, ExplainedFinding]]] = {}
    for direction, explained in _explained(told, texts):
        shown.setdefault(explained.rule, []).append((direction, explained))
    for rule, findings in shown.items():
        yield DecidingRule(rule, findings[0][1].summary, tuple(findings), counts[rule] - len(findings))


def _explained(
    told: Mapping[Side, list[Finding]], texts: Texts
) -> Iterator[tuple[Direction | None, ExplainedFinding]]:
    compared = tuple(
        Comparison(direction, version, tuple(findings))
        for (direction, version), findings in told.items()
        if direction is not None
    )
    explanation = explain(Verdict(compared, tuple(told.get((None, None), ()))), texts)
    yield from ((None, one) for one in explanation.own)
    for comparison in explanation.comparisons:
        yield from ((comparison.direction, one) for one in comparison.findings)


def matrix_data(matrix: PresetMatrix) -> Data:
    """Return a matrix as JSON values."""
    return {
        "format": str(matrix.format),
        "level": spell_level(matrix.level),
        "summary": matrix.summary,
        "presets": [
            {
                "preset": one.preset,
                "verdict": str(one.word),
                "is_compatible": one.is_allowed,
                "rules": list(one.deciding),
            }
            for one in matrix.rows
        ],
        "rules": [_rule_data(one) for one in matrix.rules],
    }


def _rule_data(rule: DecidingRule) -> Data:
    return {
        "rule": rule.rule,
        "summary": rule.summary,
        "findings": [
            {
                "direction": None if direction is None else str(direction),
                "path": one.path,
                "new": place_data(one.new_at, one.new_pointer),
                "old": place_data(one.old_at, one.old_pointer),
                "sentence": one.sentence,
                "advice": one.advice,
            }
            for direction, one in rule.findings
        ],
        "left_out": rule.left_out,
    }
