"""``accord tenants export``: all that a tenant has, in one file on this machine."""

from __future__ import annotations

from typing import Unpack

import click

from accord.cli.control import tenant_option
from accord.cli.exporting import STDOUT, replacing
from accord.cli.output import json_option, plain, progress, say_json
from accord.cli.server import Server, open_client, token_option, url_option
from accord.client.exports import asked_for, awaited, fetch


@click.command()
@click.argument("file")
@click.option(
    "--export", "export_", help="Fetch this export instead of asking for one; see `accord exports list`."
)
@click.option(
    "--wait",
    type=click.IntRange(min=1),
    default=3600,
    show_default=True,
    help="Seconds until a worker must have written it.",
)
@url_option
@token_option
@tenant_option
@json_option
def export(
    file: str,
    *,
    export_: str | None,
    wait: int,
    tenant: str | None,
    **server: Unpack[Server],
) -> None:
    """Write all that a tenant has, as of now, to the zip FILE, - for the standard output.

    It needs the token of an operator of the installation. A worker writes the archive, which is then fetched;
    where the connection breaks the same byte is gone on from. FILE is replaced once all of it is there and
    its SHA-256 is the one that the server tells.
    """
    with open_client(server["url"], server["token"]) as client:
        name = export_ or str(asked_for(client, tenant=tenant)["id"])
        with progress("writing", "files") as tell:
            done = awaited(client, name, tell, tenant=tenant, patience=wait)
        with replacing(file) as stream, progress("fetching", "bytes") as tell:
            sha256 = fetch(client, done, stream, tell, tenant=tenant)
    if server["as_json"] and file != STDOUT:
        say_json({"export": name, "size": done["size"], "sha256": sha256})
    else:
        click.echo(plain(f"exported {done['size']} bytes, export {name}\nsha256 {sha256}"), err=True)
