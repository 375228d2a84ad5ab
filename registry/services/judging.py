"""Verdicts on a candidate, pair by pair, newest version first, each pair judged once per process.

A pair means the same whatever the subject, so its comparisons are remembered by content and given the
version's number afterwards. Texts are read only for pairs nobody remembers: one statement for all of
them, one more if any has references.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from accord.model import Level, Verdict
from accord.model.levels import LATEST
from accord.policy import STEPS_PER_CHECK, Budget, HistoryEntry, Policy, judge
from accord.policy.confluent import messages
from accord.policy.levels import parse_level
from registry.queries.history import closure_of, stored_schemas
from registry.services.candidates import model_of
from registry.services.heavy import HEAVY, LIGHT_STEPS, heavy_turn, turn_for
from registry.services.memory import MODELS, PAIRS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord.formats import ParsedSchema
    from accord.model import Comparison
    from accord_server.kit.scope import Scope
    from registry.queries.history import Coordinates
    from registry.records import HistoryRow, StoredSchema
    from registry.services.candidates import Candidate
    from registry.services.memory import Key

PRESET: Final = "confluent:8.1"
# A pair may take half of what a whole check may: two records of 20,000 lists, compared in both directions,
# take two thirds of that, and so do 20,000 differences.
STEPS_PER_PAIR: Final = STEPS_PER_CHECK // 2


@dataclass(frozen=True, slots=True)
class Opponents:
    """The versions a level compares with, newest first, and the directions it asks for."""

    level: Level
    rows: tuple[HistoryRow, ...]


def opponents(level_name: str, live: Sequence[HistoryRow]) -> Opponents:
    """Choose what a level compares with out of the live versions, oldest first.

    Raises:
        UnknownLevel: There is no such level.
    """
    level = parse_level(level_name)
    if level.backward is None and level.forward is None:
        return Opponents(level, ())
    newest_first = tuple(reversed(live))
    return Opponents(_shallow(level), newest_first if level.is_transitive else newest_first[:1])


def judge_against(scope: Scope, candidate: Candidate, against: Opponents) -> Verdict:
    """Judge a candidate, stopping at the first version that blocks.

    However long the history, the whole check takes at most `STEPS_PER_CHECK` steps; then it blocks.

    Raises:
        TooBusy: This takes long, and so do others just now.
    """
    remembered = {row.schema_key: PAIRS.recall(_pair(candidate, row, against.level)) for row in against.rows}
    unknown = [row for row in against.rows if remembered[row.schema_key] is None]
    models = Models(scope, unknown)
    comparisons: list[Comparison] = []
    with _Effort(sum(row.text_bytes for row in unknown)) as effort:
        for row in against.rows:
            pair = remembered[row.schema_key]
            if pair is None:
                pair = effort.judge(candidate, row, against.level, models.of(row))
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
    scope: Scope, verdict: Verdict, *, level: str, rows: Sequence[HistoryRow], shows_old: bool = True
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
    return tuple(messages(verdict, old_texts=old_texts, level_name=level))


class _Effort(ExitStack):
    """What one check may take: steps, and beyond some light work a turn of its own."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self.enter_context(turn_for(characters))
        self._left = STEPS_PER_CHECK
        self._light = LIGHT_STEPS

    def judge(
        self, candidate: Candidate, row: HistoryRow, level: Level, model: ParsedSchema
    ) -> tuple[Comparison, ...]:
        """Compare one pair: lightly at first, and in turn with all that a pair may take if need be."""
        entry, policy = HistoryEntry(number=row.number, schema=model), Policy(level=level, preset=PRESET)
        allowed = min(self._left, STEPS_PER_PAIR)
        light = min(allowed, self._light)
        if light < allowed and not HEAVY.is_held:
            budget = Budget(allowed, light)
            found = judge(candidate.parsed, [entry], policy, budget=budget).comparisons
            if budget.left >= 0:
                self._light = budget.left
                self._left -= light - budget.left
                return _kept(_pair(candidate, row, level), found)
            self.enter_context(heavy_turn())
        budget = Budget(allowed, allowed)
        found = judge(candidate.parsed, [entry], policy, budget=budget).comparisons
        self._left -= allowed - max(budget.left, 0)
        # What ran out of a shortened budget says nothing about the pair.
        is_whole = allowed == STEPS_PER_PAIR or budget.left >= 0
        return _kept(_pair(candidate, row, level), found) if is_whole else found


def _kept(key: Key, found: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
    PAIRS.keep(key, found, weight=1 + sum(len(comparison.findings) for comparison in found))
    return found


def _shallow(level: Level) -> Level:
    """Reduce a level to its directions: a pair is judged the same however deep the level looks."""
    return Level(
        backward=LATEST if level.backward is not None else None,
        forward=LATEST if level.forward is not None else None,
        frozen=level.frozen,
    )


def _pair(candidate: Candidate, row: HistoryRow, level: Level) -> Key:
    return (*candidate.key, row.content_key, level, PRESET)
