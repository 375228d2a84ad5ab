"""The outputs by name, and the option that chooses one."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import click

from accord.cli.output import say
from accord.cli.reporting.as_json import json_lines
from accord.cli.reporting.github import github_lines
from accord.cli.reporting.junit import junit_lines
from accord.cli.reporting.sarif import sarif_lines
from accord.cli.reporting.text import text_lines
from accord.errors import Invalid, error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    from accord.cli.reporting.summary import Report

    Outputs: TypeAlias = "Mapping[Output, Callable[[Report], Iterable[str]]]"


@error
class UnwritableFile(Invalid):
    """A file to which a report cannot be written."""

    code: ClassVar[str] = "unwritable_file"
    template: ClassVar[str] = "{path}: {details}"
    path: str
    details: str


class Output(StrEnum):
    """What a check may be printed as."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    JUNIT = "junit"
    SARIF = "sarif"


OUTPUTS: Final[Outputs] = {
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


def report_file(text: str) -> tuple[Output, str]:
    """Read ``FORMAT=FILE``."""
    name, _, path = text.partition("=")
    if name not in set(Output) or not path:
        raise click.BadParameter(f"{text!r} is not FORMAT=FILE with one of {', '.join(Output)}")
    return Output(name), path


reports_option: Final = click.option(
    "--report",
    "reports",
    type=report_file,
    multiple=True,
    metavar="FORMAT=FILE",
    help="Write the report in another format to a file as well; may be repeated.",
)


def print_report(report: Report, output: Output) -> None:
    """Print a report in one of the forms."""
    for line in OUTPUTS[output](report):
        say(line)


def write_report(report: Report, output: Output, path: str, outputs: Outputs = OUTPUTS) -> None:
    """Write a report to a file, without colours; raises `UnwritableFile`."""
    text = "".join(f"{click.unstyle(line)}\n" for line in outputs[output](report))
    try:
        Path(path).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as problem:
        raise UnwritableFile(path=path, details=problem.strerror or str(problem)) from problem
