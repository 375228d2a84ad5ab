"""Framed Protobuf records, read in Spark's Python workers.

Spark has a function of its own for this, ``from_protobuf``, in a connector of its own
(``org.apache.spark:spark-protobuf``). That connector is not among those that can be fetched and pinned here,
so the payloads go through a Python function with Google's library instead, at the price of every record
being copied to a worker and its row back. Arrow would copy them faster, but neither pyarrow nor pandas is a
dependency; the function is a plain one. Columns and types are those of ``from_protobuf``, so that tables
stay what they are when it takes over.

The driver settles what is read as what: the message of the table, and for each writer schema the indexes
that lead to it. A worker needs the packages ``accord`` and ``protobuf``, and no registry.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from pyspark.sql import functions as sf
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from accord.formats.protobuf.descriptors import FileDescriptorSet, message_type
from accord.formats.protobuf.indexes import message_indexes, message_name
from accord.pipeline.errors import NoSuchMessage, NoUnionOfMessages
from accord.pipeline.lookup import prefixes_in
from accord.pipeline.protobuf_columns import columns_of
from accord.pipeline.protobuf_rows import HeadReader, Places, RecordReader, prefix_of, tree_of
from accord.pipeline.protobuf_types import spark_type
from accord.pipeline.reading import FRAMED, READ, VALUE, Reading
from accord.pipeline.reasons import Reason
from accord.wire import decode_indexes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame

    from accord.formats.protobuf.schema import ProtobufSchema
    from accord.pipeline.lookup import Lookup
    from accord.pipeline.options import DecodeOptions
    from accord.pipeline.protobuf_files import ProtobufFiles, ProtobufWriter

_REASON: Final = "reason"
# Bytes of index lists that are counted: there are no more messages in use, unless somebody makes them up.
_MOST_HEADS: Final = 10_000
_FIRST: Final = (0,)


class _Target(NamedTuple):
    """The message of the table: its file with all that imports, and its full name."""

    schema: ProtobufSchema
    name: str


def read_protobuf(framed: DataFrame, lookup: Lookup, files: ProtobufFiles, options: DecodeOptions) -> Reading:
    """How to read the records of some files as the message of the table.

    The message is the reader's, else the one called ``options.record``, else the one of the most records
    (with ``options.identities`` the first of the first schema), as the newest writer schema has it. Where no
    writer schema has such a message, all of them are refused in the lookup.

    Raises `accord.pipeline.NoUnionOfMessages`, `accord.pipeline.NoSuchMessage` for the reader and
    `accord.pipeline.UnfitMessage`.
    """
    if options.is_union:
        raise NoUnionOfMessages
    target = _target(framed, files, options)
    is_whole = sf.col(READ).isNotNull() & sf.col(READ)[_REASON].isNull()
    fault = sf.col(READ)[_REASON]
    if target is None:
        for writer in files.writers:
            lookup.refuse(writer.prefix, Reason.OTHER_RECORD)
        nothing = sf.lit(None).cast(_outcome_type(StructType()))
        return Reading(nothing, is_whole, fault)
    serialized = FileDescriptorSet(file=target.schema.files).SerializeToString()
    struct = columns_of(message_type(serialized, target.name), options.recursion_depth)
    places = {writer.prefix: _places(writer, target.name) for writer in files.writers}
    reader = RecordReader(serialized, target.name, struct, places)
    # Not deterministic, so that the optimizer keeps it in one place and each record is read once.
    read = sf.udf(reader, _outcome_type(spark_type(struct)), useArrow=False).asNondeterministic()
    return Reading(read(sf.col(FRAMED)), is_whole, fault)


def _outcome_type(value: StructType) -> StructType:
    return StructType([StructField(VALUE, value), StructField(_REASON, StringType())])


def _places(writer: ProtobufWriter, name: str) -> Places:
    file = writer.schema.source
    return Places(message_indexes(file, name), tree_of(file.messages))


def _target(framed: DataFrame, files: ProtobufFiles, options: DecodeOptions) -> _Target | None:
    if files.reader is not None:
        return _Target(files.reader, _of_reader(files.reader, options.record))
    newest = files.newest_first
    if options.record is not None:
        named = (_Target(one.schema, name) for one in newest for name in _called(one.schema, options.record))
        return next(named, None)
    name = _most_frequent(framed, files, options) or _first(files)
    if name is None:
        return None
    having = (one for one in newest if message_indexes(one.schema.source, name) is not None)
    return _Target(next(having).schema, name)


def _of_reader(schema: ProtobufSchema, record: str | None) -> str:
    """The message of a reader's file: the one called so, else its first."""
    names = list(_names(schema) if record is None else _called(schema, record))
    if not names:
        has = ", ".join(_names(schema)) or "none"
        raise NoSuchMessage(record=record or "", names=has)
    return names[0]


def _called(schema: ProtobufSchema, record: str) -> Iterator[str]:
    return (name for name in _names(schema) if name == record or name.endswith(f".{record}"))


def _names(schema: ProtobufSchema) -> Iterator[str]:
    """The full names of a file's messages, in order, map entries left out."""
    return (one.full_name for one in schema.root.root.all_messages if not one.is_map_entry)


def _first(files: ProtobufFiles) -> str | None:
    names = (message_name(one.schema.source, _FIRST) for one in files.writers)
    return next((name for name in names if name), None)


def _most_frequent(framed: DataFrame, files: ProtobufFiles, options: DecodeOptions) -> str | None:
    """The message of the most records, by their indexes; None where nobody may look, or nothing is there."""
    if options.identities is not None or not files.writers:
        return None
    schemas = {writer.prefix: writer.schema.source for writer in files.writers}
    head = sf.udf(HeadReader(frozenset(schemas)), BinaryType(), useArrow=False)
    heads, _ = prefixes_in(framed, head(sf.col(FRAMED)), _MOST_HEADS)
    counts: Counter[str] = Counter()
    for found, count in heads.items():
        prefix = prefix_of(found)
        path, _ = decode_indexes(found, len(prefix))
        name = message_name(schemas[prefix], path)
        if name is not None:
            counts[name] += count
    return next((name for name, _ in counts.most_common(1)), None)
