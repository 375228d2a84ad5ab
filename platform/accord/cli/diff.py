"""``accord diff``: what differs between two schemas, and for whom each change is safe; it judges nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from accord.cli.explaining import SENTENCES, site
from accord.cli.judging import parsed
from accord.cli.named import Finder
from accord.cli.options import format_option, preset_option
from accord.cli.output import coloured, heading, json_option, one_line, say, say_json
from accord.cli.references import file_references
from accord.cli.server import optional_url_option, token_option
from accord.model import Direction
from accord.policy.changes import TELLS_ALL, change_data, changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.cli.cases import Source
    from accord.model import Format, Reference
    from accord.policy.changes import SchemaChange
    from accord.policy.explanation import ExplainedFinding

NO_DIFFERENCE: Final = "nothing differs"


class Asked(TypedDict):
    """Every option of the verb."""

    preset: str | None
    format_: Format | None
    references: tuple[Reference, ...]
    url: str | None
    token: str | None
    as_json: bool


@click.command()
@click.argument("old")
@click.argument("new")
@preset_option
@format_option
@file_references
@optional_url_option
@token_option
@json_option
def diff(old: str, new: str, **asked: Unpack[Asked]) -> None:
    """Show what differs between OLD and NEW, and for whom each change is safe.

    OLD and NEW are files, registry:SUBJECT@VERSION (without a version: the latest), git:REVISION:PATH from
    the top of the repository, or git:REVISION for the other file as it was. Weights are those of the preset
    (accord:1, which shows everything, if none is named). The exit code is 0 whatever differs.
    """
    finder = Finder(asked["format_"], asked["references"], asked["url"], asked["token"])
    was, is_ = finder.find(old, new), finder.find(new, old)
    found = changes(
        parsed(was, strict=False),
        parsed(is_, strict=False),
        texts=(was.schema.text, is_.schema.text),
        preset=asked["preset"] or TELLS_ALL,
    )
    if asked["as_json"]:
        say_json(_as_json(old, new, found))
        return
    for line in _lines(was, is_, found):
        say(line)


def _as_json(old: str, new: str, found: Sequence[SchemaChange]) -> dict[str, object]:
    return {
        "old": old,
        "new": new,
        "new_reads_old": not _breaks(found, Direction.BACKWARD),
        "old_reads_new": not _breaks(found, Direction.FORWARD),
        "differences": [change_data(one) for one in found],
    }


def _breaks(found: Sequence[SchemaChange], direction: Direction) -> bool:
    return any(direction in one.breaks for one in found)


def _lines(was: Source, is_: Source, found: Sequence[SchemaChange]) -> Iterator[str]:
    """Each change under its place, what each direction says of it, and what all come to."""
    for change in found:
        yield heading(f"{site(is_.name, change.new_at)}: {change.safety}")
        yield f"  {one_line(change.sentence)}"
        yield f"  at {one_line(change.path)}, the other side: {one_line(str(site(was.name, change.old_at)))}"
        for words, findings in _directions(change):
            rules = ", ".join(f"{coloured(one.severity)} {one.rule}" for one in findings)
            yield f"  {words}: {rules or 'nothing to tell'}"
        yield f"  {change.meaning}"
    if not found:
        yield NO_DIFFERENCE
        return
    can = [words for direction, words in SENTENCES.items() if not _breaks(found, direction)]
    cannot = [words for direction, words in SENTENCES.items() if _breaks(found, direction)]
    yield heading(", ".join((*(f"{words}: yes" for words in can), *(f"{words}: no" for words in cannot))))


def _directions(change: SchemaChange) -> Iterator[tuple[str, Sequence[ExplainedFinding]]]:
    yield SENTENCES[Direction.BACKWARD], change.new_reads_old
    yield SENTENCES[Direction.FORWARD], change.old_reads_new
