"""The Protobuf schemas of a data set, compiled on the driver with what they refer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from accord.errors import Invalid
from accord.formats import parse
from accord.formats.protobuf import service
from accord.pipeline.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.formats.protobuf.schema import ProtobufSchema
    from accord.model import SchemaText
    from accord.pipeline.lookup import Lookup
    from accord.pipeline.sources import SchemaSource


@dataclass(frozen=True, slots=True)
class ProtobufWriter:
    """One writer schema: the prefix its records begin with, and its file."""

    prefix: bytes
    schema: ProtobufSchema


@dataclass(frozen=True, slots=True)
class ProtobufFiles:
    """The usable writer schemas, most frequent first, and the reader's where one was named."""

    writers: Sequence[ProtobufWriter]
    reader: ProtobufSchema | None

    @property
    def newest_first(self) -> list[ProtobufWriter]:
        """The writer schemas by age, as far as ids tell."""
        return sorted(self.writers, key=lambda one: one.prefix, reverse=True)


def protobuf_files(lookup: Lookup, registry: SchemaSource, reader: SchemaText | None) -> ProtobufFiles:
    """Compile the schemas of a lookup, all of them Protobuf; those of no use are refused.

    The compiler is the one that was chosen, else a process of this driver's own. Raises
    `accord.errors.FormatNotInstalled` without the extra ``protobuf``, `accord.errors.CompilerUnavailable`
    and, for the reader, what `accord.formats.parse` raises.
    """
    service.use_own()
    writers = []
    for one in lookup.stored:
        try:
            writers.append(ProtobufWriter(one.prefix, _compiled(one.schema, registry)))
        except Invalid:
            lookup.refuse(one.prefix, Reason.UNUSABLE_SCHEMA)
    return ProtobufFiles(writers, None if reader is None else _compiled(reader, registry))


def _compiled(schema: SchemaText, registry: SchemaSource) -> ProtobufSchema:
    return cast("ProtobufSchema", parse(schema, registry, strict=False))
