"""The expression that reads each record with the schema its prefix names.

Schemas that read the same bytes the same way (equal Parsing Canonical Forms) share a branch. A few branches
are compiled with the rest of the query. Many would make a method of more than 64 KB, which the JVM refuses,
and the whole query would fall back to something twenty times slower; they stand inside a function that Spark
does not compile instead, as a tree, so that the right one of a thousand is ten comparisons away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pyspark.sql import functions as sf
from pyspark.sql.avro.functions import from_avro

from accord.formats.avro.fingerprint import parsing_canonical_form
from accord.pipeline.frames import MARK, reader_frame, writer_frame
from accord.pipeline.writers import Writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyspark.sql import Column

    from accord.formats.avro.model import Node

# Branches and comparisons that surely fit into one method: with 20 fields 400 do and 600 do not.
_MOST_COMPILED: Final = 200
# Above this Spark looks a value up in a set instead of comparing one by one.
_MOST_COMPARED: Final = 10


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What reads the known writers' records as ``reader``; recursive types unrolled so often."""

    known: Sequence[Writer]
    reader: Node
    recursion_depth: int | None

    def column(self, framed: Column) -> Column:
        """The frame of each record (see `accord.pipeline.frames`); null for records of no known writer.

        The comparison with the partition's number is always true. It keeps Spark's optimizer from
        copying the expression into every later filter and projection, which would read each record
        several times: only expressions it takes for non-deterministic stay where they are.
        """
        shapes = _shapes(self.known)
        size = sum(1 + min(len(shape), _MOST_COMPARED + 1) for shape in shapes)
        if size <= _MOST_COMPILED:
            branches = self._chain(framed, shapes)
        else:
            ordered = sorted(self.known, key=lambda one: one.prefix)
            branches = sf.transform(sf.array(framed), lambda one: self._tree(one, ordered))[0]
        return sf.when(sf.spark_partition_id() >= 0, branches)

    def _chain(self, framed: Column, shapes: Iterable[Sequence[Writer]]) -> Column:
        never = sf.lit(False)  # noqa: FBT003 - gives the expression its type where no writer is known
        branches = sf.when(never, self._read(framed, Writer(b"", 0, self.reader)))
        for shape in shapes:
            prefix = sf.substring(framed, 1, len(shape[0].prefix))
            is_one = prefix.isin(*(bytearray(writer.prefix) for writer in shape))
            branches = branches.when(is_one, self._read(framed, shape[0]))
        return branches

    def _tree(self, framed: Column, ordered: Sequence[Writer]) -> Column:
        """Framed records sort as their prefixes do, so each comparison halves what is left."""
        if len(ordered) == 1:
            (writer,) = ordered
            prefix = sf.substring(framed, 1, len(writer.prefix))
            return sf.when(prefix == sf.lit(bytearray(writer.prefix)), self._read(framed, writer))
        middle = len(ordered) // 2
        is_before = framed < sf.lit(bytearray(ordered[middle].prefix))
        before, behind = self._tree(framed, ordered[:middle]), self._tree(framed, ordered[middle:])
        return sf.when(is_before, before).otherwise(behind)

    def _read(self, framed: Column, writer: Writer) -> Column:
        options = {
            "mode": "PERMISSIVE",
            "avroSchema": reader_frame(self.reader),
            "enableStableIdentifiersForUnionType": "true",
        }
        if self.recursion_depth is not None:
            options["recursiveFieldMaxDepth"] = str(self.recursion_depth)
        marked = sf.concat(framed, sf.lit(bytearray(MARK)))
        return from_avro(marked, writer_frame(writer.root, len(writer.prefix)), options)


def _shapes(known: Iterable[Writer]) -> list[list[Writer]]:
    """The writers that share a branch, in the order in which the first of each came."""
    shapes: dict[tuple[int, str], list[Writer]] = {}
    for writer in known:
        shapes.setdefault((len(writer.prefix), parsing_canonical_form(writer.root)), []).append(writer)
    return list(shapes.values())
