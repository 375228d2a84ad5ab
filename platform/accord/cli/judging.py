"""A case to its outcome: parse both sides, judge, and hear the registry where its word counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.cli.cases import Outcome, Status
from accord.cli.explaining import tell
from accord.cli.files import parse_schema
from accord.cli.refusals import difference, is_difference, level_named
from accord.errors import AccordError
from accord.model import Finding, Severity, Verdict
from accord.policy import HistoryEntry, judge

if TYPE_CHECKING:
    from accord.cli.cases import Case, Source
    from accord.formats import ParsedSchema

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
    candidate = parsed(case.new, strict=True)
    history = [HistoryEntry(one.number, parsed(one.source, strict=False)) for one in case.history]
    outcome = _by_files(case, candidate, history)
    if outcome.status is Status.BLOCKED or case.ask is None:
        return outcome
    answer = case.ask()
    if answer.is_compatible:
        return outcome
    told = level_named(answer.messages)
    if told is not None:
        # Findings of our own have places; the registry's have none.
        policy = replace(case.decision.policy, level=told)
        outcome = _by_files(replace(case, decision=replace(case.decision, policy=policy)), candidate, history)
    return outcome if outcome.status is Status.BLOCKED else _by_registry(outcome, answer.messages)


def _by_files(case: Case, candidate: ParsedSchema, history: list[HistoryEntry]) -> Outcome:
    verdict = judge(candidate, history, case.decision.policy)
    own = case.decision.own_findings(candidate, case.subject)
    is_refused = not verdict.is_allowed or any(one.severity is Severity.BLOCK for one in own)
    status = Status.BLOCKED if is_refused else Status.ALLOWED
    return Outcome(case.new.name, status, case, tuple(tell(case, verdict, own)), case.notes)


def _by_registry(outcome: Outcome, messages: tuple[str, ...]) -> Outcome:
    """The outcome where the registry refuses although the files do not show why."""
    said = [one for one in messages if is_difference(one)] or [UNEXPLAINED]
    findings = tell(outcome.case, Verdict(), tuple(map(_refused, said))) if outcome.case else ()
    return replace(outcome, status=Status.BLOCKED, findings=(*findings, *outcome.findings))


def parsed(source: Source, *, strict: bool) -> ParsedSchema:
    """The schema of a source; raises `accord.cli.files.UnreadableFile`."""
    return parse_schema(source.name, source.schema, source.resolver, strict=strict)


def _refused(message: str) -> Finding:
    rule, sentence = difference(message)
    words = f"{sentence} (said by the registry)"
    return Finding(rule or REFUSED_BY_REGISTRY, Severity.BLOCK, "/", detail=message, message=words)
