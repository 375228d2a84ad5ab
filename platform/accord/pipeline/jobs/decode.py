"""``accord-spark decode``: files of framed records to Parquet, the unreadable ones set aside."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from accord.client import RegistryClient
from accord.naming import parse_subject
from accord.pipeline.batch import DecodeJob, WriteMode, run_decode
from accord.pipeline.files import FileFormat
from accord.pipeline.options import DecodeOptions
from accord.pipeline.session import SessionSettings, build_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


class Arguments(TypedDict):
    """What the options below give for the job."""

    source: str
    input_format: FileFormat
    output: str
    quarantine: str
    mode: WriteMode
    reader_subject: str | None
    record: str | None
    is_union: bool
    max_schemas: int
    recursion_depth: int | None


@click.command()
@click.option("--input", "source", required=True, help="File or folder of framed records.")
@click.option(
    "--input-format",
    type=click.Choice(FileFormat, case_sensitive=False),
    default=FileFormat.PARQUET,
    show_default=True,
)
@click.option("--output", required=True, help="Folder of the table to write.")
@click.option("--quarantine", required=True, help="Folder of the quarantine table to write.")
@click.option(
    "--mode", type=click.Choice(WriteMode, case_sensitive=False), default=WriteMode.ERROR, show_default=True
)
@click.option("--registry-url", required=True, envvar="ACCORD_URL", help="Address of the registry.")
@click.option("--token", envvar="ACCORD_TOKEN", help="Better given as ACCORD_TOKEN than here.")
@click.option("--reader-subject", help="Read everything as the latest schema of this subject.")
@click.option("--record", help="Full name of the record the table is of; else the most frequent one.")
@click.option("--union", "is_union", is_flag=True, help="Take every record type, as a union of structs.")
@click.option(
    "--max-schemas",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="How many writer schemas are looked up, the most frequent ones.",
)
@click.option(
    "--recursion-depth",
    type=click.IntRange(1),
    help="How often a recursive type is unrolled; without it such a type is refused.",
)
@click.option("--master", default="local[*]", show_default=True, help='Spark master; "" under spark-submit.')
def decode(master: str, registry_url: str, token: str | None, **arguments: Unpack[Arguments]) -> None:
    """Write every record of the input to the table or, with a reason, to the quarantine."""
    job = _job(arguments)
    with RegistryClient(registry_url, token) as registry, _session(master) as session:
        report = run_decode(session, registry, job)
    click.echo(json.dumps(asdict(report)))


def _job(arguments: Arguments) -> DecodeJob:
    subject = arguments["reader_subject"]
    reader = parse_subject(subject) if subject else None
    return DecodeJob(
        input=arguments["source"],
        output=arguments["output"],
        quarantine=arguments["quarantine"],
        input_format=arguments["input_format"],
        mode=arguments["mode"],
        options=DecodeOptions(
            reader=reader,
            record=arguments["record"],
            is_union=arguments["is_union"],
            max_schemas=arguments["max_schemas"],
            recursion_depth=arguments["recursion_depth"],
        ),
    )


@contextmanager
def _session(master: str) -> Iterator[SparkSession]:
    session = build_session(SessionSettings(name="accord-spark decode", master=master or None))
    try:
        yield session
    finally:
        session.stop()
