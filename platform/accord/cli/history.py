"""``accord history``: who registered what under which policy, and what the verdict was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from accord.cli.output import heading, json_option, one_line, plain, say, say_json
from accord.cli.server import open_client, token_option, url_option
from accord.naming import parse_subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.client import RemoteRegistration
    from accord.client.records import KeptFinding, RegistrationVerdict

OUTCOMES: Final = {
    "first": "first version, nothing to compare with",
    "allowed": "compatible, compared with {compared}",
    "waived": "let in by a waiver, compared with {compared}",
    "unchecked": "not compared: the level asked for nothing",
    "imported": "imported, not judged",
}
SHOWN_FINDINGS: Final = 5


@click.command()
@click.argument("subject")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    help="How many of the newest registrations.",
)
@url_option
@token_option
@json_option
def history(subject: str, *, limit: int, url: str, token: str | None, as_json: bool) -> None:
    """Tell of each registration of SUBJECT: who, when, the policy in force, and the verdict.

    The address ends in /sr/TENANT/NAMESPACE: other registries do not remember this.
    """
    name = parse_subject(subject)
    with open_client(url, token) as client:
        found = list(client.history(name, limit=limit))
    if as_json:
        say_json([one.document for one in found])
        return
    for one in found:
        for line in _lines(one):
            say(line)


def _lines(one: RemoteRegistration) -> Iterator[str]:
    deleted = "" if one.deleted_at is None else f", deleted {one.deleted_at}"
    yield heading(f"version {one.version}, schema id {one.id}, {one.created_at}, {one.created_by}{deleted}")
    if one.in_force is None:
        yield f"  {plain(one.level)}"
    else:
        yield one_line(f"  level {one.level} ({one.in_force.level_origin})")
        yield one_line(f"  preset {one.in_force.preset} ({one.in_force.preset_origin})")
    if one.verdict is not None:
        yield from _verdict_lines(one.verdict)
    for finding in one.findings[:SHOWN_FINDINGS]:
        yield one_line(f"    {_finding(finding)}")
    left = len(one.findings) - SHOWN_FINDINGS
    if left > 0:
        yield f"    and {left} more: --json"


def _verdict_lines(verdict: RegistrationVerdict) -> Iterator[str]:
    yield one_line(f"  {_words(verdict)}")
    if verdict.waived_by is not None:
        given = verdict.waived_by
        yield one_line(f"    waiver {given.id}, given by {given.given_by}: {given.reason}")


def _words(verdict: RegistrationVerdict) -> str:
    versions = "1 version" if verdict.compared == 1 else f"{verdict.compared} versions"
    words = OUTCOMES.get(verdict.outcome, verdict.outcome).replace("{compared}", versions)
    counted = [f"{count} {severity}" for severity, count in verdict.counts.items() if count]
    return "; ".join((words, *counted))


def _finding(finding: KeptFinding) -> str:
    against = "" if finding.version is None else f" ({finding.direction}, version {finding.version})"
    return f"{finding.severity} {finding.rule} at {finding.path}{against}"
