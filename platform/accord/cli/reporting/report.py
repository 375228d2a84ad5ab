"""The outputs by name, and the option that chooses one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

import click

from accord.cli.output import say
from accord.cli.reporting.as_json import json_lines
from accord.cli.reporting.github import github_lines
from accord.cli.reporting.junit import junit_lines
from accord.cli.reporting.sarif import sarif_lines
from accord.cli.reporting.summary import Report
from accord.cli.reporting.text import text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["OUTPUTS", "Output", "Report", "output_option", "print_report"]


class Output(StrEnum):
    """What a check may be printed as."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    JUNIT = "junit"
    SARIF = "sarif"


OUTPUTS: Final[Mapping[Output, Callable[[Report], Iterable[str]]]] = {
    Output.TEXT: text_lines,
    Output.JSON: json_lines,
    Output.GITHUB: github_lines,
    Output.JUNIT: junit_lines,
    Output.SARIF: sarif_lines,
}
output_option: Final = click.option(
    "--output",
    type=click.Choice(Output, case_sensitive=False),
    default=Output.TEXT,
    help="text (the default), json, annotations for GitHub, JUnit's XML, or SARIF 2.1.0.",
)


def print_report(report: Report, output: Output) -> None:
    """Print a report in one of the forms."""
    for line in OUTPUTS[output](report):
        say(line)
