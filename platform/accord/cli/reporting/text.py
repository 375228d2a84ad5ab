"""A report for people: each finding as a compiler would print it, and one line for each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.cli.cases import Status
from accord.cli.output import coloured, heading, one_line
from accord.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.cases import Outcome
    from accord.cli.explaining import Told
    from accord.cli.reporting.summary import Report

GRAVE = (Severity.BLOCK, Severity.WARN)


def text_lines(report: Report) -> Iterator[str]:
    """The report line by line."""
    advised: set[str] = set()
    for outcome in report.outcomes:
        for told in outcome.findings:
            yield from finding_lines(told, advised)
        yield heading(_summary(report, outcome))
    if len(report.outcomes) != 1:
        yield heading(_total(report))


def finding_lines(told: Told, advised: set[str], depth: int = 0) -> Iterator[str]:
    """One finding, then what explains it, further in; the same advice is given once."""
    indent = "  " * depth
    where, path = one_line(str(told.reader)), one_line(told.path)
    yield f"{indent}{where}: {coloured(told.severity)} {told.rule} at {path}"
    couple = f" ({one_line(told.couple)})" if told.couple else ""
    yield f"{indent}  {one_line(told.message)}{couple}"
    for reason in told.reasons:
        yield from finding_lines(reason, advised, depth + 1)
    if depth == 0:
        if told.writer is not None:
            yield f"  the other side: {one_line(str(told.writer))}"
        if told.advice and told.severity in GRAVE and told.advice not in advised:
            advised.add(told.advice)
            yield f"  what to do: {told.advice}"


def _summary(report: Report, outcome: Outcome) -> str:
    words = f"{report.verdict(outcome)}: {outcome.file}"
    if outcome.problem:
        return f"{words}: {outcome.problem}"
    if outcome.case is not None:
        words += f" {_against(outcome)} ({outcome.case.decision.words})"
    return f"{words}{''.join(f' [{note}]' for note in outcome.notes)}"


def _against(outcome: Outcome) -> str:
    history = () if outcome.case is None else outcome.case.history
    match history:
        case ():
            return "by itself"
        case (one,):
            return f"against {one.source.name}"
    return f"against {len(history)} versions"


def _total(report: Report) -> str:
    if not report.outcomes:
        return "no schema file to check"
    counts = dict.fromkeys(("compatible", "incompatible", Status.UNREADABLE, Status.SKIPPED), 0)
    for outcome in report.outcomes:
        counts[report.verdict(outcome)] += 1
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count)
