"""``accord import``: what another registry holds, put into a namespace with its ids and numbers."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from accord.cli.copying import connections_option, copy_of, many_connections, read_export
from accord.cli.moved_policies import bind_named_policy
from accord.cli.output import json_option, one_line, progress, say, say_json
from accord.cli.server import token_option, url_option
from accord.transfer import MODES, Comparison, Effort, Outcome, Pair, Plan, Run, apply, compare, plan
from accord.transfer.yandex import named_policy, other_namespaces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.client import RegistryClient
    from accord.transfer import Copy

REFUSED: Final = 1
MOST_LINES: Final = 1000
ADDRESSES: Final = ("http://", "https://")


class Wishes(TypedDict):
    """The options that say how."""

    source_token: str | None
    dry_run: bool
    no_modes: bool
    connections: int


@dataclass(frozen=True, slots=True)
class Report:
    """What there was to do, what was done, and how both sides look then; the latter not in a dry run."""

    plan: Plan
    outcome: Outcome
    comparison: Comparison | None
    notes: list[str]

    @property
    def is_well(self) -> bool:
        """Whether the target holds, or could hold, all that the source does."""
        differences = () if self.comparison is None else self.comparison.differences
        return not self.plan.clashes and not self.outcome.refused and not differences


@click.command("import")
@click.argument("source")
@click.option(
    "--source-token",
    envvar="ACCORD_SOURCE_TOKEN",
    help="Token for SOURCE; better given as ACCORD_SOURCE_TOKEN than here.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be done and what is in the way.")
@click.option("--no-modes", is_flag=True, help="Leave modes as they are here, and open for writing.")
@connections_option
@url_option
@token_option
@json_option
@click.pass_context
def import_(
    ctx: click.Context,
    source: str,
    *,
    url: str,
    token: str | None,
    as_json: bool,
    **wishes: Unpack[Wishes],
) -> None:
    """Put what SOURCE holds into the registry at --url: same subjects, version numbers, ids and GUIDs.

    SOURCE is the address of a registry with Confluent's interface, with user and password in it where it
    needs them, or a file that accord export wrote (- for standard input). Contexts, references, soft-deleted
    versions, metadata, rule sets, compatibility levels and modes come along. What is there already is left
    alone, so the same command goes on after it was interrupted, and changes nothing once all is there. Places
    that something is put into only take imports meanwhile.

    Exit code 1: something is in the way, was refused or differs. 2: a side cannot answer.
    """
    with ExitStack() as stack:
        client = stack.enter_context(many_connections(url, token, wishes["connections"]))
        given = stack.enter_context(_source(source, wishes))
        report = _import(client, given, wishes)
    if as_json:
        say_json(_as_json(report))
    else:
        for line in _lines(report):
            say(one_line(line))
    ctx.exit(0 if report.is_well else REFUSED)


def _source(source: str, wishes: Wishes) -> Copy:
    if not source.startswith(ADDRESSES):
        return read_export(source)
    with many_connections(source, wishes["source_token"], wishes["connections"], hint="SOURCE") as client:
        return copy_of(client, client.address, wishes["connections"])


def _import(client: RegistryClient, source: Copy, wishes: Wishes) -> Report:
    has_modes = MODES not in source.lacks and not wishes["no_modes"]
    with copy_of(client, client.address, wishes["connections"]) as target:
        pair = Pair(source, target)
        made = plan(pair)
        others = other_namespaces(source.extras)
        notes = [*source.left_out, *(f"there is another namespace at the source: {one}" for one in others)]
        if wishes["dry_run"] or made.clashes:
            return Report(made, Outcome(), None, notes)
        run = Run.begin(client, source.source, made) if made.touched else None
        with progress(one_line(client.address), "versions") as tell:
            outcome = apply(pair, made, Effort(client, wishes["connections"], has_modes, tell, run))
        policy = named_policy(source.extras)
        if policy is not None:
            notes.append(bind_named_policy(client, *policy))
        found = _compared(client, pair, wishes, has_modes=has_modes, has_changed=bool(outcome.changes))
    if run is not None:
        run.finish(found)
    return Report(made, outcome, found, notes)


def _compared(
    client: RegistryClient, pair: Pair, wishes: Wishes, *, has_modes: bool, has_changed: bool
) -> Comparison:
    if not has_changed:
        return compare(pair, has_modes=has_modes)
    with copy_of(client, client.address, wishes["connections"]) as target:
        return compare(Pair(pair.source, target), has_modes=has_modes)


def _lines(report: Report) -> list[str]:
    done, made, found = report.outcome, report.plan, report.comparison
    lines = [f"clash: {one}" for one in _cut(made.clashes)]
    lines += [f"refused: {one}" for one in _cut(done.refused)]
    if found is None:
        todo = f"{len(made.register)} versions to register, {len(made.delete)} to delete"
        lines += [f"{todo}, {made.present} are there", f"{len(made.clashes)} clashes; nothing is changed"]
        return lines + report.notes
    lines += [f"differs: {one}" for one in _cut(found.differences)]
    versions = f"{done.registered} versions registered, {done.deleted} deleted, {made.present} were there"
    lines.append(f"{versions}; {done.configs} configs and {done.modes} modes set")
    if found.respelled:
        lines.append(f"{found.respelled} versions are the same schema in the spelling of this registry")
    lines += [f"sha256 {found.source_sha256} source", f"sha256 {found.target_sha256} here"]
    return [*lines, *report.notes, f"{len(found.differences)} differences"]


def _cut(sentences: Sequence[str]) -> list[str]:
    left = len(sentences) - MOST_LINES
    return [*sentences[:MOST_LINES], *([f"and {left} more"] if left > 0 else [])]


def _as_json(report: Report) -> dict[str, object]:
    made = report.plan
    return {
        "register": len(made.register),
        "delete": len(made.delete),
        "present": made.present,
        "clashes": made.clashes,
        "done": asdict(report.outcome),
        "comparison": None if report.comparison is None else asdict(report.comparison),
        "notes": report.notes,
    }
