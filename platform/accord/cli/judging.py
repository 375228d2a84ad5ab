"""A case to its outcome: parse both sides, judge, and hear the registry where its word counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.cli.cases import Outcome, Status
from accord.cli.explaining import tell
from accord.cli.files import parse_schema
from accord.cli.refusals import difference
from accord.errors import AccordError
from accord.model import Finding, Severity
from accord.policy import HistoryEntry, judge

if TYPE_CHECKING:
    from accord.cli.cases import Case, Source
    from accord.formats import ParsedSchema

REFUSED_BY_REGISTRY = "REGISTRY_REFUSED"


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
    verdict = judge(candidate, history, case.decision.policy)
    own = case.decision.own_findings(candidate, case.subject)
    is_refused = not verdict.is_allowed or any(one.severity is Severity.BLOCK for one in own)
    if not is_refused and case.ask is not None:
        said = _registry_findings(case)
        own, is_refused = (*own, *said), bool(said)
    status = Status.BLOCKED if is_refused else Status.ALLOWED
    return Outcome(case.new.name, status, case, tuple(tell(case, verdict, own)), case.notes)


def parsed(source: Source, *, strict: bool) -> ParsedSchema:
    """The schema of a source; raises `accord.cli.files.UnreadableFile`."""
    return parse_schema(source.name, source.schema, source.resolver, strict=strict)


def _registry_findings(case: Case) -> tuple[Finding, ...]:
    """What the registry itself refuses although the files alone do not show it."""
    answer = case.ask() if case.ask is not None else None
    if answer is None or answer.is_compatible:
        return ()
    messages = answer.messages or ("the registry refuses the schema without saying why",)
    return tuple(_refused(message) for message in messages)


def _refused(message: str) -> Finding:
    rule, sentence = difference(message)
    words = f"{sentence} (said by the registry)"
    return Finding(rule or REFUSED_BY_REGISTRY, Severity.BLOCK, "/", detail=message, message=words)
