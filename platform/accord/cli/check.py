"""``accord check``: may the new schema follow the old ones? No server is asked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from accord.cli.files import expand, parse_file
from accord.cli.output import coloured, heading, json_option, plain, say, say_json
from accord.cli.references import FileResolver, file_references
from accord.model import Direction
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.levels import CONFLUENT_LEVELS, parse_level
from accord.rules.presets import DEFAULT_PRESET, PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.model import Comparison, Finding, Reference, Verdict

DIRECTIONS = {Direction.BACKWARD: "new reads old", Direction.FORWARD: "old reads new"}


class Terms(TypedDict):
    """What the check is told besides the files."""

    level: str
    preset: str


@click.command()
@click.argument("old", nargs=-1, required=True)
@click.argument("new")
@click.option(
    "--level",
    type=click.Choice(list(CONFLUENT_LEVELS), case_sensitive=False),
    default="BACKWARD",
    show_default=True,
    help="Which side must read the other, and how far back.",
)
@click.option("--preset", type=click.Choice(list(PRESETS)), default=DEFAULT_PRESET, show_default=True)
@file_references
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    old: tuple[str, ...],
    new: str,
    *,
    references: tuple[Reference, ...],
    as_json: bool,
    **terms: Unpack[Terms],
) -> None:
    """Check a NEW schema file against the OLD one, or several, oldest first.

    A folder as OLD stands for the schema files in it, in the order of their names. ``-`` is the standard
    input. The references hold for both sides. Exit code 1 says that the new schema is incompatible.
    """
    files = expand(old)
    verdict = _verdict(files, new, terms, references)
    if as_json:
        say_json(_as_json(verdict, files, new) | terms)
    else:
        _print(verdict, files, new=new, terms=terms)
    ctx.exit(0 if verdict.is_allowed else 1)


def _verdict(files: Sequence[str], new: str, terms: Terms, references: tuple[Reference, ...]) -> Verdict:
    read = partial(parse_file, references=references, resolver=FileResolver())
    history = [HistoryEntry(number, read(path, strict=False)) for number, path in enumerate(files, start=1)]
    policy = Policy(parse_level(terms["level"]), preset=terms["preset"])
    return judge(read(new, strict=True), history, policy)


def _print(verdict: Verdict, files: Sequence[str], *, new: str, terms: Terms) -> None:
    for comparison in verdict.comparisons:
        for finding in comparison.findings:
            for line in _lines(finding, _reader(comparison, files, new), comparison):
                say(line)
    outcome = "compatible" if verdict.is_allowed else "incompatible"
    many = "1 version" if len(files) == 1 else f"{len(files)} versions"
    say(heading(f"{outcome}: {new} against {many} ({terms['level']}, {terms['preset']})"))


def _lines(finding: Finding, file: str, comparison: Comparison, depth: int = 0) -> Iterator[str]:
    """One finding as a compiler would print it, then what explains it, further in."""
    indent = "  " * depth
    yield f"{indent}{plain(file)}:{plain(finding.path)}: {coloured(finding.severity)} {finding.rule}"
    yield f"{indent}  {plain(finding.message)} ({_couple(comparison)})"
    for reason in finding.reasons:
        yield from _lines(reason, file, comparison, depth + 1)


def _couple(comparison: Comparison) -> str:
    return f"{DIRECTIONS[comparison.direction]}, version {comparison.version}"


def _reader(comparison: Comparison, files: Sequence[str], new: str) -> str:
    """The file a finding's path points into: that of the side that reads."""
    is_new = comparison.direction is Direction.BACKWARD or comparison.version is None
    return new if is_new else files[(comparison.version or 1) - 1]


def _as_json(verdict: Verdict, files: Sequence[str], new: str) -> dict[str, Any]:
    comparisons = [
        {
            "direction": str(one.direction),
            "version": one.version,
            "old": files[(one.version or 1) - 1],
            "findings": [_finding(finding) for finding in one.findings],
        }
        for one in verdict.comparisons
    ]
    return {"compatible": verdict.is_allowed, "new": new, "comparisons": comparisons}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "path": finding.path,
        "message": finding.message,
        "reasons": [_finding(one) for one in finding.reasons],
    }
