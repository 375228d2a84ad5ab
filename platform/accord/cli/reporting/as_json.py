"""A report for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from accord.cli.explaining import told
from accord.policy.verdict_words import level_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.cases import Case, Outcome
    from accord.cli.explaining import Site, Told
    from accord.cli.reporting.summary import Report
    from accord.policy.explanation import Explanation


def json_lines(report: Report) -> Iterator[str]:
    """The report as one JSON object."""
    made = {
        "is_compatible": report.exit_code == 0,
        "schemas": [_outcome(report, outcome) for outcome in report.outcomes],
    }
    yield json.dumps(made, indent=2)


def finding(one: Told) -> dict[str, object]:
    """A finding with all that is known about it."""
    return {
        "rule": one.finding.rule,
        "severity": str(one.severity),
        "summary": one.finding.summary,
        "direction": None if one.direction is None else str(one.direction),
        "version": None if one.comparison is None else one.comparison.version,
        "against": one.against,
        "path": one.finding.path,
        "sentence": one.finding.sentence,
        "advice": one.finding.advice,
        "effect": one.finding.effect or None,
        "judged_as": one.finding.judged_as or None,
        "new": _site(one.new),
        "old": None if one.old is None else _site(one.old),
        "reasons": [finding(reason) for reason in one.reasons],
    }


def _outcome(report: Report, outcome: Outcome) -> dict[str, Any]:
    made: dict[str, Any] = {"file": outcome.file, "verdict": report.verdict(outcome)}
    if outcome.explanation is not None:
        made["is_compatible"] = not report.is_refused(outcome)
    if outcome.problem:
        made["problem"] = outcome.problem
    if outcome.notes:
        made["notes"] = list(outcome.notes)
    case = outcome.case
    if case is not None:
        made |= {
            "format": str(case.new.schema.format),
            "level": case.decision.level,
            "preset": case.decision.policy.preset,
            "policy": case.decision.document.removeprefix("policy ") or None,
            "origins": dict(case.decision.origins),
            "subject": case.subject or None,
            "against": [one.source.name for one in case.history],
            "findings": [finding(one) for one in told(outcome)],
        }
    explanation = outcome.explanation
    if case is not None and explanation is not None:
        made |= {"summary": explanation.summary, "comparisons": _comparisons(case, explanation)}
    if case is not None and outcome.levels is not None:
        made["levels"] = {name: level_data(one) for name, one in outcome.levels().items()}
    return made


def _comparisons(case: Case, explanation: Explanation) -> list[dict[str, Any]]:
    labels = {one.number: one.label for one in case.history}
    return [
        {
            "direction": str(one.direction),
            "version": one.version,
            "against": labels[one.version],
            "is_blocked": one.is_blocked,
            "reader": one.reader,
            "writer": one.writer,
            "sentence": one.sentence,
            "upgrade": one.upgrade,
            "left_out": one.left_out,
        }
        for one in explanation.comparisons
    ]


def _site(site: Site) -> dict[str, Any]:
    return {"file": site.name, "line": site.line, "column": site.column}
