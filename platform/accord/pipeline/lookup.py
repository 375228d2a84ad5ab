"""The schemas of a data set: found in the data, read from the registry, all on the driver."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pyspark.sql import functions as sf

from accord.errors import NotFound
from accord.model import Format, SchemaText
from accord.pipeline.errors import UnreadableFormat
from accord.pipeline.reasons import Reason
from accord.wire import decode_prefix

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, DataFrame

    from accord.pipeline.options import DecodeOptions
    from accord.pipeline.sources import SchemaSource

_READABLE: Final = (Format.AVRO, Format.PROTOBUF)


@dataclass(frozen=True, slots=True)
class Stored:
    """A schema that the registry has: the prefix its records begin with, how many of them there are.

    ``count`` is 0 where nobody counted.
    """

    prefix: bytes
    count: int
    schema: SchemaText


@dataclass(slots=True)
class Lookup:
    """What became of every prefix: a schema, most frequent first, or a reason against.

    ``has_more`` says that the data holds prefixes beyond those that were looked up.
    """

    stored: list[Stored] = field(default_factory=list)
    refused: dict[Reason, list[bytes]] = field(default_factory=dict)
    has_more: bool = False

    def refuse(self, prefix: bytes, reason: Reason) -> None:
        """Note why records with this prefix cannot be read."""
        self.refused.setdefault(reason, []).append(prefix)

    def keep_format(self, reader: SchemaText | None) -> Format:
        """Refuse the schemas of all formats but the table's, which is returned.

        It is the reader's, else the one of the most records, else Avro. Raises
        `accord.pipeline.errors.UnreadableFormat` for a reader in a format without binary records.
        """
        kept = _most_frequent(self.stored) if reader is None else reader.format
        if kept not in _READABLE:
            raise UnreadableFormat(format=kept)
        for one in self.stored:
            if one.schema.format != kept:
                self.refuse(one.prefix, Reason.OTHER_FORMAT)
        self.stored = [one for one in self.stored if one.schema.format == kept]
        return kept


def prefixes_in(frame: DataFrame, prefix: Column, limit: int) -> tuple[dict[bytes, int], bool]:
    """The ``limit`` most frequent prefixes with their counts, and whether there are more."""
    counted = frame.select(prefix.alias("prefix")).where("prefix IS NOT NULL").groupBy("prefix").count()
    rows = counted.orderBy(sf.desc("count"), "prefix").limit(limit + 1).collect()
    return {bytes(row["prefix"]): int(row["count"]) for row in rows[:limit]}, len(rows) > limit


def look_up(prefixes: Mapping[bytes, int], registry: SchemaSource) -> Lookup:
    """Ask the registry for the schema of each prefix.

    What the registry does not have is a reason for quarantine; a registry that does not answer is an
    error, so that an outage never fills the quarantine.
    """
    found = Lookup()
    for prefix, count in prefixes.items():
        try:
            schema = registry.schema(decode_prefix(prefix).identity)
            found.stored.append(Stored(prefix, count, schema))
        except NotFound:
            found.refuse(prefix, Reason.UNKNOWN_SCHEMA)
    return found


def reader_schema(registry: SchemaSource, options: DecodeOptions) -> SchemaText | None:
    """The schema that every record is to be read as, where the options name one."""
    if options.reader is None or isinstance(options.reader, SchemaText):
        return options.reader
    return registry.latest(options.reader).schema


def _most_frequent(stored: list[Stored]) -> Format:
    counts = dict.fromkeys(_READABLE, 0)
    for one in stored:
        if one.schema.format in counts:
            counts[one.schema.format] += one.count
    present = [one.schema.format for one in stored if one.schema.format in counts]
    return max(present, key=lambda one: counts[one], default=Format.AVRO)
