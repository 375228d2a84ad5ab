"""Verdicts on a candidate, pair by pair, newest version first, each pair judged once per process.

A pair means the same whatever the subject, so its comparisons are remembered by content and given the
version's number afterwards. Texts are read only for pairs nobody remembers: one statement for all of
them, one more if any has references.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from accord.model import Level, Verdict
from accord.model.levels import LATEST
from accord.policy import STEPS_PER_CHECK, Budget, HistoryEntry, Policy, judge
from accord.policy.confluent import messages
from accord.policy.levels import parse_level
from registry.queries.history import closure_of, stored_schemas
from registry.services.candidates import parse_stored
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
# A pair may take a quarter of what a whole check may: about a second of one core at the very worst, while
# two records of 20,000 nullable fields take 60,000 steps each way.
STEPS_PER_PAIR: Final = STEPS_PER_CHECK // 4


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
    """
    left = STEPS_PER_CHECK
    remembered = {row.schema_key: PAIRS.recall(_pair(candidate, row, against.level)) for row in against.rows}
    models = Models(scope, [row for row in against.rows if remembered[row.schema_key] is None])
    comparisons: list[Comparison] = []
    for row in against.rows:
        pair = remembered[row.schema_key]
        if pair is None:
            budget = _budget(left)
            pair = _judge_pair(candidate, row, against.level, models.of(row), budget=budget)
            left -= budget.allowed - max(budget.left, 0)
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
        if known is None:
            stored = self._text(row)
            known = parse_stored(stored, self._behind)
            MODELS.keep(key, known, weight=len(stored.source.text))
        return known

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


def _budget(left: int) -> Budget:
    steps = min(left, STEPS_PER_PAIR)
    return Budget(steps, steps)


def _judge_pair(
    candidate: Candidate, row: HistoryRow, level: Level, model: ParsedSchema, *, budget: Budget
) -> tuple[Comparison, ...]:
    entry = HistoryEntry(number=row.number, schema=model)
    found = judge(candidate.parsed, [entry], Policy(level=level, preset=PRESET), budget=budget).comparisons
    # What ran out of a shortened budget says nothing about the pair.
    if budget.allowed == STEPS_PER_PAIR or budget.left >= 0:
        weight = 1 + sum(len(comparison.findings) for comparison in found)
        PAIRS.keep(_pair(candidate, row, level), found, weight=weight)
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
