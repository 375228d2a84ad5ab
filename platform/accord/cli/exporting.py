"""``accord export``: everything that a registry holds, in one file."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from accord.cli.copying import connections_option, copy_of, many_connections
from accord.cli.files import UnreadableFile
from accord.cli.output import json_option, one_line, say_json
from accord.cli.server import token_option, url_option
from accord.transfer import write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.transfer import Summary

STDOUT: Final = "-"


@click.command()
@click.argument("file")
@url_option
@token_option
@click.option("--source-name", help="What the file calls the registry, instead of its address.")
@connections_option
@json_option
def export(
    file: str,
    *,
    url: str,
    token: str | None,
    source_name: str | None,
    connections: int,
    as_json: bool,
) -> None:
    """Write everything that a registry holds to FILE, - for the standard output.

    Any registry with Confluent's interface will do: all contexts and subjects, every version with its id,
    soft-deleted ones too, and the compatibility levels and modes of all places. FILE is replaced once all
    of it is there. The same content always gives the same bytes.
    """
    with many_connections(url, token, connections) as client:
        copy = copy_of(client, source_name or client.address, connections)
    with copy, replacing(file) as stream:
        told = write(copy, stream)
    for sentence in copy.left_out:
        click.echo(one_line(sentence), err=True)
    if as_json and file != STDOUT:
        say_json(asdict(told))
    else:
        click.echo(f"exported {words(told)}\nsha256 {told.sha256}", err=True)


def words(told: Summary) -> str:
    """How much a copy holds, for people."""
    return (
        f"{told.versions} versions ({told.deleted} of them deleted)"
        f" of {told.subjects} subjects in {told.contexts} contexts"
    )


@contextmanager
def replacing(path: str) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file once all of it is written; raises `UnreadableFile`."""
    if path == STDOUT:
        yield sys.stdout.buffer
        return
    draft = Path(f"{path}.part")
    try:
        with draft.open("wb") as stream:
            yield stream
        draft.replace(path)
    except OSError as problem:
        raise UnreadableFile(path=path, details=problem.strerror or str(problem)) from problem
    finally:
        draft.unlink(missing_ok=True)
