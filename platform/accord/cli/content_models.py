"""``accord json``: open and close the objects of a JSON Schema, and make a consumer's schema of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, cast

import click

from accord.cli.judging import parsed
from accord.cli.output import json_option, one_line, plain, say, say_json
from accord.cli.references import file_references, file_source
from accord.formats.jsonschema import content
from accord.formats.places import pointer_token, shown_pointer
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.jsonschema.schema import JsonSchema
    from accord.model import Reference

TOKENS: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{},:]|[^\[\]{},:"]++')
OPENING: Final = frozenset("[{")
CLOSING: Final = frozenset("]}")
SPELLED: Final = {":": ": "}
BREAKING: Final = frozenset("[{,")


@click.group("json")
def content_models() -> None:
    """Content models of JSON Schemas: open, closed, and what consumers use."""


@content_models.command()
@click.argument("file")
@file_references
@json_option
def models(file: str, *, references: tuple[Reference, ...], as_json: bool) -> None:
    """List the objects of the schema in FILE: open, closed or partly open to undeclared properties.

    Those of the schemas that it refers to stand at the places that lead to them.
    """
    found = content.content_models(_read(file, references))
    if as_json:
        say_json(content.content_models_data(found))
        return
    for one in found.objects:
        say(f"{one.model:<11}  {one_line(shown_pointer(one.path))}")
    if found.left_out:
        say(f"and {found.left_out} more")
    say(", ".join(f"{count} {model}" for model, count in found.counts.items()))


@content_models.command("open")
@click.argument("file")
@file_references
@click.option("--json", "as_json", is_flag=True, help="Errors as JSON too.")
def open_(file: str, *, references: tuple[Reference, ...], as_json: bool) -> None:
    """Print the schema in FILE with every object open to undeclared properties.

    The schemas that it refers to are printed among its definitions, open as well.
    """
    del as_json  # read by the program, for errors
    _print(content.opened_text(_read(file, references)))


@content_models.command()
@click.argument("file")
@file_references
@click.option("--json", "as_json", is_flag=True, help="Errors as JSON too.")
def close(file: str, *, references: tuple[Reference, ...], as_json: bool) -> None:
    """Print the schema in FILE with its open objects closed; those partly open stay as they are.

    The schemas that it refers to are printed among its definitions, closed as well.
    """
    del as_json
    _print(content.closed_text(_read(file, references)))


@content_models.command()
@click.argument("file")
@file_references
@click.option("--json", "as_json", is_flag=True, help="Errors as JSON too.")
def consumer(file: str, *, references: tuple[Reference, ...], as_json: bool) -> None:
    """Print the schema that consumers of FILE's data use: opened, and without oneOf of objects.

    Opened branches of a oneOf overlap, so it becomes an anyOf; each place is named on the standard error.
    The schemas that it refers to are printed among its definitions, so that it needs no references.
    """
    del as_json
    made = content.consumer(_read(file, references))
    for steps in made.relaxed:
        place = "/" + "/".join(map(pointer_token, steps))
        click.echo(plain(f"oneOf became anyOf at {place}"), err=True)
    _print(made.text)


def _read(path: str, references: tuple[Reference, ...]) -> JsonSchema:
    return cast("JsonSchema", parsed(file_source(path, Format.JSON, references), strict=True))


def _print(text: str) -> None:
    for line in indented(text):
        say(line)


def indented(text: str) -> Iterator[str]:
    """The lines of a canonical JSON text, indented; digits and the order of members stay as they are.

    Characters that a terminal might obey are escaped as JSON allows.
    """
    depth, line, before = 0, "", ""
    for token in TOKENS.findall(text):
        if token in CLOSING:
            depth -= 1
        is_empty = token in CLOSING and before in OPENING
        if not is_empty and (before in BREAKING or token in CLOSING):
            yield line
            line = "  " * depth
        line += SPELLED.get(token) or _escaped(token)
        depth += token in OPENING
        before = token
    yield line


def _escaped(token: str) -> str:
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in token)
