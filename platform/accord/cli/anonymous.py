"""``accord anonymous``: what callers without a token may do in a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Unpack

import click

from accord.cli.output import json_option, one_line, say, say_json
from accord.cli.server import Server, open_client, token_option, url_option
from accord.client.namespaces import allow_anonymous, anonymous_access, end_anonymous

if TYPE_CHECKING:
    from collections.abc import Iterator

ACCESS: Final = ("read", "write")


@click.group()
def anonymous() -> None:
    """Open a namespace to callers that send no credentials, or close it to them.

    The address ends in /sr/TENANT/NAMESPACE.
    """


@anonymous.command()
@url_option
@token_option
@json_option
def show(**server: Unpack[Server]) -> None:
    """Tell what callers without a token may do."""
    with open_client(server["url"], server["token"]) as client:
        _tell(anonymous_access(client), as_json=server["as_json"])


@anonymous.command()
@click.argument("access", type=click.Choice(ACCESS))
@click.option(
    "--subjects",
    multiple=True,
    default=("*",),
    help="A subject, a prefix such as 'orders-*' or 'topic:orders'; may be repeated. All unless given.",
)
@url_option
@token_option
@json_option
def allow(access: str, *, subjects: tuple[str, ...], **server: Unpack[Server]) -> None:
    """Let everybody who reaches the registry read schemas, or write them too, without a token."""
    with open_client(server["url"], server["token"]) as client:
        _tell(allow_anonymous(client, access, subjects), as_json=server["as_json"])


@anonymous.command()
@url_option
@token_option
@json_option
def end(**server: Unpack[Server]) -> None:
    """Let nobody in without a token, within two seconds everywhere."""
    with open_client(server["url"], server["token"]) as client:
        _tell(end_anonymous(client), as_json=server["as_json"])


def _tell(one: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        say_json(one)
        return
    for line in _lines(one):
        say(one_line(line))


def _lines(one: dict[str, Any]) -> Iterator[str]:
    if one["access"] is None:
        yield "closed: every caller needs a token"
        return
    yield f"open to callers without a token: {one['access']} {', '.join(one['subjects'])}"
    yield f"  since {one['created_at']}, by {one['created_by']}"
    yield f"  rights: {', '.join(one['rights'])}"
