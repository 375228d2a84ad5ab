"""``accord descriptors``: modules of descriptor sets in a namespace, uploaded and downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

import click

from accord.cli.files import UnreadableFile, read_bytes
from accord.cli.output import heading, json_option, one_line, say, say_json
from accord.cli.server import (
    Server,
    open_client,
    property_option,
    token_option,
    url_option,
    version_number,
)
from accord.client import descriptors as stored

if TYPE_CHECKING:
    from collections.abc import Iterator

REFUSED: Final = 1
LARGEST_SET: Final = 64 * 1024 * 1024
depends_option: Final = click.option(
    "--depends",
    multiple=True,
    metavar="MODULE[@VERSION]",
    help="A module that has what the set imports and does not hold; may be repeated.",
)


@click.group()
def descriptors() -> None:
    """Keep sets of compiled Protobuf files in a registry, version by version.

    A set is what protoc writes with --descriptor_set_out and --include_imports.
    """


@descriptors.command("list")
@click.argument("module", required=False)
@url_option
@token_option
@json_option
def list_(module: str | None, **server: Unpack[Server]) -> None:
    """List the modules of the namespace, or the versions of MODULE."""
    with open_client(server["url"], server["token"]) as client:
        numbers = [] if module is None else stored.versions(client, module)
        found = list(stored.modules(client)) if module is None else []
    if server["as_json"]:
        say_json(found if module is None else numbers)
        return
    for one in found:
        latest = f"version {one['latest']}" if one["latest"] else "all versions disabled"
        say(one_line(f"{one['name']} {latest}, {one['updated_at']}"))
    for number in numbers:
        say(str(number))


@descriptors.command()
@click.argument("module")
@click.argument("file")
@depends_option
@property_option
@url_option
@token_option
@json_option
def push(
    module: str,
    file: str,
    *,
    depends: tuple[str, ...],
    properties: tuple[tuple[str, str], ...],
    **server: Unpack[Server],
) -> None:
    """Upload the set in FILE as the next version of MODULE, or find it where it is already.

    Only files that the registry lacks are sent. Exit code 1 says that the registry refused the set.
    """
    data = read_bytes(file, LARGEST_SET)
    with open_client(server["url"], server["token"]) as client:
        made = stored.push(client, module, data, depends=depends, properties=dict(properties))
    if server["as_json"]:
        say_json(made)
    else:
        was = "" if made["is_new"] else ", as it was"
        say(one_line(f"{made['module']} version {made['version']}{was}, digest {made['digest']}"))


@descriptors.command()
@click.argument("module")
@click.argument("file")
@depends_option
@property_option
@url_option
@token_option
@json_option
@click.pass_context
def check(
    context: click.Context,
    module: str,
    file: str,
    *,
    depends: tuple[str, ...],
    properties: tuple[tuple[str, str], ...],
    **server: Unpack[Server],
) -> None:
    """Tell what the policy in force says of the set in FILE as the next version of MODULE; store nothing.

    Exit code 1 says that it would be refused.
    """
    data = read_bytes(file, LARGEST_SET)
    with open_client(server["url"], server["token"]) as client:
        told = stored.check(client, module, data, depends=depends, properties=dict(properties))
    if server["as_json"]:
        say_json(told)
    else:
        for line in _judged(told):
            say(line)
    if not told["is_allowed"]:
        context.exit(REFUSED)


@descriptors.command()
@click.argument("module")
@click.argument("version", type=version_number, default="latest")
@click.option("--output", "-o", required=True, metavar="FILE", help="Where the set goes; - is the output.")
@click.option("--for", "name", default="", metavar="NAME", help="Only what this message or service needs.")
@url_option
@token_option
def pull(module: str, version: int | str, *, output: str, name: str, url: str, token: str | None) -> None:
    """Download the set of one VERSION of MODULE, by default the latest, with all it imports."""
    with open_client(url, token) as client:
        found = stored.pull(client, stored.Wanted(module, version, name))
    data = b"" if found is None else found.data
    try:
        if output == "-":
            click.echo(data, nl=False)
        else:
            Path(output).write_bytes(data)
    except OSError as problem:
        raise UnreadableFile(path=output, details=problem.strerror or str(problem)) from problem


@descriptors.command()
@click.argument("module")
@click.argument("old", type=version_number)
@click.argument("new", type=version_number, default="latest")
@url_option
@token_option
@json_option
def diff(module: str, old: int | str, new: int | str, **server: Unpack[Server]) -> None:
    """Show what differs between two versions of MODULE; the exit code is 0 whatever differs."""
    with open_client(server["url"], server["token"]) as client:
        found = stored.differences(client, module, old, new)
    if server["as_json"]:
        say_json(found)
        return
    for line in _differences(found):
        say(line)


def _judged(told: dict[str, Any]) -> Iterator[str]:
    for comparison in told["comparisons"]:
        yield heading(f"version {comparison['version']}, {comparison['direction']}")
        yield from _findings(comparison["findings"])
    for one in told["lint"]:
        place = f"{one['file']}:{one['line']}:{one['column']}"
        yield one_line(f"{place}: {one['severity']} {one['rule']}: {one['message']}")
    yield from _findings(told["own"])
    words = "would be stored" if told["is_allowed"] else "would be refused"
    yield one_line(f"{words}, by level {told['level']} and preset {told['preset']}")


def _differences(found: dict[str, Any]) -> Iterator[str]:
    for what, paths in found["files"].items():
        yield from (one_line(f"{what}: {path}") for path in paths)
    for direction in dict.fromkeys(one["direction"] for one in found["differences"]):
        yield heading(direction)
        yield from _findings(one for one in found["differences"] if one["direction"] == direction)
    if found["left_out"]:
        yield f"and {found['left_out']} more"


def _findings(found: Any) -> Iterator[str]:  # noqa: ANN401  # what the registry tells
    for one in found:
        yield one_line(f"  {one['path']}: {one['severity']} {one['rule']}: {one['sentence']}")
