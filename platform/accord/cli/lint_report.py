"""What came of linting files, in the forms that a check has."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from accord.cli.cases import Status
from accord.cli.explaining import told
from accord.cli.reporting.report import OUTPUTS, Output
from accord.cli.reporting.summary import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from accord.cli.cases import Outcome


class LintReport(Report):
    """The outcomes of a lint; what a file is compared with and at which level means nothing here."""

    verb = "accord lint"

    def words(self, outcome: Outcome) -> str:
        """What came of a file, in the word that people are told."""
        if outcome.status in (Status.UNREADABLE, Status.SKIPPED):
            return str(outcome.status)
        return "faulty" if self.is_refused(outcome) else "clean"

    def about(self, outcome: Outcome) -> str:  # noqa: ARG002  # the signature is the report's
        """Nothing: a file is linted by itself."""
        return ""


def lint_json_lines(report: Report) -> Iterator[str]:
    """The report as one JSON object."""
    files = [
        {
            "file": outcome.file,
            "status": report.words(outcome),
            **({"problem": outcome.problem} if outcome.problem else {}),
            **({"notes": list(outcome.notes)} if outcome.notes else {}),
            "findings": [
                {
                    "rule": one.finding.rule,
                    "severity": str(one.severity),
                    "line": one.new.line,
                    "column": one.new.column,
                    "path": one.finding.path,
                    "message": one.finding.sentence,
                    "advice": one.finding.advice,
                }
                for one in told(outcome)
            ],
        }
        for outcome in report.outcomes
    ]
    yield json.dumps({"is_clean": report.exit_code == 0, "files": files}, indent=2)


LINT_OUTPUTS: Final[Mapping[Output, Callable[[Report], Iterable[str]]]] = {
    **OUTPUTS,
    Output.JSON: lint_json_lines,
}
