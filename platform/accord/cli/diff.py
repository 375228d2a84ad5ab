"""``accord diff``: what differs between two schemas, place by place; it judges nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from accord.cli.cases import Case, Source
from accord.cli.deciding import Decision
from accord.cli.explaining import tell
from accord.cli.judging import parsed
from accord.cli.options import format_option, preset_option
from accord.cli.output import heading, json_option, plain, say, say_json
from accord.cli.references import file_references, file_source
from accord.cli.reporting.as_json import finding
from accord.cli.server import open_client, token_option
from accord.cli.sides import RegistrySide, against, numbered
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.cli.explaining import Told
    from accord.model import Format, Reference

SHOWING_ALL: Final = "accord:1"
REGISTRY: Final = "registry:"


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
@click.option("--url", envvar="ACCORD_URL", help="Base address of the registry; or ACCORD_URL.")
@token_option
@json_option
def diff(old: str, new: str, **asked: Unpack[Asked]) -> None:
    """Show what differs between OLD and NEW: files, or registry:SUBJECT@VERSION.

    Each difference is told for the side that meets it, and how much it weighs under the preset (accord:1,
    which shows everything, if none is named). The exit code is 0 whatever differs.
    """
    sources = [_source(name, asked) for name in (old, new)]
    policy = Policy(CONFLUENT_LEVELS["FULL"], asked["preset"] or SHOWING_ALL)
    case = Case(sources[1], numbered(sources[:1]), Decision(policy))
    entry = HistoryEntry(1, parsed(sources[0], strict=False))
    verdict = judge(parsed(sources[1], strict=False), [entry], policy)
    ordered = sorted(tell(case, verdict), key=_order)
    if asked["as_json"]:
        say_json({"old": old, "new": new, "differences": [finding(told) for told in ordered]})
        return
    for line in _lines(ordered):
        say(line)


def _source(name: str, asked: Asked) -> Source:
    if not name.startswith(REGISTRY):
        return file_source(name, asked["format_"], asked["references"])
    meant = against(name)
    if asked["url"] is None:
        raise click.UsageError("Give --url (or ACCORD_URL) of a registry.")
    with open_client(asked["url"], asked["token"]) as client:
        return RegistrySide(client, meant.name, meant.version).loaded(meant.name)[-1].source


def _order(told: Told) -> tuple[str, int, int, str]:
    return (told.path, told.new.line or 0, told.new.column or 0, told.rule)


def _lines(ordered: Sequence[Told]) -> Iterator[str]:
    """The differences under their places."""
    place = None
    for told in ordered:
        if told.path != place:
            place = told.path
            yield heading(told.path)
        yield f"  {told.rule} ({told.severity} where {told.couple.partition(',')[0]})"
        yield f"    {plain(told.message)}"
        yield f"    old {plain(str(told.old))}, new {plain(str(told.new))}"
    if not ordered:
        yield "nothing differs"
