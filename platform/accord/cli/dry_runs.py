"""``accord policy dry-run``: what another policy would have said about the stored history."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypedDict, Unpack

import click

from accord.cli.files import read_text
from accord.cli.output import heading, json_option, one_line, say, say_json
from accord.cli.policy_places import AT, AT_HELP, place
from accord.cli.server import open_client, token_option, url_option
from accord.client.namespaces import dry_run, dry_run_changes, start_dry_run
from accord.errors import Unavailable, error
from accord.policy.documents.source import LARGEST_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.client import RegistryClient
    from accord.client.policies import Place

REFUSED: Final = 1
# Seconds between two looks.
PAUSE_S: Final = 1.0
OPEN: Final = frozenset({"queued", "running"})
WORDS: Final = {
    "refused": "would be refused",
    "allowed": "would be allowed",
    "severity": "would be told otherwise",
}


@error
class DryRunEnded(Unavailable):
    """A dry run ended without a result."""

    code: ClassVar[str] = "dry_run_ended"
    template: ClassVar[str] = "the dry run {run} has {state}: {details}"
    run: str
    state: str
    details: str


class Proposed(TypedDict):
    """The options that say what is tried, and where."""

    policy_name: str | None
    version: int | None
    level: str | None
    place: Place | None


@click.command("dry-run")
@click.argument("file", required=False)
@click.option("--policy", "policy_name", help="A stored policy instead of FILE.")
@click.option("--version", type=click.IntRange(1), help="Which version of it; the newest unless given.")
@click.option("--level", help="A level instead of a policy, in any spelling.")
@click.option(
    "--at",
    "place",
    callback=place,
    metavar=AT,
    help=AT_HELP,
)
@url_option
@token_option
@json_option
@click.pass_context
def dry_run_(
    ctx: click.Context,
    file: str | None,
    *,
    url: str,
    token: str | None,
    as_json: bool,
    **proposed: Unpack[Proposed],
) -> None:
    """Judge the stored history once more under the policy in FILE, and list the verdicts that change.

    Nothing is changed. Without --at it counts where the policy of that name is bound, or else everywhere.
    Exit code 1 says that something would be refused. The address ends in /sr/TENANT/NAMESPACE.
    """
    proposal = _proposal(file, proposed)
    with open_client(url, token) as client:
        run = _ended(client, str(start_dry_run(client, proposal)["id"]), is_quiet=as_json)
        changes = list(dry_run_changes(client, str(run["id"])))
    if as_json:
        say_json({**run, "listed": changes})
    else:
        for line in _lines(run, changes):
            say(line)
    ctx.exit(REFUSED if run["changes"]["refused"] else 0)


def _proposal(file: str | None, proposed: Proposed) -> dict[str, Any]:
    given = {
        "document": None if file is None else read_text(file, LARGEST_TEXT * 4),
        "policy": proposed["policy_name"],
        "level": proposed["level"],
    }
    named = {name: value for name, value in given.items() if value is not None}
    if len(named) != 1:
        raise click.UsageError("Give one of FILE, --policy and --level.")
    where = proposed["place"]
    others = {"version": proposed["version"], "place": None if where is None else where.document}
    return named | {name: value for name, value in others.items() if value is not None}


def _ended(client: RegistryClient, run: str, *, is_quiet: bool) -> dict[str, Any]:
    """Follow a run to its end, telling how far it is."""
    told = ""
    while True:
        found: dict[str, Any] = dry_run(client, run)
        progress = found["progress"]
        words = f"{run}: {progress['done']} of {progress['total']} subjects"
        if words != told and not is_quiet:
            click.echo(words, err=True)
        told = words
        if found["state"] == "done":
            return found
        if found["state"] not in OPEN:
            raise DryRunEnded(run, found["state"], found["failure"] or "somebody called it off")
        sleep(PAUSE_S)


def _lines(run: dict[str, Any], changes: list[dict[str, Any]]) -> Iterator[str]:
    for one in changes:
        yield heading(f"{one['subject']} version {one['version']} {WORDS[one['change']]}")
        for found in one["decided_by"]:
            yield one_line(f"  {_decision(found)}")
        if one["left_out"]:
            yield f"  and {one['left_out']} more"
    counts = ", ".join(f"{count} {WORDS[kind]}" for kind, count in run["changes"].items())
    yield f"{run['progress']['done']} subjects: {counts}."
    if run["cut"]:
        yield f"Ended early by a bound on its {run['cut']}; what comes after is not judged."


def _decision(found: dict[str, Any]) -> str:
    weight = f"{found['before'] or 'nothing'} -> {found['after'] or 'nothing'}"
    against = "" if found["version"] is None else f" ({found['direction']}, version {found['version']})"
    return f"{found['rule']} {weight} at {found['path']}{against}: {found['message']}"
