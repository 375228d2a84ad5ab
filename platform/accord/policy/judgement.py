"""The verdict on a candidate: which versions it is compared with, and what the findings weigh.

Newest version first; a version that blocks ends the check. Each version is compared in every
direction the level asks for, forward first, as Confluent does.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from accord.diff import SPELLINGS, WALKS, Manner
from accord.diff.changes import FormatDiffers, FrozenContent, NotClosed, Pair, Ways
from accord.formats import is_equivalent, opened, unclosed
from accord.formats.places import pointer_token
from accord.model import Comparison, Direction, Finding, Format, Severity, Verdict
from accord.policy.besides import OPPOSITE, joined, told_once, weighed, with_turned
from accord.policy.comparison import (
    Budget,
    Comparer,
    ComparisonEnded,
    Found,
    WorkLimitReached,
    spelling_steps,
    too_much_work,
)
from accord.policy.ignored_places import NO_PLACES, IgnoredPlaces
from accord.policy.ignoring import NOTHING
from accord.policy.policies import column_of
from accord.rules.presets import FORWARD
from accord.rules.table import rule, rule_for, rules
from accord.rules.words import inside_not

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from accord.diff.changes import RowKey, Tokens
    from accord.formats import ParsedSchema
    from accord.model import Level
    from accord.policy.policies import Policy

    Weights: TypeAlias = Mapping[RowKey, Severity]

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
    twice; the steps of ``budget`` are shared by all of them. What presets are asked besides has as many steps
    of its own, so that no verdict depends on warnings.
    """

    def __init__(
        self, candidate: ParsedSchema, history: Sequence[HistoryEntry], *, budget: Budget | None = None
    ) -> None:
        self.candidate = candidate
        self.history = tuple(history)
        self.budget = budget or Budget()
        self._beside = Budget(self.budget.allowed, self.budget.left)
        self._checks: dict[Hashable, _Check] = {}

    def verdict(self, policy: Policy) -> Verdict:
        """Judge under a policy, from the newest version to the first that blocks."""
        check = self._check(policy)
        comparisons: list[Comparison] = []
        for age, entry in enumerate(reversed(self.history)):
            made = told_once([*check.against(entry, policy.level, age=age)])
            comparisons += made
            if any(comparison.is_blocked for comparison in made):
                break
        return Verdict(tuple(comparisons), check.own())

    def comparison(self, policy: Policy, direction: Direction, entry: HistoryEntry) -> Comparison:
        """Compare with one version in one direction, whatever the level."""
        return self._check(policy).comparison(direction, direction, entry)

    def refill(self) -> None:
        """Give what comes next all steps again."""
        self.budget.refill()
        self._beside.refill()

    def _check(self, policy: Policy) -> _Check:
        said = (policy.overrides, policy.replacements, policy.ignored_places)
        plain = (policy.preset, policy.transform, policy.ignores_formats, policy.ignored)
        key = (*plain, policy.also_warns, *(frozenset(one.items()) for one in said))
        if key not in self._checks:
            besides = tuple(self._made(one, self._beside) for one in policy.besides(self.candidate.format))
            self._checks[key] = self._made(policy, self.budget, besides)
        return self._checks[key]

    def _made(self, policy: Policy, budget: Budget, besides: tuple[_Check, ...] = ()) -> _Check:
        weights = {direction: _weights(policy, direction) for direction in Direction}
        return _Check(self.candidate, policy, weights, budget, self._beside, _places(policy), besides)


def _weights(policy: Policy, direction: Direction) -> Weights:
    """Return how much each kind of change weighs; all that depends on the preset is worked out once."""
    weights = _preset_weights(policy.preset, direction)
    changed = (*policy.overrides, *policy.replacements)
    if not changed:
        return weights
    return weights | {rule(name).change: policy.severity(name, direction) for name in changed}


def _places(policy: Policy) -> IgnoredPlaces:
    if not policy.ignored_places:
        return NO_PLACES
    return _made_places(frozenset(policy.ignored_places.items()))


@lru_cache(maxsize=4)
def _made_places(named: frozenset[tuple[str, tuple[str, ...]]]) -> IgnoredPlaces:
    return IgnoredPlaces({rule(name).change: places for name, places in named})


@cache
def _preset_weights(preset: str, direction: Direction) -> dict[RowKey, Severity]:
    cells = column_of(preset, direction)
    return {row.change: cells[row.id] for row in rules()}


