"""Framed records to typed columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pyspark.sql import functions as sf

from accord.formats.avro.model import Kind, Primitive
from accord.model import SchemaText
from accord.pipeline.dispatch import Dispatch
from accord.pipeline.errors import ColumnTaken, StreamNeedsSchemas
from accord.pipeline.frames import END, MARK_NUMBER, VALUE
from accord.pipeline.merging import merge
from accord.pipeline.names import one_name_each
from accord.pipeline.options import DecodeOptions
from accord.pipeline.quarantine import Reason
from accord.pipeline.selection import keep_one_record
from accord.pipeline.writers import avro_root, prefixes_in, resolve
from accord.wire import GUID_PREFIX_BYTES, ID_PREFIX_BYTES, MAGIC_GUID, MAGIC_ID, encode_prefix

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from accord.formats.avro.model import Node
    from accord.pipeline.sources import SchemaSource
    from accord.pipeline.writers import Writers

# Columns between the steps; never seen outside.
_FRAMED: Final = "__accord_framed"
_READ: Final = "__accord_read"


def decode(frame: DataFrame, registry: SchemaSource, options: DecodeOptions | None = None) -> DataFrame:
    """Add the typed value, the id of its writer schema and, where it could not be read, the reason.

    ``frame`` has a binary column of framed records (`DecodeOptions.column`); all its columns stay. Every
    record comes out exactly once: use `accord.pipeline.accepted` and `accord.pipeline.quarantined`, or
    filter on the reason. Filter by other columns *before* decoding: later filters are not pushed below it.

    Unless ``options.identities`` names the writer schemas, the data is scanned once, here, for the ids in
    it. Raises `ColumnTaken`, `accord.pipeline.UnmergeableSchemas`, `StreamNeedsSchemas`, and what the
    registry client raises when the registry does not answer or lacks the reader schema.
    """
    chosen = options or DecodeOptions()
    _check_columns(frame, chosen)
    framed = _framed(frame, chosen)
    writers = _writers(frame, framed, registry, chosen)
    reader = _reader(writers, registry, chosen)  # settles which writers are left
    dispatch = Dispatch(writers.known, reader, chosen.recursion_depth)
    read = frame.withColumn(_FRAMED, framed).withColumn(_READ, dispatch.column(sf.col(_FRAMED)))
    return _shown(read, writers, chosen)


def _check_columns(frame: DataFrame, options: DecodeOptions) -> None:
    taken = {column.lower() for column in frame.columns}
    for column in (options.target, options.schema_id, options.reason):
        if column.lower() in taken:
            raise ColumnTaken(column=column)


def _framed(frame: DataFrame, options: DecodeOptions) -> Column:
    """The bytes with their prefix in front: a header's value *is* a prefix, so it is put there."""
    data = frame[options.column]
    if options.headers is None:
        return data
    named = sf.filter(frame[options.headers], lambda header: header["key"] == options.header_name)
    return sf.coalesce(sf.concat(sf.try_element_at(named, sf.lit(-1))["value"], data), data)


def _prefix(framed: Column) -> Column:
    """Magic byte and schema identity; null where the bytes do not begin with a whole prefix.

    Binary values compare byte by byte, so a range is a test of the first byte without a copy of it.
    """
    length = sf.octet_length(framed)
    has_id = (framed < _binary(bytes([MAGIC_ID + 1]))) & (length >= ID_PREFIX_BYTES)
    has_guid = _has_magic(framed) & (length >= GUID_PREFIX_BYTES)
    by_guid = sf.when(has_guid, sf.substring(framed, 1, GUID_PREFIX_BYTES))
    return sf.when(has_id, sf.substring(framed, 1, ID_PREFIX_BYTES)).otherwise(by_guid)


def _has_magic(framed: Column) -> Column:
    return framed < _binary(bytes([MAGIC_GUID + 1]))


def _writers(frame: DataFrame, framed: Column, registry: SchemaSource, options: DecodeOptions) -> Writers:
    if options.identities is not None:
        return resolve({encode_prefix(identity): 0 for identity in options.identities}, registry)
    if frame.isStreaming:
        raise StreamNeedsSchemas
    prefixes, has_more = prefixes_in(frame, _prefix(framed), options.max_schemas)
    writers = resolve(prefixes, registry)
    writers.has_more = has_more
    return writers


def _reader(writers: Writers, registry: SchemaSource, options: DecodeOptions) -> Node:
    """The node every record is read as, and its names in all writer schemas; others are refused.

    Where there is nothing to read, any type will do.
    """
    named = _named_reader(registry, options)
    writers.rename(one_name_each(writers.roots, named))
    if named is not None or not options.is_union:
        keep_one_record(writers, named, options.record)
    if named is not None:
        return named
    return merge(writers.oldest_first) if writers.known else Primitive(Kind.STRING, {})


def _named_reader(registry: SchemaSource, options: DecodeOptions) -> Node | None:
    if options.reader is None:
        return None
    if not isinstance(options.reader, SchemaText):
        return avro_root(registry.latest(options.reader).schema, registry)
    return avro_root(options.reader, registry)


def _shown(read: DataFrame, writers: Writers, options: DecodeOptions) -> DataFrame:
    """Turn what was read into the three columns of the caller."""
    frame = sf.col(_READ)
    is_whole = sf.coalesce(frame[END] == MARK_NUMBER, sf.lit(False))  # noqa: FBT003 - no frame, no mark
    columns = {
        options.target: sf.when(is_whole, frame[VALUE]),
        options.schema_id: sf.when(is_whole, _identity(sf.col(_FRAMED))),
        options.reason: sf.when(~is_whole, _reason(writers)),
    }
    return read.withColumns(columns).drop(_FRAMED, _READ)


def _identity(framed: Column) -> Column:
    """The id or GUID in a prefix, as text."""
    number = sf.conv(sf.hex(sf.substring(framed, 2, ID_PREFIX_BYTES - 1)), 16, 10)
    digits = sf.lower(sf.hex(sf.substring(framed, 2, GUID_PREFIX_BYTES - 1)))
    guid = sf.regexp_replace(digits, "^(.{8})(.{4})(.{4})(.{4})", "$1-$2-$3-$4-")
    return sf.when(framed < _binary(bytes([MAGIC_ID + 1])), number).otherwise(guid)


def _reason(writers: Writers) -> Column:
    """Why a record was not read, most basic reason first."""
    framed = sf.col(_FRAMED)
    prefix = _prefix(framed)
    unmatched = Reason.TOO_MANY_SCHEMAS if writers.has_more else Reason.UNKNOWN_SCHEMA
    reason = (
        sf.when(framed.isNull(), _text(Reason.TOMBSTONE))
        .when(sf.octet_length(framed) == 0, _text(Reason.EMPTY))
        .when(~_has_magic(framed), _text(Reason.WRONG_MAGIC))
        .when(prefix.isNull(), _text(Reason.TRUNCATED))
    )
    for refused, prefixes in writers.refused.items():
        reason = reason.when(prefix.isin(*map(_binary, prefixes)), _text(refused))
    return (
        reason.when(sf.col(_READ).isNull(), _text(unmatched))
        .when(sf.col(_READ)[END].isNull(), _text(Reason.UNDECODABLE))
        .otherwise(_text(Reason.TRAILING_BYTES))
    )


def _binary(data: bytes) -> Column:
    return sf.lit(bytearray(data))


def _text(reason: Reason) -> Column:
    return sf.lit(str(reason))
