"""``accord find``, ``accord uses`` and ``accord search``: schemas by what they are, not by where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Unpack

import click

from accord.cli.output import json_option, one_line, say, say_json
from accord.cli.server import Server, open_client, token_option, url_option
from accord.client.namespaces import schemas_called, search_fields, uses_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

KINDS: Final = ("digest", "guid", "fingerprint")
HIT_KINDS: Final = ("subject", "field", "type", "doc")


@click.command()
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("value")
@url_option
@token_option
@json_option
def find(kind: str, value: str, **server: Unpack[Server]) -> None:
    """Find the schemas of a namespace by VALUE: their digest, GUID or, in Avro, a fingerprint.

    Fingerprints are CRC-64-AVRO, MD5 or SHA-256 in hexadecimal; the first ten bytes of a single object do
    as well. The address ends in /sr/TENANT/NAMESPACE. Exit code 1 says that there is none.
    """
    with open_client(server["url"], server["token"]) as client:
        found = list(schemas_called(client, kind, value))
    _tell(found, _schema, as_json=server["as_json"])


@click.command()
@click.argument("digest")
@click.option("--deleted", "is_deleted_told", is_flag=True, help="Soft-deleted versions too.")
@url_option
@token_option
@json_option
def uses(digest: str, *, is_deleted_told: bool, **server: Unpack[Server]) -> None:
    """List the versions with the content DIGEST in all namespaces of the tenant, as far as you may read.

    The address ends in /sr/TENANT/NAMESPACE. Exit code 1 says that there is none.
    """
    with open_client(server["url"], server["token"]) as client:
        found = list(uses_of(client, digest, is_deleted_told=is_deleted_told))
    _tell(found, _use, as_json=server["as_json"])


@click.command()
@click.argument("text")
@click.option("--kind", type=click.Choice(HIT_KINDS), help="Hits of one kind alone.")
@click.option("--most", type=click.IntRange(1, 10_000), default=50, show_default=True, help="So many hits.")
@url_option
@token_option
@json_option
def search(text: str, *, kind: str | None, most: int, **server: Unpack[Server]) -> None:
    """Search the fields, types and subjects of a tenant for TEXT, as far as you may read.

    TEXT is part of a name, a way such as customer.email, a schema id, or operators such as type:string
    tag:PII. The nearest hits come first. The address ends in /sr/TENANT/NAMESPACE. Exit code 1 says that
    there is none.
    """
    with open_client(server["url"], server["token"]) as client:
        found = list(search_fields(client, text, kind, most))
    _tell(found, _hit, as_json=server["as_json"])


def _tell(found: Iterable[dict[str, Any]], line: Callable[[dict[str, Any]], str], *, as_json: bool) -> None:
    found = list(found)
    if as_json:
        say_json(found)
    else:
        for one in found:
            say(one_line(line(one)))
    if not found:
        click.get_current_context().exit(1)


def _schema(one: dict[str, Any]) -> str:
    return f"{one['id']}  context {one['context']}  {one['format']}  {one['guid']}  {one['digest']}"


def _use(one: dict[str, Any]) -> str:
    deleted = "  deleted" if one["is_deleted"] else ""
    return f"{one['namespace']}  {one['subject']}  version {one['version']}  id {one['id']}{deleted}"


def _hit(one: dict[str, Any]) -> str:
    place = f"{one['namespace']}  {one['subject']}  version {one['version']}"
    return f"{place}  {one['kind']} {one['path']}  {one['type']}"