@dataclass(frozen=True, slots=True)
class _Check:
    """One candidate under one policy, whose level does not count; comparisons are remembered.

    ``besides`` find what is told and refuses nothing. Looking the other way as well, as exact comparisons do,
    takes its steps from ``beside_budget``.
    """

    candidate: ParsedSchema
    policy: Policy
    weights: Mapping[Direction, Weights]
    budget: Budget
    beside_budget: Budget
    places: IgnoredPlaces
    besides: tuple[_Check, ...] = ()
    opened: dict[int, ParsedSchema] = field(default_factory=dict)
    found: dict[tuple[Direction, int], tuple[Finding, ...]] = field(default_factory=dict)

    def own(self) -> tuple[Finding, ...]:
        """Return what the policy has to say about the candidate by itself."""
        return joined(self.unclosed(), self._lowered((one, one.unclosed()) for one in self.besides))

    def unclosed(self) -> tuple[Finding, ...]:
        """Return where this finds objects that are not closed, if it looks for them."""
        side = _Side(self, self.candidate.format)
        if side.weights[NotClosed] is Severity.OFF:
            return ()
        found = [Found(NotClosed(steps), steps, steps) for steps in unclosed(self.candidate)]
        return side.weigh(found)

    def against(self, entry: HistoryEntry, level: Level, *, age: int) -> Iterator[Comparison]:
        """Compare with one version; ``age`` 0 is the latest."""
        if level.frozen:
            yield from self._frozen(entry, age)
            return
        bounds = ((Direction.FORWARD, level.forward), (Direction.BACKWARD, level.backward))
        for asked, bound in bounds:
            if bound is not None and bound.reaches(entry.number, age=age):
                yield self.comparison(self._looks(asked, entry), asked, entry)

    def _looks(self, direction: Direction, entry: HistoryEntry) -> Direction:
        """Return where a preset looks: some hold new against old, whatever the direction asked for."""
        policy = self.policy
        is_told_apart = policy.preset in FORWARD or policy.profile.swaps(entry.schema.format)
        return direction if is_told_apart else Direction.BACKWARD

    def comparison(self, direction: Direction, asked: Direction, entry: HistoryEntry) -> Comparison:
        """Compare with one version in one direction, in which the preset looks for the one asked for."""
        found = self.findings(direction, entry.schema)
        if any(one.rule == "CHECK_TOO_LARGE" for one in found):
            return Comparison(direction, entry.number, found)
        others = ((one, one.beside(direction, asked, entry)) for one in self.besides)
        return Comparison(direction, entry.number, joined(found, self._lowered(others)))

    def beside(self, direction: Direction, asked: Direction, entry: HistoryEntry) -> Iterator[Finding]:
        """Yield what this finds, told beside a comparison in a direction; it may look the other way."""
        looks = self._looks(asked, entry)
        for one in self.findings(looks, entry.schema):
            yield one if looks is direction else replace(one, is_turned=not one.is_turned)

    def _lowered(self, besides: Iterable[tuple[_Check, Iterable[Finding]]]) -> Iterator[Finding]:
        for check, findings in besides:
            for one in findings:
                weight = self.policy.weight_beside(check.policy, one.rule, one.severity)
                yield weighed(one, weight)

    def findings(self, direction: Direction, schema: ParsedSchema) -> tuple[Finding, ...]:
        """Return what is found in one direction, looked for once for each schema."""
        key = (direction, id(schema))
        if key not in self.found:
            found = self._findings(direction, schema, self.budget)
            profile = self.policy.profile
            if profile.is_exact and profile.swaps(schema.format):
                turned = self._findings(OPPOSITE[direction], schema, self.beside_budget)
                found = with_turned(found, turned)
            self.found[key] = found
        return self.found[key]

    def _frozen(self, entry: HistoryEntry, age: int) -> Iterator[Comparison]:
        if age == 0:
            same = is_equivalent(self.candidate, entry.schema)
            found = [] if same else [Found(FrozenContent(()), (), ())]
            side = _Side(self, entry.schema.format)
            yield Comparison(Direction.BACKWARD, entry.number, side.weigh(found))

    def _findings(self, direction: Direction, other: ParsedSchema, budget: Budget) -> tuple[Finding, ...]:
        is_swapped = direction is Direction.FORWARD and self.policy.profile.swaps(other.format)
        reader, writer = (other, self.candidate) if is_swapped else (self.candidate, other)
        side = _Side(self, reader.format, direction, is_swapped=is_swapped)
        if reader.format is not writer.format:
            change = FormatDiffers((), reader.format, writer.format)
            return side.weigh([Found(change, (), ())])
        pair = Pair(self._reading(reader).root, writer.root)
        try:
            found = self._minded(side.compare(pair, budget=budget), pair)
        except WorkLimitReached:
            found = [too_much_work(budget, reader.format)]
        told = _Explainer(side, budget.share()).explain(found)
        return _up_to_first(told) if self._stops_at_first(reader.format) else told

    def _stops_at_first(self, format_: Format) -> bool:
        return format_ is Format.PROTOBUF and self.policy.profile.protobuf.stops_at_first

    def _minded(self, found: list[Found], pair: Pair) -> list[Found]:
        """Leave out what the policy ignores; the first step of a place in Protobuf is its file."""
        ignored = self.policy.ignored
        if ignored == NOTHING:
            return found
        roots = (pair.reader, pair.writer)
        return [one for one in found if not one.path or not ignored.is_ignored(one.path[0], roots)]

    def _reading(self, reader: ParsedSchema) -> ParsedSchema:
        """Return the reader as the policy's profile has it; the candidate reads many versions.

        Where both sides are held against each other exactly, both are taken as they are.
        """
        profile = self.policy.profile
        if profile.is_exact or not profile.opens_reader:
            return reader
        if id(reader) not in self.opened:
            self.opened[id(reader)] = opened(reader)
        return self.opened[id(reader)]


