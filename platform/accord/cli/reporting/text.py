"""A report for people: each finding as a compiler would print it, and one line for each file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from accord.cli.cases import Status
from accord.cli.explaining import told_alone, told_in
from accord.cli.output import coloured, heading, one_line
from accord.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.cases import Outcome
    from accord.cli.deciding import Decision
    from accord.cli.explaining import Told
    from accord.cli.reporting.summary import Report
    from accord.policy.explanation import ExplainedComparison

GRAVE = (Severity.BLOCK, Severity.WARN)


def text_lines(report: Report) -> Iterator[str]:
    """The report line by line."""
    for outcome in report.outcomes:
        yield from explained_lines(outcome)
        for name, words in report.levels(outcome):
            yield f"  {name:19} {one_line(words)}"
        yield heading(_summary(report, outcome))
    if len(report.outcomes) != 1:
        yield heading(_total(report))


def explained_lines(outcome: Outcome) -> Iterator[str]:
    """Every finding, and after those of a comparison that fails, who stops."""
    case, explanation = outcome.case, outcome.explanation
    if case is None or explanation is None:
        return
    for told in told_alone(case, explanation):
        yield from finding_lines(told)
    for comparison in explanation.comparisons:
        for told in told_in(case, comparison):
            yield from finding_lines(told)
        yield from _closing(comparison)
    if outcome.status is Status.BLOCKED and case.decision.origins:
        yield f"  decided by: {one_line('; '.join(_deciding(case.decision)))}"


def _deciding(decision: Decision) -> Iterator[str]:
    values = {"level": decision.level, "preset": decision.policy.preset}
    return (f"{name} {values[name]} ({words})" for name, words in decision.origins.items())


def _closing(comparison: ExplainedComparison) -> Iterator[str]:
    if comparison.left_out:
        yield f"{comparison.left_out} more findings are left out."
    if comparison.is_blocked:
        yield one_line(" ".join(filter(None, (comparison.sentence, comparison.upgrade))))


def finding_lines(told: Told, depth: int = 0) -> Iterator[str]:
    """One finding, then what explains it, further in, and what to do."""
    indent = "  " * depth
    finding = told.finding
    where, path = one_line(str(told.reader)), one_line(finding.path)
    yield f"{indent}{where}: {coloured(told.severity)} {one_line(finding.rule)} at {path}"
    couple = f" ({one_line(told.couple)})" if told.couple else ""
    yield f"{indent}  {one_line(finding.sentence)}{couple}"
    for reason in told.reasons:
        yield from finding_lines(reason, depth + 1)
    if depth == 0:
        if told.writer is not None:
            yield f"  the other side: {one_line(str(told.writer))}"
        if finding.advice and told.severity in GRAVE:
            yield f"  what to do: {one_line(finding.advice)}"


def _summary(report: Report, outcome: Outcome) -> str:
    words = f"{report.words(outcome)}: {outcome.file}"
    if outcome.problem:
        return f"{words}: {outcome.problem}"
    words += report.about(outcome)
    return f"{words}{''.join(f' [{note}]' for note in outcome.notes)}"


def _total(report: Report) -> str:
    if not report.outcomes:
        return "no schema file to check"
    counts = Counter(map(report.words, report.outcomes))
    ordered = sorted(counts, key=lambda word: (word in (Status.UNREADABLE, Status.SKIPPED), word))
    return ", ".join(f"{counts[word]} {word}" for word in ordered)
