"""``accord policy``: documents checked and explained without a server, and the verbs about stored ones."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from accord.cli.advising import advice_lines
from accord.cli.deciding import Chosen, decide, policy_in, read_policy
from accord.cli.dry_runs import dry_run_
from accord.cli.files import UnreadableFile
from accord.cli.levels import level as level_
from accord.cli.options import FORMATS, format_option, level_option, preset_option
from accord.cli.output import json_option, plain, say, say_json
from accord.cli.policy_bindings import bind, in_force, unbind
from accord.cli.policy_import import import_
from accord.cli.stored_policies import history, list_, put, revert, show
from accord.policy.advice import advice_by_format, advise
from accord.policy.documents.editors import json_schema_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.model import Format, Level
    from accord.policy.documents import Problem

WRONG = 1
UNUSABLE = 2


@click.group()
def policy() -> None:
    """Policies: named documents that say how schemas may change.

    What asks a registry takes an address that ends in /sr/TENANT/NAMESPACE.
    """


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
    decided = {one: decide(chosen, one) for one in formats}
    advised = advice_by_format(
        {one: advise(made.policy, one, is_locked=made.is_locked) for one, made in decided.items()}
    )
    if asked["as_json"]:
        say_json(advised)
        return
    for line in advice_lines(advised):
        say(line)


for verb in (import_, list_, show, put, history, revert, bind, unbind, level_, in_force, dry_run_):
    policy.add_command(verb)


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
