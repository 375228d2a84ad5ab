"""The writer schemas of a data set: found in the data, read from the registry, all on the driver."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from accord.codecs import NotAvro, avro_schema
from accord.errors import Invalid, NotFound
from accord.pipeline.quarantine import Reason
from accord.wire import decode_prefix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import Column, DataFrame

    from accord.formats.avro.model import Node
    from accord.model import SchemaText
    from accord.pipeline.sources import SchemaSource


@dataclass(frozen=True, slots=True)
class Writer:
    """One writer schema: the prefix its records begin with, its id or GUID as text, its root node."""

    prefix: bytes
    name: str
    root: Node


@dataclass(slots=True)
class Writers:
    """What became of every prefix: usable writer schemas, most frequent first, or a reason against.

    ``has_more`` says that the data holds prefixes beyond those that were looked up.
    """

    known: list[Writer] = field(default_factory=list)
    refused: dict[Reason, list[bytes]] = field(default_factory=dict)
    has_more: bool = False

    @property
    def roots(self) -> list[Node]:
        """The writer schemas, oldest first as far as ids tell."""
        return [writer.root for writer in sorted(self.known, key=lambda one: one.prefix)]

    def refuse(self, prefix: bytes, reason: Reason) -> None:
        """Note why records with this prefix cannot be read."""
        self.refused.setdefault(reason, []).append(prefix)


def prefixes_in(frame: DataFrame, prefix: Column, limit: int) -> tuple[list[bytes], bool]:
    """The ``limit`` most frequent prefixes, most frequent first, and whether there are more."""
    counted = frame.select(prefix.alias("prefix")).where("prefix IS NOT NULL").groupBy("prefix").count()
    rows = counted.orderBy(sf.desc("count"), "prefix").limit(limit + 1).collect()
    return [bytes(row["prefix"]) for row in rows[:limit]], len(rows) > limit


def resolve(prefixes: Iterable[bytes], registry: SchemaSource) -> Writers:
    """Ask the registry for the schema of each prefix.

    What the registry does not have or cannot be used is a reason for quarantine; a registry that does
    not answer is an error, so that an outage never fills the quarantine.
    """
    writers = Writers()
    for prefix in prefixes:
        try:
            writers.known.append(_writer(prefix, registry))
        except NotFound:
            writers.refuse(prefix, Reason.UNKNOWN_SCHEMA)
        except NotAvro:
            writers.refuse(prefix, Reason.NOT_AVRO)
        except Invalid:
            writers.refuse(prefix, Reason.UNUSABLE_SCHEMA)
    return writers


def avro_root(schema: SchemaText, registry: SchemaSource) -> Node:
    """The root node of a stored Avro schema with its references; raises `NotAvro` for other formats."""
    return avro_schema(schema, registry).root


def _writer(prefix: bytes, registry: SchemaSource) -> Writer:
    identity = decode_prefix(prefix).identity
    return Writer(prefix, str(identity), avro_root(registry.schema(identity), registry))
