"""Verdicts on a candidate, pair by pair, newest version first, each pair judged once per process.

A pair means the same whatever the subject, so its comparisons are remembered by content and given the
version's number afterwards. Texts are read only for pairs nobody remembers: one statement for all of
them, one more if any has references.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final

from accord.model import Level, Severity, Verdict
from accord.model.levels import LATEST
from accord.policy import STEPS_PER_CHECK, Budget, HistoryEntry, Policy, judge
from accord.policy.confluent import messages
from accord.policy.effective import NOT_CLOSED
from accord.policy.level_names import nearest_confluent
from accord.rules.presets import PRESETS
from registry.queries.history import closure_of, stored_schemas
from registry.services.candidates import model_of
from registry.services.heavy import HEAVY, LIGHT_STEPS, heavy_turn, turn_for
from registry.services.memory import MODELS, PAIRS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.formats import ParsedSchema
    from accord.model import Bound, Comparison
    from accord.policy.effective import EffectivePolicy
    from accord_server.kit.scope import Scope
    from registry.queries.history import Coordinates
    from registry.records import HistoryRow, StoredSchema
    from registry.services.candidates import Candidate
    from registry.services.memory import Key

# A pair may take half of what a whole check may: two records of 20,000 lists, compared in both directions,
# take two thirds of that, and so do 20,000 differences.
STEPS_PER_PAIR: Final = STEPS_PER_CHECK // 2


@dataclass(frozen=True, slots=True)
class Opponents:
    """The versions a policy compares with, newest first, each with the directions it asks for there.

    ``policy`` decides how a pair is judged, with the level of the pair in place of its own; ``weights``
    names all of it but the level, so that verdicts on pairs can be remembered.
    """

    policy: Policy
    weights: Key
    rows: tuple[HistoryRow, ...]
    levels: tuple[Level, ...]


def opponents(policy: Policy, live: Sequence[HistoryRow]) -> Opponents:
    """Choose what a policy compares with out of the live versions, oldest first."""
    reached = [
        (row, level)
        for age, row in enumerate(reversed(live))
        if (level := level_at(policy.level, row.number, age=age)) != Level()
    ]
    of_pairs = _of_pairs(policy)
    rows, levels = (tuple(row for row, _ in reached), tuple(level for _, level in reached))
    return Opponents(of_pairs, weights_of(of_pairs), rows, levels)


def level_at(level: Level, number: int, *, age: int) -> Level:
    """Return the directions a level asks for at one version; the latest is of age 0.

    How deep the level looks is left out: a pair is judged the same.
    """
    if level.frozen:
        return level if age == 0 else Level()
    backward, forward = (
        LATEST if _reaches(bound, number, age) else None for bound in (level.backward, level.forward)
    )
    return Level(backward=backward, forward=forward)


def weights_of(policy: Policy) -> Key:
    """Return what names all that a policy says about pairs, whatever members policies will have."""
    values = {one.name: getattr(policy, one.name) for one in fields(policy) if one.name != "level"}
    return tuple((name, _fixed(value)) for name, value in values.items())


def judge_against(scope: Scope, candidate: Candidate, against: Opponents) -> Verdict:
    """Judge a candidate, stopping at the first version that blocks.

    However long the history, the whole check takes at most `STEPS_PER_CHECK` steps; then it blocks.

    Raises:
        TooBusy: This takes long, and so do others just now.
    """
    pairs = [
        _Pair(candidate, row, replace(against.policy, level=level), against.weights)
        for row, level in zip(against.rows, against.levels, strict=True)
    ]
    remembered = [PAIRS.recall(pair.key) for pair in pairs]
    unknown = [pair.row for pair, known in zip(pairs, remembered, strict=True) if known is None]
    models = Models(scope, unknown)
    comparisons: list[Comparison] = []
    with _Effort(sum(row.text_bytes for row in unknown)) as effort:
        for one, known in zip(pairs, remembered, strict=True):
            row = one.row
            pair = effort.judge(one, models.of(row)) if known is None else known
            comparisons += [replace(comparison, version=row.number) for comparison in pair]
            if any(comparison.is_blocked for comparison in pair):
                break
    return Verdict(tuple(comparisons))


class Models:
    """Parsed models of versions: remembered ones first, the texts of the others read all at once."""

    def __init__(self, scope: Scope, rows: Sequence[HistoryRow]) -> None:
        self._scope = scope
        self._rows = rows
        self._texts: Mapping[int, StoredSchema] = {}
        self._behind: Mapping[Coordinates, StoredSchema] = {}

    def of(self, row: HistoryRow) -> ParsedSchema:
        """Return the model of one of the rows."""
        key = (self._scope.tenant.id, *row.content_key)
        known = MODELS.recall(key)
        if known is not None:
            return known
        model = model_of(self._scope.tenant.id, self._text(row), self._behind)
        model.keep(key)
        return model.parsed

    def _text(self, row: HistoryRow) -> StoredSchema:
        if not self._texts:
            self._texts = stored_schemas(self._scope, {one.schema_key for one in self._rows})
            referring = [key for key, stored in self._texts.items() if stored.source.references]
            self._behind = closure_of(self._scope, referring) if referring else {}
        return self._texts[row.schema_key]


def wording(
    scope: Scope, verdict: Verdict, policy: EffectivePolicy, *, rows: Sequence[HistoryRow], shows_old: bool
) -> tuple[str, ...]:
    """Return the messages of a blocking verdict as Confluent words them; none when it allows.

    ``rows`` are the versions compared, of which the failing one is quoted if ``shows_old``.
    """
    if verdict.is_allowed:
        return ()
    failing = {comparison.version for comparison in verdict.comparisons if comparison.is_blocked}
    quoted = {row.schema_key: row.number for row in rows if shows_old and row.number in failing}
    texts = stored_schemas(scope, quoted.keys()) if quoted else {}
    old_texts: dict[int | None, str] = {number: texts[key].source.text for key, number in quoted.items()}
    level, flag = nearest_confluent(policy.level.value), policy.validate_fields.value
    return tuple(messages(verdict, old_texts=old_texts, level_name=level, validate_fields=flag))


@dataclass(frozen=True, slots=True)
class _Pair:
    """A candidate and one version, judged by a policy whose level says in which directions."""

    candidate: Candidate
    row: HistoryRow
    policy: Policy
    weights: Key

    @property
    def key(self) -> Key:
        """All that decides the comparisons."""
        return (*self.candidate.key, self.row.content_key, self.policy.level, self.weights)


class _Effort(ExitStack):
    """What one check may take: steps, and beyond some light work a turn of its own."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self.enter_context(turn_for(characters))
        self._left = STEPS_PER_CHECK
        self._light = LIGHT_STEPS

    def judge(self, pair: _Pair, model: ParsedSchema) -> tuple[Comparison, ...]:
        """Compare one pair: lightly at first, and in turn with all that a pair may take if need be."""
        entry, candidate = HistoryEntry(number=pair.row.number, schema=model), pair.candidate.parsed
        allowed = min(self._left, STEPS_PER_PAIR)
        light = min(allowed, self._light)
        if light < allowed and not HEAVY.is_held:
            budget = Budget(allowed, light)
            found = judge(candidate, [entry], pair.policy, budget=budget).comparisons
            if budget.left >= 0:
                self._light = budget.left
                self._left -= light - budget.left
                return _kept(pair.key, found)
            self.enter_context(heavy_turn())
        budget = Budget(allowed, allowed)
        found = judge(candidate, [entry], pair.policy, budget=budget).comparisons
        self._left -= allowed - max(budget.left, 0)
        # What ran out of a shortened budget says nothing about the pair.
        is_whole = allowed == STEPS_PER_PAIR or budget.left >= 0
        return _kept(pair.key, found) if is_whole else found


def _kept(key: Key, found: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
    PAIRS.keep(key, found, weight=1 + sum(len(comparison.findings) for comparison in found))
    return found


def _reaches(bound: Bound | None, number: int, age: int) -> bool:
    """Tell whether a direction looks at a version: at the latest it always does."""
    return bound is not None and (age == 0 or (bound.oldest is not None and number >= bound.oldest))


def _of_pairs(policy: Policy) -> Policy:
    """Return the policy without what it says about the candidate alone, which is asked for once."""
    if NOT_CLOSED not in PRESETS[policy.preset] or policy.severity(NOT_CLOSED) is Severity.OFF:
        return policy
    return replace(policy, overrides={**policy.overrides, NOT_CLOSED: Severity.OFF})


def _fixed(value: object) -> object:
    if isinstance(value, Mapping):
        return tuple(sorted((str(key), _fixed(one)) for key, one in value.items()))
    return value
