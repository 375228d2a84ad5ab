"""``accord decode``: framed Avro records to JSON lines."""

from __future__ import annotations

import json
import math
from base64 import b64decode, b64encode
from dataclasses import replace
from datetime import date, time
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final

import click

from accord.cli.files import read_bytes, read_schema
from accord.cli.output import say
from accord.cli.references import FileResolver, file_references
from accord.cli.server import open_client, optional_url_option, token_option
from accord.client import DecodedRecord
from accord.codecs import AvroCodec, avro_schema
from accord.errors import Invalid, error
from accord.model import Format
from accord.wire import decode_prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord.model import Reference, SchemaText

LONGEST_INPUT: Final = 268_435_456


class Spelling(StrEnum):
    """How records are written in the input."""

    RAW = "raw"
    HEX = "hex"
    BASE64 = "base64"


@error
class UnreadableRecord(Invalid):
    """A record of the input that is no framed record; ``details`` says why."""

    code: ClassVar[str] = "unreadable_record"
    template: ClassVar[str] = "{path}, record {number}: {details}"
    path: str
    number: int
    details: str


@click.command()
@click.argument("file")
@click.option(
    "--input",
    "spelling",
    type=click.Choice(Spelling, case_sensitive=False),
    default=Spelling.RAW,
    show_default=True,
    help="raw: the file is one record; hex, base64: one record a line.",
)
@click.option("--schema", help="File of the writer schema; then no registry is asked.")
@file_references
@optional_url_option
@token_option
@click.option("--json", "as_json", is_flag=True, help="Errors as JSON too.")
def decode(
    file: str,
    *,
    spelling: Spelling,
    schema: str | None,
    references: tuple[Reference, ...],
    as_json: bool,
    **server: str | None,
) -> None:
    """Print the framed Avro records in FILE, each as a line of JSON with its schema id.

    Each record is read with the schema that its frame names. ``-`` is the standard input. Bytes are printed
    in base64, dates and times as ISO 8601, decimals and numbers beyond JSON as text.
    """
    del as_json  # read by the program, for errors
    records = _records(file, spelling)
    if schema is not None:
        codec = AvroCodec(avro_schema(_with(schema, references), FileResolver()))
        _print(file, records, lambda data: _decoded(codec, data))
        return
    if server["url"] is None:
        raise click.UsageError("Give --schema FILE, or --url (or ACCORD_URL) of a registry.")
    with open_client(server["url"], server["token"]) as client:
        _print(file, records, client.decode)


def _with(path: str, references: tuple[Reference, ...]) -> SchemaText:
    return replace(read_schema(path, Format.AVRO), references=references)


def _decoded(codec: AvroCodec, data: bytes) -> DecodedRecord:
    frame = decode_prefix(data)
    return DecodedRecord(frame.identity, codec.decode(frame.payload))


def _print(path: str, records: Iterator[bytes], decoded: Callable[[bytes], DecodedRecord]) -> None:
    for number, data in enumerate(records, start=1):
        try:
            record = decoded(data)
        except Invalid as problem:
            raise UnreadableRecord(path=path, number=number, details=problem.message) from problem
        schema = record.identity if isinstance(record.identity, int) else str(record.identity)
        say(json.dumps({"schema": schema, "value": _plain(record.value)}))


def _plain(value: object) -> object:
    """The value in JSON's own types; its depth is bounded by the codec."""
    match value:
        case dict():
            return {key: _plain(inner) for key, inner in value.items()}
        case list():
            return [_plain(inner) for inner in value]
        case bytes():
            return b64encode(value).decode()
        case float() if not math.isfinite(value):
            return str(value)
        case None | bool() | int() | float() | str():
            return value
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)


def _records(path: str, spelling: Spelling) -> Iterator[bytes]:
    data = read_bytes(path, LONGEST_INPUT)
    if spelling is Spelling.RAW:
        yield data
        return
    lines = (line for line in data.splitlines() if line.strip())
    for number, line in enumerate(lines, start=1):
        try:
            yield _spelled(line, spelling)
        except ValueError as problem:
            raise UnreadableRecord(path=path, number=number, details=f"no {spelling}: {problem}") from problem


def _spelled(line: bytes, spelling: Spelling) -> bytes:
    if spelling is Spelling.BASE64:
        return b64decode(line.strip(), validate=True)
    text = line.decode("ascii").strip()
    return bytes.fromhex(text.removeprefix("0x"))
