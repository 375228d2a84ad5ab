"""Telling which subjects are much like a schema, where somebody asks and where one should know."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from accord.cli.output import one_line
from accord.client.verdicts import ask_similar
from accord.errors import AccordError

if TYPE_CHECKING:
    from accord.client import RegistryClient
    from accord.client.verdicts import SimilarSubject
    from accord.model import SchemaText, SubjectName


def told(one: SimilarSubject) -> str:
    """Return what is said of a subject that is much like a schema."""
    place = f"{one.namespace}  {one.subject}  version {one.version}"
    return one_line(f"{place}  {one.percent} % of all fields are in both")


def hint(client: RegistryClient, subject: SubjectName, schema: SchemaText) -> None:
    """Say beside the output which subject a new one is most like, if the registry can tell."""
    with suppress(AccordError):
        for one in ask_similar(client, subject, schema)[:1]:
            click.echo(f"very similar to: {told(one)}", err=True)
