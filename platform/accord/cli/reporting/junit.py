"""A report as JUnit's XML: a test case for each file, as most services of continuous integration read it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

from accord.cli.cases import Status
from accord.cli.explaining import told

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.cli.cases import Outcome
    from accord.cli.explaining import Told
    from accord.cli.reporting.summary import Report

# What XML 1.0 cannot hold, however it is escaped.
UNFIT: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_lines(report: Report) -> Iterator[str]:
    """The XML line by line."""
    outcomes = report.outcomes
    counts = {
        "tests": len(outcomes),
        "failures": sum(report.is_refused(one) for one in outcomes),
        "errors": sum(one.status is Status.UNREADABLE for one in outcomes),
        "skipped": sum(one.status is Status.SKIPPED for one in outcomes),
    }
    numbers = " ".join(f'{name}="{count}"' for name, count in counts.items())
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="{report.verb}" {numbers}>'
    yield f'  <testsuite name="{report.verb}" {numbers}>'
    for outcome in outcomes:
        yield f'    <testcase classname="accord" name={_quoted(outcome.file)} file={_quoted(outcome.file)}>'
        yield from _content(report, outcome)
        yield "    </testcase>"
    yield "  </testsuite>"
    yield "</testsuites>"


def _content(report: Report, outcome: Outcome) -> Iterator[str]:
    found = told(outcome)
    refused = [one for one in found if report.refuses(one)]
    others = [one for one in found if not report.refuses(one)]
    yield from _levels(report, outcome)
    if outcome.status is Status.UNREADABLE:
        yield f"      <error message={_quoted(outcome.problem)}/>"
    elif outcome.status is Status.SKIPPED:
        yield f"      <skipped message={_quoted(', '.join(outcome.notes))}/>"
    elif refused:
        rules = ", ".join(dict.fromkeys(one.finding.rule for one in refused))
        facts = f"type={_quoted(refused[0].finding.rule)} message={_quoted(rules)}"
        yield f"      <failure {facts}>{_words(refused)}</failure>"
    if others:
        yield f"      <system-out>{_words(others)}</system-out>"


def _levels(report: Report, outcome: Outcome) -> Iterator[str]:
    """What comes of a file under each level, as properties of its case."""
    properties = [
        f"<property name={_quoted(f'level.{name}')} value={_quoted(words)}/>"
        for name, words in report.levels(outcome)
    ]
    if properties:
        yield f"      <properties>{''.join(properties)}</properties>"


def _words(findings: Sequence[Told]) -> str:
    lines = [
        f"{one.new}: {one.severity} {one.finding.rule} at {one.finding.path}\n  {one.finding.sentence}"
        + (f" ({one.couple})" if one.couple else "")
        + (f"\n  what to do: {one.finding.advice}" if one.finding.advice else "")
        for one in findings
    ]
    return escape(UNFIT.sub("?", "\n".join(lines)))


def _quoted(text: str) -> str:
    return quoteattr(UNFIT.sub("?", text))
