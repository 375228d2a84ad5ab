"""References given as files: ``-r NAME=FILE``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from accord.cli.cases import Source
from accord.cli.files import read_schema
from accord.model import Reference

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.model import Format, SchemaText

HELP: Final = "File of a type that the schemas use by name; repeat it in the order they build on each other."


class FileResolver:
    """The port `accord.model.ReferenceResolver` over files; a reference's subject is the path."""

    def resolve(self, reference: Reference) -> SchemaText:
        """The text of the file; raises `accord.cli.files.UnreadableFile`."""
        return read_schema(reference.subject)


def file_source(path: str, format_: Format | None, references: tuple[Reference, ...]) -> Source:
    """A schema file with references to files; raises `accord.cli.files.UnreadableFile`."""
    return Source(path, replace(read_schema(path, format_), references=references), FileResolver())


def file_reference(text: str) -> Reference:
    """Read ``NAME=FILE``."""
    name, _, path = text.partition("=")
    if not name or not path:
        raise click.BadParameter(f"{text!r} is not NAME=FILE")
    return Reference(name, path, 1)


file_references: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--reference", "-r", "references", type=file_reference, multiple=True, metavar="NAME=FILE", help=HELP
)
