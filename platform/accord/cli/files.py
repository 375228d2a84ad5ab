"""Schema files: read within limits, parsed, and blamed by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import click

from accord.cli.sniffing import SUFFIXES, format_of
from accord.errors import AccordError, Invalid, error
from accord.formats import DEFAULT_LIMITS, parse
from accord.model import Format, SchemaText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.formats import ParsedSchema
    from accord.model import ReferenceResolver

STDIN: Final = "-"


@error
class UnreadableFile(Invalid):
    """A file that cannot be read as a schema; ``details`` names the place inside it where known."""

    code: ClassVar[str] = "unreadable_file"
    template: ClassVar[str] = "{path}: {details}"
    path: str
    details: str


def read_schema(path: str, format_: Format | None = None) -> SchemaText:
    """The text of a schema file (``-`` is the standard input), in this format or the one it seems to have.

    Raises `UnreadableFile` for files that are missing, above the size limit or not UTF-8.
    """
    return decoded(path, read_bytes(path, DEFAULT_LIMITS.text_bytes), format_)


def decoded(path: str, data: bytes, format_: Format | None = None) -> SchemaText:
    """The text that bytes of a file stand for; raises `UnreadableFile` where they are not UTF-8."""
    try:
        text = data.decode()
    except UnicodeDecodeError as problem:
        raise UnreadableFile(path=path, details=f"byte {problem.start} is not UTF-8") from problem
    return SchemaText(format_ or format_of(path, text), text)


def parse_schema(
    path: str, schema: SchemaText, resolver: ReferenceResolver | None = None, *, strict: bool
) -> ParsedSchema:
    """The schema in a file's text; raises `UnreadableFile` with the place of what is wrong in it."""
    try:
        return parse(schema, resolver, strict=strict)
    except UnreadableFile:
        raise
    except AccordError as problem:
        hint = "; files with types are given with -r NAME=FILE" if "a reference" in problem.message else ""
        raise UnreadableFile(path=path, details=problem.message + hint) from problem


def expand(paths: Iterable[str]) -> list[str]:
    """The files of a history: folders are replaced by the schema files in them, by name, numbers in order."""
    return [file for path in paths for file in (_inside(Path(path)) if Path(path).is_dir() else [path])]


def _inside(folder: Path) -> list[str]:
    files = [one for one in folder.iterdir() if one.suffix in SUFFIXES and one.is_file()]
    if not files:
        raise UnreadableFile(path=str(folder), details="no schema file (.avsc, .json, .proto) in this folder")
    return [str(one) for one in sorted(files, key=natural)]


def natural(path: Path) -> list[tuple[int, str]]:
    """Sort v2 before v10: runs of digits count as numbers."""
    parts: list[str] = [""]
    for one in path.name:
        if parts[-1][:1].isdecimal() == one.isdecimal():
            parts[-1] += one
        else:
            parts.append(one)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def read_bytes(path: str, limit: int) -> bytes:
    """The bytes of a file (``-`` is the standard input); raises `UnreadableFile`."""
    try:
        with click.open_file(path, "rb") as stream:
            data = bytes(stream.read(limit + 1))
    except OSError as problem:
        raise UnreadableFile(path=path, details=problem.strerror or str(problem)) from problem
    if len(data) > limit:
        raise UnreadableFile(path=path, details=f"longer than {limit} bytes")
    return data


def read_text(path: str, limit: int) -> str:
    """The text of a file; raises `UnreadableFile`."""
    try:
        return read_bytes(path, limit).decode()
    except UnicodeDecodeError as problem:
        raise UnreadableFile(path=path, details=f"byte {problem.start} is not UTF-8") from problem
