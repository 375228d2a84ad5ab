"""The verdict on a candidate: which versions it is compared with, and what the findings weigh.

Newest version first; a version that blocks ends the check. Each version is compared in every
direction the level asks for, forward first, as Confluent does.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from accord.diff import SPELLINGS, WALKS
from accord.diff.changes import FormatDiffers, FrozenContent, NotClosed, Pair
from accord.formats import is_equivalent, opened, unclosed
from accord.formats.places import pointer_token
from accord.model import Comparison, Direction, Finding, Severity, Verdict
from accord.policy.comparison import (
    Budget,
    Comparer,
    ComparisonEnded,
    Found,
    WorkLimitReached,
    too_much_work,
)
from accord.rules.table import PRESETS, rule, rule_for, rules

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from accord.diff.changes import RowKey
    from accord.formats import ParsedSchema
    from accord.model import Bound, Format, Level
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
    return Trials(candidate, history, budget=budget).verdict(policy)


class Trials:
    """One candidate held against one history under any number of policies.

    Policies that differ in their level alone share every comparison, so no direction of a pair is judged
    twice; the steps of ``budget`` are shared by all of them.
    """

    def __init__(
        self, candidate: ParsedSchema, history: Sequence[HistoryEntry], *, budget: Budget | None = None
    ) -> None:
        self.candidate = candidate
        self.history = tuple(history)
        self.budget = budget or Budget()
        self._checks: dict[Hashable, _Check] = {}

    def verdict(self, policy: Policy) -> Verdict:
        """Judge under a policy, from the newest version to the first that blocks."""
        check = self._check(policy)
        comparisons: list[Comparison] = []
        for age, entry in enumerate(reversed(self.history)):
            made = list(check.against(entry, policy.level, age=age))
            comparisons += made
            if any(comparison.is_blocked for comparison in made):
                break
        return Verdict(tuple(comparisons), check.own())

    def comparison(self, policy: Policy, direction: Direction, entry: HistoryEntry) -> Comparison:
        """Compare with one version in one direction, whatever the level."""
        return self._check(policy).comparison(direction, entry)

    def _check(self, policy: Policy) -> _Check:
        overrides, replacements = (frozenset(one.items()) for one in (policy.overrides, policy.replacements))
        key = (policy.preset, overrides, replacements, policy.transform)
        if key not in self._checks:
            self._checks[key] = _Check(self.candidate, policy, _weights(policy), self.budget)
        return self._checks[key]


def _weights(policy: Policy) -> Mapping[RowKey, Severity]:
    """Return how much each kind of change weighs; all that depends on the preset is worked out once."""
    weights = _preset_weights(policy.preset)
    changed = (*policy.overrides, *policy.replacements)
    return weights | {rule(name).change: policy.severity(name) for name in changed} if changed else weights


@cache
def _preset_weights(preset: str) -> dict[RowKey, Severity]:
    return {row.change: PRESETS[preset][row.id] for row in rules()}


@dataclass(frozen=True, slots=True)
class _Check:
    """One candidate under one policy, whose level does not count; comparisons are remembered."""

    candidate: ParsedSchema
    policy: Policy
    weights: Mapping[RowKey, Severity]
    budget: Budget
    opened: dict[int, ParsedSchema] = field(default_factory=dict)
    found: dict[tuple[Direction, int], tuple[Finding, ...]] = field(default_factory=dict)

    def own(self) -> tuple[Finding, ...]:
        """Return what the policy has to say about the candidate by itself."""
        if self.weights[NotClosed] is Severity.OFF:
            return ()
        found = [Found(NotClosed(steps), steps, steps) for steps in unclosed(self.candidate)]
        return self._weigh(found, self.candidate.format)

    def against(self, entry: HistoryEntry, level: Level, *, age: int) -> Iterator[Comparison]:
        """Compare with one version; ``age`` 0 is the latest."""
        if level.frozen:
            yield from self._frozen(entry, age)
            return
        for direction, bound in ((Direction.FORWARD, level.forward), (Direction.BACKWARD, level.backward)):
            if _reaches(bound, entry, age):
                yield self.comparison(direction, entry)

    def comparison(self, direction: Direction, entry: HistoryEntry) -> Comparison:
        """Compare with one version in one direction, once for each schema."""
        key = (direction, id(entry.schema))
        if key not in self.found:
            sides = (self.candidate, entry.schema)
            reader, writer = sides if direction is Direction.BACKWARD else reversed(sides)
            self.found[key] = self._findings(reader, writer)
        return Comparison(direction, entry.number, self.found[key])

    def _frozen(self, entry: HistoryEntry, age: int) -> Iterator[Comparison]:
        if age == 0:
            same = is_equivalent(self.candidate, entry.schema)
            found = [] if same else [Found(FrozenContent(()), (), ())]
            yield Comparison(Direction.BACKWARD, entry.number, self._weigh(found, entry.schema.format))

    def _findings(self, reader: ParsedSchema, writer: ParsedSchema) -> tuple[Finding, ...]:
        if reader.format is not writer.format:
            change = FormatDiffers((), reader.format, writer.format)
            return self._weigh([Found(change, (), ())], reader.format)
        reading = self._reading(reader)
        try:
            found = self.compare(Pair(reading.root, writer.root), reader.format, budget=self.budget)
        except WorkLimitReached:
            found = [too_much_work(self.budget)]
        return _Explainer(self, reader.format, self.budget.share()).explain(found)

    def _reading(self, reader: ParsedSchema) -> ParsedSchema:
        """Return the reader as the policy's profile has it; the candidate reads many versions."""
        if not self.policy.profile.opens_reader:
            return reader
        if id(reader) not in self.opened:
            self.opened[id(reader)] = opened(reader)
        return self.opened[id(reader)]

    def compare(self, pair: Pair, format_: Format, *, budget: Budget) -> list[Found]:
        """Return the differences; raises `WorkLimitReached`."""
        try:
            return Comparer(WALKS[format_], self.weights, budget).compare(pair)
        except ComparisonEnded as end:
            return [end.found]

    def _weigh(self, found: Iterable[Found], format_: Format) -> tuple[Finding, ...]:
        weighed = (self.finding(one, format_) for one in found)
        return tuple(one for one in weighed if one.severity is not Severity.OFF)

    def finding(self, found: Found, format_: Format) -> Finding:
        """Give a change its rule, its weight and its words."""
        row = rule_for(found.change)
        name, reader, writer = found.change.facts
        return Finding(
            rule=row.id,
            severity=self.weights[row.change],
            path="/" + "/".join(map(pointer_token, found.path)),
            detail=found.change.detail,
            message=row.sentence(found.change),
            location=SPELLINGS[format_](found.path, found.location),
            name=name,
            reader=reader,
            writer=writer,
            judged_as=self.policy.replacements.get(row.id, ""),
        )