@dataclass(frozen=True, slots=True)
class _Side:
    """One direction of a check, in one format; ``is_swapped`` where the older schema reads."""

    check: _Check
    format: Format
    direction: Direction = Direction.BACKWARD
    is_swapped: bool = False

    @property
    def weights(self) -> Weights:
        return self.check.weights[self.direction]

    def compare(self, pair: Pair, *, budget: Budget, at: Tokens = ()) -> list[Found]:
        """Return the differences of a pair that stands ``at`` a place; raises `WorkLimitReached`."""
        profile = self.check.policy.profile
        how = Manner(
            profile.protobuf,
            is_swapped=self.is_swapped,
            ignores_formats=profile.ignores_formats,
            is_exact=profile.is_exact,
        )
        walk = WALKS[self.format](how)
        try:
            return Comparer(walk, self.weights, budget, self.check.places).compare(pair, at=at)
        except ComparisonEnded as end:
            return [end.found]

    def weigh(self, found: Iterable[Found]) -> tuple[Finding, ...]:
        """Return what weighs something."""
        places = self.check.places
        counting = (one for one in found if not places.is_ignored(one.change.row, places.start, one.path))
        weighed = (self.finding(one) for one in counting)
        return tuple(one for one in weighed if one.severity is not Severity.OFF)

    def finding(self, found: Found) -> Finding:
        """Give a change its rule, its weight and its words."""
        row, ways = rule_for(found.change), found.ways or Ways(found.path, found.path)
        name, reader, writer = found.change.facts
        return Finding(
            rule=row.id,
            severity=self.weights[row.change],
            path=_pointer(found.path),
            detail=found.change.detail,
            message=row.sentence(found.change),
            location=SPELLINGS[self.format](found.change.lost or found.path, found.location),
            name=name,
            reader=reader,
            writer=writer,
            judged_as=self.check.policy.replacements.get(row.id, ""),
            lost=_elsewhere(found.change.lost or ways.writer, found.path),
            held=_elsewhere(ways.reader, found.path),
            is_turned=self.direction is Direction.FORWARD and not self.is_swapped,
        )


def _elsewhere(tokens: Tokens, path: Tokens) -> str:
    """Return the pointer to a place that is not where the path says; nothing for one that is."""
    return "" if tokens == path else _pointer(tokens)


def _up_to_first(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return what is told up to the first finding that blocks, that included."""
    weights = [one.severity for one in findings]
    return findings[: weights.index(Severity.BLOCK) + 1] if Severity.BLOCK in weights else findings


def _pointer(tokens: Tokens) -> str:
    return "/" + "/".join(map(pointer_token, tokens))


@dataclass(slots=True)
class _Explainer:
    """Looks behind findings whose own words do not say what differs, within a budget of its own.

    The verdict stands by then, so the reasons must not use up what the rest of the check needs.
    """

    side: _Side
    budget: Budget
    left: int = EXPLAINED_FINDINGS

    def explain(
        self, found: Iterable[Found], depth: int = 0, *, is_turned: bool = False
    ) -> tuple[Finding, ...]:
        return tuple(self._explained(one, depth, is_turned=is_turned) for one in found)

    def _explained(self, found: Found, depth: int, *, is_turned: bool) -> Finding:
        finding = self._turned(found) if is_turned else self.side.finding(found)
        if depth == EXPLAINED_DEPTH:
            return finding
        is_turned ^= found.change.is_nearest_turned
        reasons = [
            one for inner in found.change.nearest for one in self._behind(found, inner, is_turned=is_turned)
        ]
        return replace(finding, reasons=self.explain(reasons, depth + 1, is_turned=is_turned))

    def _behind(self, found: Found, inner: Pair, *, is_turned: bool) -> list[Found]:
        """Return what differs in a pair that explains a change, as far as the budget goes."""
        if not self.left:
            return []
        self.left -= 1
        before = (*found.path, *inner.at)
        try:
            behind = self.side.compare(inner, budget=self.budget, at=before)
            self.budget.spend(len(behind) * spelling_steps(before))
        except WorkLimitReached:
            return []
        return [one.behind(found, inner, is_turned=is_turned) for one in behind]

    def _turned(self, found: Found) -> Finding:
        change = found.change.turned
        finding = self.side.finding(found._replace(change=change))
        return replace(finding, message=inside_not(change), is_negated=True)
