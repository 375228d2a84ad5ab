"""``accord canonical``: a schema in the spelling that is stored, and in others; no registry is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from accord.cli.judging import parsed
from accord.cli.options import format_option
from accord.cli.output import json_option, plain, say, say_json
from accord.cli.references import file_references, file_source
from accord.formats.fingerprints import fingerprints
from accord.formats.forms import every_form
from accord.formats.identity import digest

if TYPE_CHECKING:
    from accord.formats import ParsedSchema
    from accord.model import Format, Reference

CANONICAL: Final = "canonical"
FORMS: Final = (CANONICAL, "normalized", "resolved", "parsing", "serialized", "ignore_extensions")


@click.command()
@click.argument("file")
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default=CANONICAL,
    show_default=True,
    help="canonical: as it is stored; normalized; resolved: with what it refers to, not in Protobuf;"
    " parsing: Avro's Parsing Canonical Form; serialized, ignore_extensions: Protobuf.",
)
@format_option
@file_references
@json_option
def canonical(
    file: str, *, form: str, format_: Format | None, references: tuple[Reference, ...], as_json: bool
) -> None:
    """Print the schema in FILE in the form that registries store and hash, or in another.

    With --json all forms, the digest and in Avro the fingerprints; characters that a terminal might obey
    are then written as JSON does, and otherwise as Python does.
    """
    schema = parsed(file_source(file, format_, references), strict=False)
    if as_json:
        say_json(_document(schema))
        return
    found = every_form(schema)
    if form not in found:
        raise click.UsageError(f"{schema.format} has no such form; it has {', '.join(found)}")
    say(plain(found[form]))


def _document(schema: ParsedSchema) -> dict[str, Any]:
    printed = fingerprints(schema)
    return {
        "format": schema.format,
        "forms": every_form(schema),
        "digest": digest(schema.canonical).hex(),
        "fingerprints": {} if printed is None else printed.hexadecimal,
    }
