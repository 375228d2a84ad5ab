"""The Avro writer schemas of a data set, parsed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from accord.codecs import avro_schema
from accord.errors import Invalid
from accord.pipeline.merging import type_names
from accord.pipeline.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.formats.avro.model import Node
    from accord.model import SchemaText
    from accord.pipeline.lookup import Lookup
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
    """The usable writer schemas, most frequent first; those of no use are refused in the lookup."""

    lookup: Lookup
    known: list[Writer] = field(default_factory=list)

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
                self.lookup.refuse(writer.prefix, reason)
        self.known = list(kept)


def parsed_writers(lookup: Lookup, registry: SchemaSource) -> Writers:
    """Parse the schemas of a lookup, all of them Avro; those of no use are refused."""
    writers = Writers(lookup)
    for one in lookup.stored:
        try:
            root = avro_root(one.schema, registry)
            writers.known.append(Writer(one.prefix, one.count, root, type_names(root)))
        except Invalid:
            lookup.refuse(one.prefix, Reason.UNUSABLE_SCHEMA)
    return writers


def avro_root(schema: SchemaText, registry: SchemaSource) -> Node:
    """The root node of a stored Avro schema with its references.

    Raises `accord.codecs.NotAvro` for other formats, and what `accord.formats.parse` raises.
    """
    return avro_schema(schema, registry).root
