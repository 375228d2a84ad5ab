"""A report for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.cases import Outcome
    from accord.cli.explaining import Site, Told
    from accord.cli.reporting.summary import Report


def json_lines(report: Report) -> Iterator[str]:
    """The report as one JSON object."""
    made = {
        "compatible": report.exit_code == 0,
        "schemas": [_outcome(report, outcome) for outcome in report.outcomes],
    }
    yield json.dumps(made, indent=2)


def finding(told: Told) -> dict[str, object]:
    """A finding with all that is known about it."""
    return {
        "rule": told.rule,
        "severity": str(told.severity),
        "direction": None if told.direction is None else str(told.direction),
        "version": told.version,
        "against": told.against,
        "path": told.path,
        "message": told.message,
        "advice": told.advice,
        "new": _site(told.new),
        "old": None if told.old is None else _site(told.old),
        "reasons": [finding(one) for one in told.reasons],
    }


def _outcome(report: Report, outcome: Outcome) -> dict[str, Any]:
    made: dict[str, Any] = {"file": outcome.file, "verdict": report.verdict(outcome)}
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
            "subject": case.subject or None,
            "against": [one.source.name for one in case.history],
            "findings": [finding(told) for told in outcome.findings],
        }
    return made


def _site(site: Site) -> dict[str, Any]:
    return {"file": site.name, "line": site.line, "column": site.column}
