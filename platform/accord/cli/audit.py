"""``accord audit``: who did what to which, and whether the log still says what it said."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import click

from accord.cli.control import tenant_option
from accord.cli.output import json_option, one_line, say, say_json
from accord.cli.server import open_client, token_option, url_option
from accord.client.control import listed, read
from accord.model.cells import csv_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from accord.client.namespaces import Document

BROKEN: Final = 1
SHOWN: Final = ("at", "outcome", "actor", "action", "object_kind", "object_name", "namespace", "id")
# Filters: the option, the name in the query, the help.
FILTERS: Final = (
    ("actor", "actor", "By person:NAME or service:NAME."),
    ("action", "action", "What was done, such as subject.delete."),
    ("object-kind", "object_kind", "To a thing of this kind, such as subject."),
    ("object", "object", "To the thing of this name."),
    ("outcome", "outcome", "allowed or denied."),
    ("namespace", "namespace", "In this namespace alone."),
    ("key-id", "token", "With the token of this key id."),
    ("request-id", "request_id", "In the request of this id."),
    ("since", "since", "From this moment on: 2026-01-31T08:00:00Z."),
    ("until", "until", "Before this moment."),
)
FAULTS: Final = {
    "altered": "record {record} was altered (seal {seal})",
    "removed": "record {record} was removed (seal {seal})",
    "inserted": "record {record} was inserted",
    "reordered": "record {record} changed its place (seal {seal})",
    "seal-altered": "seal {seal} was altered",
    "seal-removed": "seal {seal} was removed",
    "anchor-altered": "the anchor at seal {seal} was altered",
}


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the filters of the log to a command."""
    for option, name, words in reversed(FILTERS):
        command = click.option(f"--{option}", f"_{name}", help=words)(command)
    for add in (url_option, token_option, tenant_option):
        command = add(command)
    return command


@click.group()
def audit() -> None:
    """Read the audit log of a tenant, take it elsewhere, and verify it."""


@audit.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many.")
@filter_options
@json_option
def list_(*, limit: int, as_json: bool, **given: str | None) -> None:
    """List the newest records first."""
    found = list(islice(_records(given), limit))
    if as_json:
        say_json(found)
        return
    for one in found:
        say(one_line("  ".join("-" if one.get(name) in (None, "") else str(one[name]) for name in SHOWN)))


@audit.command()
@click.option("--format", "kind", type=click.Choice(("jsonl", "csv")), default="jsonl", show_default=True)
@click.option("--output", type=click.Path(dir_okay=False), default="-", help="A file (standard output).")
@filter_options
def export(*, kind: str, output: str, **given: str | None) -> None:
    """Write all records, newest first: a line of JSON each, or CSV that holds no formula.

    To go on after a run that was cut off, give the time of its last record as --until: records of that very
    moment come once more.
    """
    with click.open_file(output, "w", encoding="utf-8", lazy=False) as file:
        for number, one in enumerate(_records(given)):
            if kind == "jsonl":
                file.write(json.dumps(one) + "\n")
                continue
            if number == 0:
                file.write(csv_line(one))
            file.write(csv_line(one.values()))


@audit.command()
@click.option("--checkpoint", default="", help="Where an earlier run ended; that place is held to as well.")
@url_option
@token_option
@tenant_option
@json_option
def verify(*, checkpoint: str, url: str, token: str | None, tenant: str | None, as_json: bool) -> None:
    """Tell whether a record was removed, altered, inserted or moved, and name the first.

    Exit code 1 says that one was. Keep the checkpoint that is printed where nobody who may change the
    database can: with it a later run also finds an end that was cut off and a chain that was made anew.
    """
    found: dict[str, Any] = {}
    seals = records = 0
    with open_client(url, token) as client:
        while True:
            found = dict(read(client, "/audit/verification", {"checkpoint": checkpoint}, tenant=tenant))
            checkpoint = found["checkpoint"]
            seals, records = seals + found["seals"], records + found["records"]
            if found["is_whole"] or not found["is_good"]:
                break
    _tell(found | {"seals": seals, "records": records}, as_json=as_json)
    if not found["is_good"]:
        click.get_current_context().exit(BROKEN)


def _records(given: Mapping[str, str | None]) -> Iterator[Document]:
    query = {name: value for _, name, _ in FILTERS if (value := given[f"_{name}"])}
    # The address is required, so that there is one.
    with open_client(str(given["url"]), given["token"]) as client:
        yield from listed(client, "/audit", query, tenant=given["tenant"])


def _tell(found: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        say_json(found)
        return
    if found["fault"]:
        words = FAULTS.get(found["fault"]["kind"], "the log is not as it was sealed: {kind}")
        say(one_line("broken: " + words.format(**found["fault"])))
    else:
        say(f"good: {found['records']} records in {found['seals']} seals, {found['waiting']} not sealed yet")
    for one in found["expired"]:
        say(one_line(f"{one['month']}: {one['records']} records were kept long enough and are gone"))
    say(one_line(f"checkpoint: {found['checkpoint']}"))
