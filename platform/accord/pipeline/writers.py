"""The writer schemas of a data set: found in the data, read from the registry, all on the driver."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from accord.codecs import NotAvro, avro_schema
from accord.errors import Invalid, NotFound
from accord.pipeline.merging import type_names
from accord.pipeline.quarantine import Reason
from accord.wire import decode_prefix

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import Column, DataFrame

    from accord.formats.avro.model import Node
    from accord.model import SchemaText
    from accord.pipeline.sources import SchemaSource


@dataclass(frozen=True, slots=True)
class Writer:
    """One writer schema: the prefix its records begin with, how many of them there are, its root node.

    ``count`` is 0 where nobody counted; ``written_as`` are the names of the root before any renaming.
    """

    prefix: bytes
    count: int
    root: Node
    written_as: frozenset[str] = frozenset()


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
        """The writer schemas, most frequent first."""
        return [writer.root for writer in self.known]

    @property
    def oldest_first(self) -> list[Node]:
        """The writer schemas by age, as far as ids tell."""
        return [writer.root for writer in sorted(self.known, key=lambda one: one.prefix)]

    def rename(self, roots: Sequence[Node]) -> None:
        """Put other nodes, of the same bytes, in place of `roots`."""
        self.known = [replace(old, root=root) for old, root in zip(self.known, roots, strict=True)]

    def keep(self, kept: Sequence[Writer], reason: Reason) -> None:
        """Refuse every known writer schema that is not among those kept."""
        for writer in self.known:
            if writer not in kept:
                self.refuse(writer.prefix, reason)
        self.known = list(kept)

    def refuse(self, prefix: bytes, reason: Reason) -> None:
        """Note why records with this prefix cannot be read."""
        self.refused.setdefault(reason, []).append(prefix)


def prefixes_in(frame: DataFrame, prefix: Column, limit: int) -> tuple[dict[bytes, int], bool]:
    """The ``limit`` most frequent prefixes with their counts, and whether there are more."""
    counted = frame.select(prefix.alias("prefix")).where("prefix IS NOT NULL").groupBy("prefix").count()
    rows = counted.orderBy(sf.desc("count"), "prefix").limit(limit + 1).collect()
    return {bytes(row["prefix"]): int(row["count"]) for row in rows[:limit]}, len(rows) > limit


def resolve(prefixes: Mapping[bytes, int], registry: SchemaSource) -> Writers:
    """Ask the registry for the schema of each prefix.

    What the registry does not have or cannot be used is a reason for quarantine; a registry that does
    not answer is an error, so that an outage never fills the quarantine.
    """
    writers = Writers()
    for prefix, count in prefixes.items():
        try:
            root = avro_root(registry.schema(decode_prefix(prefix).identity), registry)
            writers.known.append(Writer(prefix, count, root, type_names(root)))
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
