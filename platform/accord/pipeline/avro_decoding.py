"""Framed Avro records, read inside the JVM by Spark's own function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from accord.formats.avro.model import Kind, Primitive
from accord.pipeline.dispatch import Dispatch
from accord.pipeline.frames import END, MARK_NUMBER
from accord.pipeline.merging import merge
from accord.pipeline.names import one_name_each
from accord.pipeline.reading import FRAMED, READ, Reading
from accord.pipeline.reasons import Reason
from accord.pipeline.selection import keep_one_record
from accord.pipeline.writers import avro_root, parsed_writers

if TYPE_CHECKING:
    from accord.formats.avro.model import Node
    from accord.model import SchemaText
    from accord.pipeline.lookup import Lookup
    from accord.pipeline.options import DecodeOptions
    from accord.pipeline.sources import SchemaSource
    from accord.pipeline.writers import Writers


def read_avro(
    lookup: Lookup, registry: SchemaSource, reader: SchemaText | None, options: DecodeOptions
) -> Reading:
    """How to read the records of a lookup as the reader, or as the merger of the writer schemas.

    Writer schemas that cannot be used, and those of other records, are refused in the lookup. Raises
    `accord.pipeline.UnmergeableSchemas` and, for the reader, what `accord.formats.parse` raises.
    """
    writers = parsed_writers(lookup, registry)
    named = None if reader is None else avro_root(reader, registry)
    root = _settled(writers, named, options)  # settles which writers are left
    column = Dispatch(writers.known, root, options.recursion_depth).column(sf.col(FRAMED))
    end = sf.col(READ)[END]
    is_whole = sf.coalesce(end == MARK_NUMBER, sf.lit(False))  # noqa: FBT003 - no frame, no mark
    fault = sf.when(end.isNull(), str(Reason.UNDECODABLE)).otherwise(str(Reason.TRAILING_BYTES))
    return Reading(column, is_whole, fault)


def _settled(writers: Writers, named: Node | None, options: DecodeOptions) -> Node:
    """The node every record is read as, and its names in all writer schemas; others are refused.

    Where there is nothing to read, any type will do.
    """
    writers.rename(one_name_each(writers.roots, named))
    if named is not None or not options.is_union:
        keep_one_record(writers, named, options.record)
    if named is not None:
        return named
    return merge(writers.oldest_first) if writers.known else Primitive(Kind.STRING, {})
