"""A report as commands that GitHub's runners turn into annotations; then the words for people.

Texts of strangers stand in the commands, so what could end one or begin another is escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.cli.cases import Status
from accord.cli.explaining import told
from accord.cli.output import one_line, plain
from accord.cli.reporting.text import text_lines
from accord.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.explaining import Told
    from accord.cli.reporting.summary import Report

DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
# The runner shows ten of a kind for a step and drops the rest; all stand in the log anyway.
COMMANDS: Final = {Severity.WARN: "warning", Severity.INFO: "notice"}


def github_lines(report: Report) -> Iterator[str]:
    """Annotations at the places in the new files."""
    for outcome in report.outcomes:
        if outcome.status is Status.UNREADABLE:
            yield _command("error", {"file": outcome.file, "title": "unreadable"}, outcome.problem)
        for one in told(outcome):
            command = "error" if report.refuses(one) else COMMANDS.get(one.severity, "notice")
            yield _command(command, _place(one), _message(one))
    for line in text_lines(report):
        # None of these may be taken for a command, wherever a terminal would break them.
        yield from (f"| {part}".replace("##[", "## [") for part in line.splitlines())


def _place(one: Told) -> dict[str, str]:
    place = {"file": one.new.name}
    if one.new.line is not None:
        place |= {"line": str(one.new.line), "col": str(one.new.column)}
    return place | {"title": one.finding.rule}


def _message(one: Told) -> str:
    couple = f" ({one.couple})" if one.couple else ""
    advice = f"\nWhat to do: {one.finding.advice}" if one.finding.advice else ""
    return f"{one.finding.sentence}{couple}, at {one.finding.path}{advice}"


def _command(name: str, properties: dict[str, str], message: str) -> str:
    told = ",".join(f"{key}={one_line(value).translate(PROPERTY)}" for key, value in properties.items())
    return f"::{name} {told}::{plain(message).translate(DATA)}"
