"""``accord policy``: documents checked, shown, described and explained without a server."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict, Unpack

import click

from accord.cli.deciding import Chosen, decide, policy_in, read_policy
from accord.cli.files import UnreadableFile
from accord.cli.options import FORMATS, format_option, level_option, preset_option
from accord.cli.output import heading, json_option, plain, say, say_json
from accord.errors import NotFound, error
from accord.policy.advice import advise
from accord.policy.documents.editors import json_schema_text
from accord.policy.documents.templates import TEMPLATES, template_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.model import Format, Level
    from accord.policy.advice import Advice
    from accord.policy.documents import Problem

WRONG = 1
UNUSABLE = 2


@error
class TemplateNotFound(NotFound):
    """No template has this name."""

    code: ClassVar[str] = "template_not_found"
    template: ClassVar[str] = "there is no template {name!r}; there are {known}"
    name: str
    known: str


@click.group()
def policy() -> None:
    """Policies: named documents that say how schemas may change."""


@policy.command()
@click.argument("files", nargs=-1, required=True)
@json_option
@click.pass_context
def validate(ctx: click.Context, files: tuple[str, ...], *, as_json: bool) -> None:
    """Tell everything that is wrong with the policy documents in FILES, with line and column.

    Exit code 1 says that something is wrong, 2 that a file cannot be read.
    """
    read = [(path, *_read(path)) for path in files]
    if as_json:
        say_json([_validated(path, problems, unreadable) for path, problems, unreadable in read])
    else:
        for path, problems, unreadable in read:
            for line in _lines(path, problems, unreadable):
                say(line)
    worst = [UNUSABLE if unreadable else WRONG if problems else 0 for _, problems, unreadable in read]
    ctx.exit(max(worst))


@policy.command()
@click.argument("template")
def show(template: str) -> None:
    """Print a TEMPLATE that ships with Accord: queue-safe or drop-in."""
    if template not in TEMPLATES:
        raise TemplateNotFound(name=template, known=" and ".join(TEMPLATES))
    say(template_text(template).rstrip("\n"))


@policy.command()
def schema() -> None:
    """Print the JSON Schema of policy documents, for editors."""
    say(json_schema_text().rstrip("\n"))


class Asked(TypedDict):
    """Every option of ``advise``."""

    level: Level | None
    preset: str | None
    format_: Format | None
    as_json: bool


@policy.command("advise")
@click.argument("file", required=False)
@level_option
@preset_option
@format_option
@json_option
def advise_(file: str | None, **asked: Unpack[Asked]) -> None:
    """Say what a policy means: what may change, who upgrades first, what one gives up.

    The policy is the document in FILE, or a level and a preset; these also replace what the document says.
    Without --format every format is told.
    """
    document = None if file is None else read_policy(Path(file))
    chosen = Chosen(asked["level"], asked["preset"], document)
    if chosen.is_silent:
        raise click.UsageError("Give a FILE, or --level or --preset.")
    formats = [asked["format_"]] if asked["format_"] else list(FORMATS.values())
    told = {format_: advise(decide(chosen, format_).policy, format_) for format_ in formats}
    if asked["as_json"]:
        say_json({format_.lower(): _as_json(advice) for format_, advice in told.items()})
        return
    for format_, advice in told.items():
        for line in _advice_lines(format_, advice):
            say(line)


def _read(path: str) -> tuple[Sequence[Problem], str]:
    """The problems of a file, and why it cannot be read at all."""
    try:
        return policy_in(path)[1], ""
    except UnreadableFile as problem:
        return (), problem.details


def _lines(path: str, problems: Sequence[Problem], unreadable: str) -> Iterator[str]:
    if unreadable:
        yield f"{plain(path)}: {plain(unreadable)}"
    for one in problems:
        where = f"{one.path}: " if one.path else ""
        yield plain(f"{path}:{one.line}:{one.column}: {where}{one.message}")
    if not problems and not unreadable:
        yield f"{plain(path)}: well formed"


def _validated(path: str, problems: Sequence[Problem], unreadable: str) -> dict[str, Any]:
    made: dict[str, Any] = {"file": path, "valid": not problems and not unreadable}
    if unreadable:
        made["unreadable"] = unreadable
    return {**made, "problems": [asdict(one) for one in problems]}


def _advice_lines(format_: Format, advice: Advice) -> Iterator[str]:
    yield heading(f"{format_}: {advice.level}")
    if advice.shown_as != advice.level:
        yield f"Confluent clients see {advice.shown_as}."
    yield advice.upgrade
    changes = (("May change", advice.allows), ("With a warning", advice.warns), ("Refused", advice.forbids))
    for words, listed in (*changes, ("Given up altogether", advice.gives_up)):
        if listed:
            yield f"{words}:"
            yield from (f"  - {one}" for one in listed)
    for caution in advice.cautions:
        yield f"Mind: {caution}"
    for name, why in advice.recommends:
        yield f"Better: {name}, {why}."


def _as_json(advice: Advice) -> dict[str, Any]:
    recommended = [{"level": name, "why": why} for name, why in advice.recommends]
    return asdict(advice) | {"recommends": recommended}
