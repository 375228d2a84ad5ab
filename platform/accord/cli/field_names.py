"""``accord fields``: the names of fields with the types they have, and where they do not agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import click

from accord.cli.output import json_option, one_line, say, say_json
from accord.cli.server import Server, open_client, token_option, url_option
from accord.client.namespaces import field_named, field_names

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.argument("name", required=False)
@click.option("--starting", default="", metavar="TEXT", help="Names that begin so, without NAME.")
@click.option("--conflicts", is_flag=True, help="Names whose types do not go together alone.")
@click.option("--most", type=click.IntRange(1, 10_000), default=200, show_default=True, help="So many names.")
@url_option
@token_option
@json_option
def fields(name: str | None, *, starting: str, conflicts: bool, most: int, **server: Unpack[Server]) -> None:
    """List the names of fields of a tenant with their types, or tell where fields called NAME are.

    Upper and lower case are alike; what you may not read counts for nothing. The address ends in
    /sr/TENANT/NAMESPACE. Exit code 1 says that there is none, or that the types of NAME do not go together.
    """
    with open_client(server["url"], server["token"]) as client:
        if name is not None:
            _tell_one(field_named(client, name), as_json=server["as_json"])
            return
        found = list(field_names(client, starting, most, conflicts=conflicts))
    if server["as_json"]:
        say_json(found)
    else:
        for one in found:
            say(one_line(_line(one)))
    if not found:
        click.get_current_context().exit(1)


def _tell_one(found: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        say_json(found)
    else:
        for line in _lines(found):
            say(one_line(line))
    if found["is_conflicting"] or not found["types"]:
        click.get_current_context().exit(1)


def _line(one: dict[str, Any]) -> str:
    types = ", ".join(f"{use['type']} ({use['format']}, {use['subjects']})" for use in one["types"])
    return f"{one['name']}  {types}{'  conflict' if one['is_conflicting'] else ''}"


def _lines(one: dict[str, Any]) -> Iterator[str]:
    yield _line(one)
    for use in one["types"]:
        for place in use["places"]:
            where = f"{place['namespace']}  {place['subject']}  version {place['version']}"
            yield f"{use['type']}  {where}  {place['path']}"
        if use["subjects"] > len(use["places"]):
            yield f"{use['type']}  and {use['subjects'] - len(use['places'])} more subjects"
