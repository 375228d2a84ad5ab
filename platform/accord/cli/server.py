"""Verbs against a registry: ``register``, ``get``, ``subjects``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, Unpack

import click

from accord.cli.alike import hint
from accord.cli.cases import Source
from accord.cli.files import read_schema
from accord.cli.options import format_option
from accord.cli.output import json_option, plain, say, say_json
from accord.cli.refusals import explained_refusal
from accord.cli.sides import RegistrySide
from accord.client import RegistryClient, RegistryConflict, RegistryInvalid
from accord.errors import InvalidReference
from accord.naming import parse_reference, parse_subject, validate_new_subject

if TYPE_CHECKING:
    from accord.client import RemoteVersion
    from accord.model import Format, Reference

url_option: Final = click.option(
    "--url", envvar="ACCORD_URL", required=True, help="Base address; or ACCORD_URL."
)
optional_url_option: Final = click.option(
    "--url", envvar="ACCORD_URL", help="Base address of the registry; or ACCORD_URL."
)
token_option: Final = click.option(
    "--token",
    envvar="ACCORD_TOKEN",
    help="Better given as ACCORD_TOKEN than here; user and password in the address go before it.",
)

_REFERENCE: Final = "NAME=SUBJECT@VERSION"
_HELP: Final = "Where a type lives that the schema uses by name; may be repeated."


class Server(TypedDict):
    """The options of a verb that speaks with a registry."""

    url: str
    token: str | None
    as_json: bool


def reference(text: str) -> Reference:
    """Read ``NAME=SUBJECT@VERSION``."""
    try:
        return parse_reference(text)
    except InvalidReference as error:
        raise click.BadParameter(error.details) from None


def pair(text: str) -> tuple[str, str]:
    """Read ``KEY=VALUE``."""
    key, sign, value = text.partition("=")
    if not (key and sign):
        raise click.BadParameter(f"{text!r} is not KEY=VALUE")
    return key, value


property_option: Final = click.option(
    "--property",
    "properties",
    type=pair,
    multiple=True,
    metavar="KEY=VALUE",
    help="What is said of a module, such as owner=team; by default what its latest version says. May be"
    " repeated.",
)


def version_number(text: str) -> int | Literal["latest"]:
    """Read a version number or ``latest``."""
    if text == "latest":
        return "latest"
    if not text.isdecimal() or int(text) < 1:
        raise click.BadParameter(f"{text!r} is neither a version number nor 'latest'")
    return int(text)


reference_option: Final = click.option(
    "--reference", "-r", "references", type=reference, multiple=True, metavar=_REFERENCE, help=_HELP
)


@click.command()
@click.argument("subject")
@click.argument("file")
@format_option
@reference_option
@url_option
@token_option
@json_option
def register(
    subject: str,
    file: str,
    *,
    format_: Format | None,
    references: tuple[Reference, ...],
    **server: Unpack[Server],
) -> None:
    """Register the schema in FILE under SUBJECT, or find it where it is already.

    Exit code 1 says that the registry refused it. A registry that is busy, or has a worker compare a large
    schema, is asked again a few times; then the exit code is 2, and the same command goes on from there.
    Beside the output stands which other subject a new one is much like.
    """
    name = parse_subject(subject)
    validate_new_subject(name)
    schema = replace(read_schema(file, format_), references=references)
    with open_client(server["url"], server["token"]) as client:
        try:
            registered = client.register(name, schema)
        except (RegistryConflict, RegistryInvalid) as problem:
            new = Source(file, schema, client)
            raise explained_refusal(problem, RegistrySide(client), new, str(name)) from problem
        version = registered.version or client.look_up(name, schema).number
        if version == 1:
            hint(client, name, schema)
    if server["as_json"]:
        say_json({"subject": str(name), "version": version, "id": registered.id})
    else:
        say(f"{plain(str(name))} version {version}, schema id {registered.id}")


@click.command()
@click.argument("subject")
@click.argument("version", type=version_number, default="latest")
@url_option
@token_option
@json_option
def get(
    subject: str, version: int | Literal["latest"], *, url: str, token: str | None, as_json: bool
) -> None:
    """Print the schema of one VERSION of SUBJECT, by default the latest."""
    name = parse_subject(subject)
    with open_client(url, token) as client:
        found = client.version(name, version)
    if as_json:
        say_json(_as_json(found))
    else:
        say(plain(found.schema.text))


@click.command()
@click.option("--prefix", help="Only names that begin so; ':*:' stands for every context.")
@click.option("--deleted", is_flag=True, help="Deleted subjects too.")
@url_option
@token_option
@json_option
def subjects(*, prefix: str | None, deleted: bool, url: str, token: str | None, as_json: bool) -> None:
    """List the subjects you may see, one a line."""
    with open_client(url, token) as client:
        names = client.subjects(prefix=prefix, has_deleted=deleted)
    if as_json:
        say_json(names)
        return
    for name in names:
        say(plain(name))


def open_client(url: str, token: str | None) -> RegistryClient:
    """A client of a registry; a malformed address is wrong usage."""
    try:
        return RegistryClient(url, token)
    except ValueError as problem:
        raise click.BadParameter(str(problem), param_hint="'--url'") from problem


def _as_json(version: RemoteVersion) -> dict[str, Any]:
    carried = {"metadata": version.metadata, "ruleSet": version.rule_set}
    given = {name: value for name, value in carried.items() if value}
    return {
        "subject": str(version.subject),
        "version": version.number,
        "id": version.id,
        "schemaType": str(version.schema.format),
        "schema": version.schema.text,
        "references": [
            {"name": one.name, "subject": one.subject, "version": one.version}
            for one in version.schema.references
        ],
        **given,
    }
