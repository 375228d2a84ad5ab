"""A case to its outcome: parse both sides, judge, and hear the registry where its word counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.cli.cases import Outcome, Status
from accord.cli.explaining import explained
from accord.cli.files import parse_schema
from accord.cli.messages import difference, is_difference, level_named
from accord.cli.remote import remote_outcome
from accord.errors import AccordError
from accord.model import Finding, Severity, Verdict
from accord.policy import HistoryEntry
from accord.policy.comparison import Budget
from accord.policy.judgement import Trials
from accord.policy.matrix import levels_of
from accord.policy.verdict_words import level_word

if TYPE_CHECKING:
    from accord.cli.cases import Case, Levels, Source
    from accord.formats import ParsedSchema
    from accord.policy import Policy

REFUSED_BY_REGISTRY = "REGISTRY_REFUSED"
UNEXPLAINED = "the registry refuses the schema without saying why"


def outcome_of(case: Case) -> Outcome:
    """The outcome of a case; a schema that cannot be read is one too."""
    try:
        return judged(case)
    except AccordError as problem:
        return unreadable(case.new.name, problem)


def unreadable(file: str, problem: AccordError) -> Outcome:
    """The outcome of a file about which nothing can be said; the message does not name it twice."""
    return Outcome(file, Status.UNREADABLE, problem=problem.message.removeprefix(f"{file}: "))


def judged(case: Case) -> Outcome:
    """The outcome of a case; raises an `accord.errors.AccordError` where a schema cannot be read."""
    if case.verdict is not None:
        return remote_outcome(case, case.verdict)
    candidate = parsed(case.new, strict=True)
    history = [HistoryEntry(one.number, parsed(one.source, strict=False)) for one in case.history]
    trials = Trials(candidate, history, budget=Budget())
    outcome = _by_files(case, trials)
    if outcome.status is Status.BLOCKED or case.ask is None:
        return outcome
    answer = case.ask()
    if answer.is_compatible:
        return outcome
    told = level_named(answer.messages)
    if told is not None:
        # Findings of our own have places; the registry's have none.
        policy = replace(case.decision.policy, level=told)
        case = replace(case, decision=replace(case.decision, policy=policy))
        outcome = _by_files(case, trials)
    if outcome.status is Status.BLOCKED:
        return outcome
    said = [one for one in answer.messages if is_difference(one)] or [UNEXPLAINED]
    return _by_files(case, trials, *map(_refused, said))


def _by_files(case: Case, trials: Trials, *said: Finding) -> Outcome:
    """The outcome of the verdict, of what the policy asks of the schema, and of what a registry said."""
    made = trials.verdict(case.decision.policy)
    own = case.decision.own_findings(trials.candidate, case.subject)
    verdict = Verdict(made.comparisons, (*said, *own, *made.own))
    return Outcome(
        case.new.name,
        Status.ALLOWED if verdict.is_allowed else Status.BLOCKED,
        case,
        explained(case, verdict),
        (*case.notes, *case.decision.notes),
        has_warnings=any(one.severity is Severity.WARN for one in verdict.findings),
        levels=lambda: _levels(trials, case.decision.policy, own),
    )


def _levels(trials: Trials, policy: Policy, own: tuple[Finding, ...]) -> Levels:
    """What comes of every level; what the policy asks of the schema by itself counts under each."""
    trials.refill()
    return {
        name: level_word(replace(one, verdict=replace(one.verdict, own=(*own, *one.verdict.own))))
        for name, one in levels_of(trials, policy).items()
    }


def parsed(source: Source, *, strict: bool) -> ParsedSchema:
    """The schema of a source; raises `accord.cli.files.UnreadableFile`."""
    return parse_schema(source.name, source.schema, source.resolver, strict=strict)


def _refused(message: str) -> Finding:
    rule, sentence = difference(message)
    words = f"{sentence} (said by the registry)"
    return Finding(rule or REFUSED_BY_REGISTRY, Severity.BLOCK, "/", detail=message, message=words)
