"""``accord can-read``: may a reader with this schema consume a subject?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from accord.cli.cases import Case, Source
from accord.cli.deciding import Decision
from accord.cli.explaining import explained, told_in
from accord.cli.files import expand
from accord.cli.judging import parsed
from accord.cli.options import format_option
from accord.cli.output import heading, json_option, plain, say, say_json
from accord.cli.references import file_references, file_source
from accord.cli.reporting.as_json import finding
from accord.cli.reporting.text import finding_lines
from accord.cli.server import open_client, optional_url_option, token_option
from accord.cli.sides import RegistrySide, numbered
from accord.model import Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, reading
from accord.policy.consumers import Grounds
from accord.policy.remedies import Stance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.cli.cases import Older
    from accord.cli.explaining import Told
    from accord.model import Format, Reference

READS: Final = Decision(Policy(CONFLUENT_LEVELS["BACKWARD"]))
WORDS: Final = {
    Grounds.LOOKUP: "closed, it is version {version}",
    Grounds.ALL_VERSIONS: "it reads every version",
    Grounds.SOME_CONSUMER: "it is a reduced view of what a consumer of version {version} reads",
}


class Asked(TypedDict):
    """Every option of the verb."""

    subject: str | None
    writers: tuple[str, ...]
    format_: Format | None
    references: tuple[Reference, ...]
    url: str | None
    token: str | None
    as_json: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What the verb says: version by version, and on what grounds all of them may be read."""

    can_read: bool
    grounds: str
    versions: tuple[tuple[Older, tuple[Told, ...]], ...]


@click.command("can-read")
@click.argument("reader")
@click.option("--subject", help="Subject of a registry whose versions are to be read.")
@click.option(
    "--writers",
    "-w",
    multiple=True,
    metavar="FILE",
    help="Schemas the data was written with; may be repeated, and a folder stands for its schema files.",
)
@format_option
@file_references
@optional_url_option
@token_option
@json_option
@click.pass_context
def can_read(ctx: click.Context, reader: str, **asked: Unpack[Asked]) -> None:
    """Tell whether a consumer with the schema in READER can read what a subject holds.

    Avro is judged version by version. For JSON Schema the consumer may also have the opened schema of a
    version, or a reduced view of one. Exit code 1 says that something cannot be read.
    """
    if bool(asked["subject"]) == bool(asked["writers"]):
        raise click.UsageError("Give --subject or --writers.")
    source = file_source(reader, asked["format_"], asked["references"])
    answer = _answer(source, _versions(ctx, asked))
    if asked["as_json"]:
        say_json(_as_json(reader, answer))
    else:
        for line in _lines(reader, answer):
            say(line)
    ctx.exit(0 if answer.can_read else 1)


def _versions(ctx: click.Context, asked: Asked) -> Sequence[Older]:
    if not asked["subject"]:
        files = expand(asked["writers"])
        return numbered([file_source(one, asked["format_"], asked["references"]) for one in files])
    if asked["url"] is None:
        raise click.UsageError("Give --url (or ACCORD_URL) of a registry.")
    # References are read when the schemas are parsed, so the connection ends with the command.
    client = ctx.with_resource(open_client(asked["url"], asked["token"]))
    return RegistrySide(client).loaded(asked["subject"])


def _answer(source: Source, versions: Sequence[Older]) -> Answer:
    """Ask whether the reader reads the versions, and tell what is found on each."""
    reader = parsed(source, strict=True)
    entries = [HistoryEntry(one.number, parsed(one.source, strict=False)) for one in versions]
    found = reading.can_read(reader, entries)
    case = Case(source, tuple(versions), READS)
    told = explained(case, Verdict(found.versions), stance=Stance.CONSUMER).comparisons
    each = tuple(zip(versions, (told_in(case, one) for one in told), strict=True))
    if found.grounds is None:
        return Answer(can_read=False, grounds="", versions=each)
    grounds = WORDS[found.grounds].format(version=found.version)
    return Answer(can_read=True, grounds=grounds, versions=each)


def _is_unreadable(told: tuple[Told, ...]) -> bool:
    return any(one.severity == "block" for one in told)


def _lines(reader: str, answer: Answer) -> Iterator[str]:
    """A line for each version; findings only where they matter to the answer."""
    for older, told in answer.versions:
        is_bad = _is_unreadable(told)
        yield f"{plain(older.source.name)}: {'cannot be read as it is' if is_bad else 'can be read'}"
        for one in () if answer.can_read else told:
            yield from (f"  {line}" for line in finding_lines(one))
    words = f"can read: {answer.grounds}" if answer.can_read else "cannot read everything"
    yield heading(f"{reader}: {words}")


def _as_json(reader: str, answer: Answer) -> dict[str, object]:
    return {
        "reader": reader,
        "can_read": answer.can_read,
        "grounds": answer.grounds or None,
        "versions": [
            {
                "name": older.source.name,
                "version": older.number,
                "can_read": not _is_unreadable(told),
                "findings": [finding(one) for one in told],
            }
            for older, told in answer.versions
        ],
    }
