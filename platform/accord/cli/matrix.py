"""``accord matrix``: who would accept a change, who would refuse it, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from accord.cli.explaining import SENTENCES, site
from accord.cli.judging import parsed
from accord.cli.named import Finder
from accord.cli.options import format_option, level_option, preset
from accord.cli.output import coloured_as, heading, json_option, one_line, say, say_json
from accord.cli.references import file_references
from accord.cli.server import optional_url_option, token_option
from accord.model import Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry
from accord.policy.explanation import Texts
from accord.policy.preset_matrix import matrix_data, preset_matrix
from accord.policy.verdict_words import VerdictWord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.cases import Source
    from accord.model import Direction, Format, Level, Reference
    from accord.policy.explanation import ExplainedFinding
    from accord.policy.preset_matrix import PresetMatrix

WORDS: Final = {
    VerdictWord.ALLOWED: ("allowed", Severity.INFO),
    VerdictWord.WARNED: ("warned of", Severity.WARN),
    VerdictWord.BLOCKED: ("refused", Severity.BLOCK),
}


class Asked(TypedDict):
    """Every option of the verb."""

    level: Level | None
    presets: tuple[str, ...]
    format_: Format | None
    references: tuple[Reference, ...]
    url: str | None
    token: str | None
    as_json: bool


@click.command()
@click.argument("old")
@click.argument("new")
@level_option
@click.option(
    "--preset",
    "presets",
    type=preset,
    multiple=True,
    metavar="PRESET",
    help="Ask this one; may be repeated. Without it every preset that speaks of the format is asked.",
)
@format_option
@file_references
@optional_url_option
@token_option
@json_option
def matrix(old: str, new: str, **asked: Unpack[Asked]) -> None:
    """Judge the change from OLD to NEW by every preset: who accepts it, who refuses it, and why.

    OLD and NEW are what accord diff takes. The level is BACKWARD if none is named. The exit code is 0
    whoever refuses.
    """
    finder = Finder(asked["format_"], asked["references"], asked["url"], asked["token"])
    was, is_ = finder.find(old, new), finder.find(new, old)
    found = preset_matrix(
        parsed(is_, strict=False),
        HistoryEntry(None, parsed(was, strict=False)),
        asked["level"] or CONFLUENT_LEVELS["BACKWARD"],
        Texts(is_.schema.format, is_.schema.text, _known(was, is_)),
        presets=asked["presets"] or None,
    )
    if asked["as_json"]:
        say_json({"old": old, "new": new, **matrix_data(found)})
        return
    for line in _lines(was, is_, found):
        say(line)


def _known(was: Source, is_: Source) -> dict[int | None, str]:
    """The older text where places can be shown in it; one of another format differs as a whole."""
    return {None: was.schema.text} if was.schema.format is is_.schema.format else {}


def _lines(was: Source, is_: Source, found: PresetMatrix) -> Iterator[str]:
    """Who says the same, then the rules that decide with what they found, then how many say what."""
    for group in found.groups:
        word, weight = WORDS[group.word]
        because = f" because of {', '.join(group.rules)}" if group.rules else ""
        yield f"{coloured_as(weight, word)}{because}"
        yield f"  {', '.join(group.presets)}"
    for rule in found.rules:
        yield heading(f"{rule.rule}: {rule.summary}")
        for direction, finding in rule.findings:
            yield from (f"  {line}" for line in _finding(was, is_, direction, finding))
        if rule.left_out:
            yield f"  ... and {rule.left_out} more"
    yield heading(found.summary)


def _finding(
    was: Source, is_: Source, direction: Direction | None, finding: ExplainedFinding
) -> Iterator[str]:
    sides = (
        ""
        if direction is None
        else f" ({SENTENCES[direction]}, the other side: {site(was.name, finding.old_at)})"
    )
    yield one_line(f"{site(is_.name, finding.new_at)}{sides}: {finding.sentence}")
    yield from [one_line(f"  what to do: {finding.advice}")] if finding.advice else []
