"""Registries as a whole on the command line: walked with a progress bar, or read from an export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from accord.cli.files import UnreadableFile
from accord.cli.output import one_line, progress
from accord.client import ClientSettings, RegistryClient
from accord.transfer import Walk, read, walk

if TYPE_CHECKING:
    from accord.transfer import Copy

DEFAULT_CONNECTIONS: Final = 4
MOST_CONNECTIONS: Final = 64

connections_option: Final = click.option(
    "--connections",
    type=click.IntRange(1, MOST_CONNECTIONS),
    default=DEFAULT_CONNECTIONS,
    show_default=True,
    help="How many calls are under way at once.",
)


def many_connections(
    url: str, token: str | None, connections: int, *, hint: str = "'--url'"
) -> RegistryClient:
    """A client for several threads; a malformed address is wrong usage."""
    try:
        return RegistryClient(url, token, settings=ClientSettings(connections=connections))
    except ValueError as problem:
        raise click.BadParameter(str(problem), param_hint=hint) from problem


def copy_of(client: RegistryClient, name: str, connections: int) -> Copy:
    """A copy of a registry, telling on the terminal how far it is; the caller closes it."""
    with progress(one_line(name), "subjects") as tell:
        return walk(Walk(client, name, connections, tell))


def read_export(path: str) -> Copy:
    """The copy in an export (``-`` is the standard input); the caller closes it.

    Raises `UnreadableFile`, and `accord.transfer.UnreadableExport`.
    """
    try:
        with click.open_file(path, "rb") as stream:
            return read(stream)
    except OSError as problem:
        raise UnreadableFile(path=path, details=problem.strerror or str(problem)) from problem