def _reaches(bound: Bound | None, entry: HistoryEntry, age: int) -> bool:
    """Tell whether a direction of the level looks at this version: at the latest it always does."""
    if bound is None:
        return False
    if bound.oldest is None:
        return age == 0
    return age == 0 or entry.number is None or entry.number >= bound.oldest


@dataclass(slots=True)
class _Explainer:
    """Looks behind findings whose own words do not say what differs, within a budget of its own.

    The verdict stands by then, so the reasons must not use up what the rest of the check needs.
    """

    check: _Check
    format: Format
    budget: Budget
    left: int = EXPLAINED_FINDINGS

    def explain(self, found: Iterable[Found], depth: int = 0) -> tuple[Finding, ...]:
        return tuple(self._explained(one, depth) for one in found)

    def _explained(self, found: Found, depth: int) -> Finding:
        finding = self.check.finding(found, self.format)
        inner = found.change.nearest
        if inner is None or depth == EXPLAINED_DEPTH or not self.left:
            return finding
        self.left -= 1
        try:
            behind = self.check.compare(inner, self.format, budget=self.budget)
        except WorkLimitReached:
            return finding
        reasons = [one._replace(path=(*found.path, *inner.at, *one.path)) for one in behind]
        return replace(finding, reasons=self.explain(reasons, depth + 1))
