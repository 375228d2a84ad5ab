"""``accord waiver``: permissions to register one refused schema once."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

import click

from accord.cli.files import read_schema
from accord.cli.options import format_option
from accord.cli.output import heading, json_option, one_line, say, say_json
from accord.cli.server import open_client, reference, token_option, url_option
from accord.client.namespaces import give_waiver, revoke_waiver, waivers
from accord.naming import parse_subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.model import Format, Reference

HOURS: Final = {"h": 1, "d": 24}


class Asked(TypedDict):
    """What a new waiver is about."""

    format_: Format | None
    references: tuple[Reference, ...]
    rules: tuple[str, ...]
    reason: str
    life: timedelta


def life(text: str) -> timedelta:
    """Read how long a waiver lasts: ``12h`` or ``7d``."""
    found = re.fullmatch(r"([1-9][0-9]{0,3})([hd])", text)
    if found is None:
        raise click.BadParameter(f"{text!r} is neither hours, such as 12h, nor days, such as 7d")
    return timedelta(hours=int(found[1]) * HOURS[found[2]])


@click.group()
def waiver() -> None:
    """Let one refused schema be registered once.

    The address ends in /sr/TENANT/NAMESPACE.
    """


@waiver.command()
@click.argument("subject")
@click.argument("file")
@click.option("--reason", required=True, help="Why; it is kept for good.")
@click.option("--expires-in", "life", type=life, required=True, help="Hours or days: 12h, 7d.")
@click.option("--rule", "rules", multiple=True, help="Waive this rule wherever it is met; may be repeated.")
@format_option
@click.option(
    "--reference", "-r", "references", type=reference, multiple=True, metavar="NAME=SUBJECT@VERSION"
)
@url_option
@token_option
@json_option
def create(
    subject: str, file: str, *, url: str, token: str | None, as_json: bool, **asked: Unpack[Asked]
) -> None:
    """Waive what blocks the schema in FILE under SUBJECT: exactly what does so now, or the rules named."""
    schema = replace(read_schema(file, asked["format_"]), references=asked["references"])
    wanted: dict[str, Any] = {
        "subject": str(parse_subject(subject)),
        "schema": schema.text,
        "format": str(schema.format),
        "references": [asdict(one) for one in schema.references],
        "reason": asked["reason"],
        "expires_at": (datetime.now(UTC) + asked["life"]).isoformat(),
        "rules": list(asked["rules"]),
    }
    with open_client(url, token) as client:
        _tell(give_waiver(client, wanted), as_json=as_json)


@waiver.command("list")
@click.option("--subject", help="Of this subject alone.")
@click.option("--open", "is_open", is_flag=True, help="Only those that can be used.")
@url_option
@token_option
@json_option
def list_(subject: str | None, *, is_open: bool, url: str, token: str | None, as_json: bool) -> None:
    """List the waivers you may see, newest first."""
    wanted = {"subject": subject or "", "state": "open" if is_open else ""}
    with open_client(url, token) as client:
        found = list(waivers(client, {name: value for name, value in wanted.items() if value}))
    if as_json:
        say_json(found)
        return
    for one in found:
        for line in _lines(one):
            say(line)


@waiver.command()
@click.argument("waiver_id", type=click.UUID)
@url_option
@token_option
@json_option
def revoke(waiver_id: object, *, url: str, token: str | None, as_json: bool) -> None:
    """End the open waiver WAIVER_ID."""
    with open_client(url, token) as client:
        _tell(revoke_waiver(client, str(waiver_id)), as_json=as_json)


def _tell(one: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        say_json(one)
        return
    for line in _lines(one):
        say(line)


def _lines(one: dict[str, Any]) -> Iterator[str]:
    yield heading(f"{one['id']} {one['state']}: {one['subject']}, until {one['expires_at']}")
    rules = one["rules"] or [f"{found['rule']} at {found['path']}" for found in one["findings"]]
    # One place may break in both directions, and with several versions.
    yield one_line(f"  waives {', '.join(dict.fromkeys(rules))}")
    yield one_line(f"  {one['created_by']}: {one['reason']}")
    if one["ended_at"]:
        let_in = f", let in version {one['version']}" if one["version"] else ""
        yield one_line(f"  {one['state']} {one['ended_at']} by {one['ended_by']}{let_in}")
