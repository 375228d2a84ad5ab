"""``accord similar``: whether a schema is in the registry already, under another name."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Unpack

import click

from accord.cli.alike import told
from accord.cli.files import read_schema
from accord.cli.options import format_option
from accord.cli.output import json_option, say, say_json
from accord.cli.server import Server, open_client, reference_option, token_option, url_option
from accord.client.verdicts import ask_similar
from accord.naming import parse_subject

if TYPE_CHECKING:
    from accord.model import Format, Reference


@click.command()
@click.argument("subject")
@click.argument("file")
@format_option
@reference_option
@url_option
@token_option
@json_option
def similar(
    subject: str,
    file: str,
    *,
    format_: Format | None,
    references: tuple[Reference, ...],
    **server: Unpack[Server],
) -> None:
    """Say which subjects other than SUBJECT have much the same fields as the schema in FILE.

    Those of the latest versions in all namespaces of the tenant count, as far as you may read them. The
    address ends in /sr/TENANT/NAMESPACE. Exit code 1 says that there are some.
    """
    schema = replace(read_schema(file, format_), references=references)
    with open_client(server["url"], server["token"]) as client:
        found = ask_similar(client, parse_subject(subject), schema)
    if server["as_json"]:
        say_json([asdict(one) for one in found])
    else:
        for one in found:
            say(told(one))
    if found:
        click.get_current_context().exit(1)
