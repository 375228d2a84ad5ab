"""Verdicts on a candidate, pair by pair, newest version first, each pair judged once per process.

A pair means the same whatever the subject, so a comparison is remembered by content and direction and given
the version's number afterwards. The verdict on a whole history is remembered under the history's stamp, so
that asking again costs nothing for any version. Texts are read only for pairs nobody remembers: one
statement for all of them, one more if any has references.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from functools import cache, partial
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.model import Level, Severity, Verdict
from accord.model.levels import CONFLUENT_LEVELS, LATEST
from accord.policy import STEPS_PER_CHECK, Budget, HistoryEntry, Policy, judge
from accord.policy.besides import told_once
from accord.policy.confluent import messages
from accord.policy.effective import NOT_CLOSED
from accord.policy.level_names import nearest_confluent
from accord.rules.presets import PRESETS
from registry.queries.history import closure_of, stored_schemas
from registry.services.candidates import model_of, restored_model
from registry.services.compiled import CompiledSchemas
from registry.services.heavy import HEAVY, LIGHT_STEPS, heavy_turn, turn_for
from registry.services.memory import MODELS, PAIRS, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from accord.formats import ParsedSchema
    from accord.model import Comparison
    from accord.policy.effective import EffectivePolicy
    from accord_server.kit.scope import Scope
    from registry.queries.history import Coordinates
    from registry.queries.standing import History
    from registry.records import HistoryRow, StoredSchema
    from registry.services.candidates import Candidate
    from registry.services.memory import Key

# One direction of a pair may take half of what a whole check may: two records of 20,000 lists take a third
# of that, and so do 20,000 differences.
STEPS_PER_PAIR: Final = STEPS_PER_CHECK // 2
BOTH: Final = CONFLUENT_LEVELS["FULL_TRANSITIVE"]
FROZEN: Final = Level(frozen=True)
FORWARD: Final = Level(forward=LATEST)
BACKWARD: Final = Level(backward=LATEST)


class Couple(NamedTuple):
    """A version and how the candidate is held against it: in one direction, or as what may not change."""

    row: HistoryRow
    side: Level


def couples_of(level: Level, live: Sequence[HistoryRow]) -> tuple[Couple, ...]:
    """Return what a level compares out of the live versions, oldest first: newest first, forward first."""
    return tuple(
        Couple(row, side)
        for age, row in enumerate(reversed(live))
        for side in sides_at(level, row.number, age=age)
    )


def verdict_of(couples: Iterable[Couple], compare: Callable[[Couple], Comparison]) -> Verdict:
    """Return the verdict on couples in their order, which ends with the version that blocks."""
    made: list[Comparison] = []
    for _, of_version in groupby(couples, key=lambda one: one.row.number):
        found = told_once([compare(couple) for couple in of_version])
        made += found
        if any(one.is_blocked for one in found):
            break
    return Verdict(tuple(made))


def sides_at(level: Level, number: int, *, age: int) -> tuple[Level, ...]:
    """Return what a level asks for at one version; the latest is of age 0."""
    if level.frozen:
        return (FROZEN,) if age == 0 else ()
    bounds = ((FORWARD, level.forward), (BACKWARD, level.backward))
    return tuple(side for side, bound in bounds if bound and bound.reaches(number, age=age))


def weights_of(policy: Policy) -> bytes:
    """Return what names all that a policy says about pairs, whatever members policies will have."""
    values = {one.name: getattr(policy, one.name) for one in fields(policy) if one.name != "level"}
    return hashlib.sha256(repr(_fixed(values)).encode()).digest()


def judge_history(scope: Scope, candidate: Candidate, policy: Policy, history: History) -> Verdict:
    """Judge a candidate as a registration does, stopping at the first version that blocks.

    However long the history, the whole check takes at most `STEPS_PER_CHECK` steps; then it blocks.

    Raises:
        TooBusy: This takes long, and so do others just now.
    """
    return judge_levels(scope, candidate, policy, history, (policy.level,))[policy.level]


def judge_levels(
    scope: Scope, candidate: Candidate, policy: Policy, history: History, levels: Iterable[Level]
) -> dict[Level, Verdict]:
    """Judge a candidate under several levels, and all else as the policy says; no pair is judged twice.

    The first level has the steps of a check of its own, the others as many for each direction together.

    Raises:
        TooBusy: This takes long, and so do others just now.
    """
    named = (scope.tenant.id, history.stamp, *candidate.key, weights_of(policy))
    found = {level: VERDICTS.recall((*named, level)) for level in levels}
    live = history.live
    asked = {level: couples_of(level, live) for level, verdict in found.items() if verdict is None}
    if asked:
        with trials_of(scope, candidate, policy, asked.values()) as trials:
            for level, couples in asked.items():
                found[level] = verdict = trials.verdict(couples)
                if trials.is_whole:
                    VERDICTS.keep((*named, level), verdict, weight=_weight(verdict.comparisons))
                trials.allow(2 * STEPS_PER_CHECK)
    return {level: verdict for level, verdict in found.items() if verdict is not None}


def judge_rows(scope: Scope, candidate: Candidate, policy: Policy, rows: Sequence[HistoryRow]) -> Verdict:
    """Judge a candidate against some versions, oldest first, as if there were no others.

    Raises:
        TooBusy: This takes long, and so do others just now.
    """
    couples = couples_of(policy.level, rows)
    with trials_of(scope, candidate, policy, [couples]) as trials:
        return trials.verdict(couples)


def remembered_verdict(
    scope: Scope, candidate: Candidate, policy: Policy, history: History
) -> Verdict | None:
    """Return what this process knows a registration would be told, if it does."""
    return VERDICTS.recall((scope.tenant.id, history.stamp, *candidate.key, weights_of(policy), policy.level))


def unremembered(candidate: Candidate, policy: Policy, couples: Iterable[Couple]) -> tuple[HistoryRow, ...]:
    """Return the versions that would have to be compared, each once: of the others all is known."""
    return tuple(_recalled(candidate, _of_pairs(policy), couples).unknown.values())


def remember_pair(candidate: Candidate, policy: Policy, couple: Couple, made: Comparison) -> None:
    """Take note of a comparison that was made elsewhere, with all of its findings."""
    key = (*candidate.key, weights_of(_of_pairs(policy)), couple.row.content_key, couple.side)
    PAIRS.keep(key, made, weight=_weight([made]))


class _Recalled(NamedTuple):
    """What a process knows of some couples: their comparisons, and the versions of which one is missing."""

    key: Key
    known: dict[Key, Comparison]
    unknown: dict[Key, HistoryRow]


def _recalled(candidate: Candidate, of_pairs: Policy, couples: Iterable[Couple]) -> _Recalled:
    found = _Recalled((*candidate.key, weights_of(of_pairs)), {}, {})
    rows = {(row.content_key, side): row for row, side in couples}
    for (content, side), row in rows.items():
        comparison = PAIRS.recall((*found.key, content, side))
        if comparison is None:
            found.unknown[content] = row
        else:
            found.known[content, side] = comparison
    return found


@contextmanager
def trials_of(
    scope: Scope, candidate: Candidate, policy: Policy, asked: Iterable[Iterable[Couple]]
) -> Iterator[Trials]:
    """Recall what is known of some couples, and make ready to judge the others.

    Raises:
        TooBusy: They are large, and so are others just now.
    """
    of_pairs = _of_pairs(policy)
    key, known, unknown = _recalled(candidate, of_pairs, (couple for couples in asked for couple in couples))
    models = Models(scope, tuple(unknown.values()))
    with _Effort(sum(row.text_bytes for row in unknown.values())) as effort:
        yield Trials(candidate, of_pairs, key, models, known, effort)


class Trials:
    """One candidate held against stored versions under one policy, whose level does not count.

    ``is_whole`` tells of the last verdict that no comparison was cut short for want of steps.
    """

    def __init__(
        self,
        candidate: Candidate,
        policy: Policy,
        key: Key,
        models: Models,
        known: dict[Key, Comparison],
        effort: _Effort,
    ) -> None:
        self.is_whole = True
        self._candidate = candidate
        self._policy = policy
        self._key = key
        self._models = models
        self._known = known
        self._effort = effort

    def allow(self, steps: int) -> None:
        """Let what comes take so many steps altogether."""
        self._effort.left = steps

    @property
    def left(self) -> int:
        """The steps that what comes may still take."""
        return self._effort.left

    def learn(self, found: Mapping[Couple, Comparison]) -> None:
        """Take over what was found elsewhere, for these trials alone: it may lack findings."""
        self._known |= {(row.content_key, side): made for (row, side), made in found.items()}

    def verdict(self, couples: Iterable[Couple]) -> Verdict:
        """Judge couples in their order, up to the version that blocks."""
        self.is_whole = True
        return verdict_of(couples, self.comparison)

    def comparison(self, couple: Couple) -> Comparison:
        """Compare with one version in one direction, under its number."""
        row, side = couple
        found = self._known.get((row.content_key, side))
        if found is None:
            entry = HistoryEntry(row.number, self._models.of(row))
            found, is_whole = self._effort.judge(
                self._candidate.parsed, entry, replace(self._policy, level=side)
            )
            if is_whole:
                self._known[row.content_key, side] = found
                PAIRS.keep((*self._key, row.content_key, side), found, weight=_weight([found]))
            self.is_whole = self.is_whole and is_whole
        return found if found.version == row.number else replace(found, version=row.number)


class Models:
    """Parsed models of versions: remembered ones first, the texts of the others read all at once."""

    def __init__(self, scope: Scope, rows: Sequence[HistoryRow]) -> None:
        self._scope = scope
        self._rows = rows
        self._texts: Mapping[int, StoredSchema] = {}
        self._behind: Mapping[Coordinates, StoredSchema] = {}
        self._compiled = CompiledSchemas(scope, ())

    def of(self, row: HistoryRow) -> ParsedSchema:
        """Return the model of one of the rows."""
        key = (self._scope.tenant.id, *row.content_key)
        known = MODELS.recall(key)
        if known is not None:
            return known
        stored = self._text(row)
        if stored.descriptor_set is None:
            model = model_of(self._scope.tenant.id, stored, self._behind)
        else:
            model = restored_model(stored, self._compiled.of(stored.descriptor_set))
        model.keep(key)
        return model.parsed

    def _text(self, row: HistoryRow) -> StoredSchema:
        if not self._texts:
            self._texts = stored_schemas(self._scope, {one.schema_key for one in self._rows})
            sets = {key: stored.descriptor_set for key, stored in self._texts.items()}
            self._compiled = CompiledSchemas(self._scope, {one for one in sets.values() if one is not None})
            referring = [
                key for key, one in sets.items() if one is None and self._texts[key].source.references
            ]
            self._behind = closure_of(self._scope, referring) if referring else {}
        return self._texts[row.schema_key]


def asked_by(policy: EffectivePolicy, rule_id: str) -> str:
    """Return who asks for what a rule demands, as people read it."""
    return "; ".join(map(str, policy.asked_by(rule_id)))


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
    asked = cache(partial(asked_by, policy))
    words = messages(verdict, old_texts=old_texts, level_name=level, validate_fields=flag, asked_by=asked)
    return tuple(words)


class _Effort(ExitStack):
    """What one check may take: steps, and beyond some light work a turn of its own."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self.enter_context(turn_for(characters))
        self.left = STEPS_PER_CHECK
        self._light = LIGHT_STEPS

    def judge(self, candidate: ParsedSchema, entry: HistoryEntry, policy: Policy) -> tuple[Comparison, bool]:
        """Compare lightly at first, and in turn with all that a pair may take if need be.

        What ran out of a shortened budget says nothing about the pair; then the second value is False.
        """
        allowed = min(self.left, STEPS_PER_PAIR)
        light = min(allowed, self._light)
        if light < allowed and not HEAVY.is_held:
            budget = Budget(allowed, light)
            (found,) = judge(candidate, [entry], policy, budget=budget).comparisons
            if _is_whole(found):
                self._light = budget.left
                self.left -= light - budget.left
                return found, True
            self.enter_context(heavy_turn())
        budget = Budget(allowed, allowed)
        (found,) = judge(candidate, [entry], policy, budget=budget).comparisons
        self.left -= allowed - max(budget.left, 0)
        return found, allowed == STEPS_PER_PAIR or _is_whole(found)


def _is_whole(found: Comparison) -> bool:
    """Tell whether the steps were enough, for what only warns as well."""
    return all(one.rule != "CHECK_TOO_LARGE" for one in found.findings)


def _weight(comparisons: Iterable[Comparison]) -> int:
    return sum(1 + len(comparison.findings) for comparison in comparisons)


def _of_pairs(policy: Policy) -> Policy:
    """Return the policy without what it says about the candidate alone, which is asked for once."""
    if NOT_CLOSED not in PRESETS[policy.preset] or policy.reported(NOT_CLOSED) is Severity.OFF:
        return policy
    return replace(policy, overrides={**policy.overrides, NOT_CLOSED: Severity.OFF})


def _fixed(value: object) -> object:
    if isinstance(value, Mapping):
        return sorted((str(key), _fixed(one)) for key, one in value.items())
    return value
