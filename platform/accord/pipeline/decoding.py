"""Framed records to typed columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from accord.model import Format
from accord.pipeline.avro_decoding import read_avro
from accord.pipeline.errors import ColumnTaken, StreamNeedsSchemas
from accord.pipeline.lookup import look_up, prefixes_in, reader_schema
from accord.pipeline.options import DecodeOptions
from accord.pipeline.protobuf_files import protobuf_files
from accord.pipeline.reading import FRAMED, READ, VALUE, Reading
from accord.pipeline.reasons import Reason
from accord.wire import GUID_PREFIX_BYTES, ID_PREFIX_BYTES, MAGIC_GUID, MAGIC_ID, encode_prefix

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from accord.pipeline.lookup import Lookup
    from accord.pipeline.sources import SchemaSource


def decode(frame: DataFrame, registry: SchemaSource, options: DecodeOptions | None = None) -> DataFrame:
    """Add the typed value, the id of its writer schema and, where it could not be read, the reason.

    ``frame`` has a binary column of framed records (`DecodeOptions.column`); all its columns stay. Every
    record comes out exactly once: use `accord.pipeline.accepted` and `accord.pipeline.quarantined`, or
    filter on the reason. Filter by other columns *before* decoding: later filters are not pushed below it.

    A table is of one format, Avro or Protobuf: the reader's, else the one of the most records. Avro is read
    as the reader or the merger of the writer schemas, Protobuf as the reader's message or that of the newest
    writer schema (the highest id), so that fields removed since then are left out.

    Unless ``options.identities`` names the writer schemas, the data is scanned once, here, for the ids in
    it, and once more for the message indexes where nothing names the Protobuf message. Raises `ColumnTaken`,
    `accord.pipeline.UnmergeableSchemas`, `StreamNeedsSchemas`, `accord.pipeline.UnfitMessage` and
    `accord.pipeline.NoSuchMessage`, and what the registry client raises when the registry does not answer or
    lacks the reader schema.
    """
    chosen = options or DecodeOptions()
    _check_columns(frame, chosen)
    framed = frame.withColumn(FRAMED, _framed(frame, chosen))
    lookup = _lookup(framed, registry, chosen)
    reading = _reading(framed, lookup, registry, chosen)  # settles which schemas are left
    return _shown(framed.withColumn(READ, reading.column), reading, lookup, chosen)


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


def _lookup(framed: DataFrame, registry: SchemaSource, options: DecodeOptions) -> Lookup:
    if options.identities is not None:
        return look_up({encode_prefix(identity): 0 for identity in options.identities}, registry)
    if framed.isStreaming:
        raise StreamNeedsSchemas
    prefixes, has_more = prefixes_in(framed, _prefix(sf.col(FRAMED)), options.max_schemas)
    lookup = look_up(prefixes, registry)
    lookup.has_more = has_more
    return lookup


def _reading(framed: DataFrame, lookup: Lookup, registry: SchemaSource, options: DecodeOptions) -> Reading:
    reader = reader_schema(registry, options)
    if lookup.keep_format(reader) is Format.AVRO:
        return read_avro(lookup, registry, reader, options)
    files = protobuf_files(lookup, registry, reader)
    # What it needs is an extra, and was there for the files; Avro goes without.
    from accord.pipeline.protobuf_decoding import read_protobuf  # noqa: PLC0415  # see above

    return read_protobuf(framed, lookup, files, options)


def _shown(read: DataFrame, reading: Reading, lookup: Lookup, options: DecodeOptions) -> DataFrame:
    """Turn what was read into the three columns of the caller."""
    is_whole = reading.is_whole
    columns = {
        options.target: sf.when(is_whole, sf.col(READ)[VALUE]),
        options.schema_id: sf.when(is_whole, _identity(sf.col(FRAMED))),
        options.reason: sf.when(~is_whole, _reason(lookup, reading.fault)),
    }
    return read.withColumns(columns).drop(FRAMED, READ)


def _identity(framed: Column) -> Column:
    """The id or GUID in a prefix, as text."""
    number = sf.conv(sf.hex(sf.substring(framed, 2, ID_PREFIX_BYTES - 1)), 16, 10)
    digits = sf.lower(sf.hex(sf.substring(framed, 2, GUID_PREFIX_BYTES - 1)))
    guid = sf.regexp_replace(digits, "^(.{8})(.{4})(.{4})(.{4})", "$1-$2-$3-$4-")
    return sf.when(framed < _binary(bytes([MAGIC_ID + 1])), number).otherwise(guid)


def _reason(lookup: Lookup, fault: Column) -> Column:
    """Why a record was not read, most basic reason first."""
    framed = sf.col(FRAMED)
    prefix = _prefix(framed)
    unmatched = Reason.TOO_MANY_SCHEMAS if lookup.has_more else Reason.UNKNOWN_SCHEMA
    reason = (
        sf.when(framed.isNull(), _text(Reason.TOMBSTONE))
        .when(sf.octet_length(framed) == 0, _text(Reason.EMPTY))
        .when(~_has_magic(framed), _text(Reason.WRONG_MAGIC))
        .when(prefix.isNull(), _text(Reason.TRUNCATED))
    )
    for refused, prefixes in lookup.refused.items():
        reason = reason.when(prefix.isin(*map(_binary, prefixes)), _text(refused))
    return reason.when(sf.col(READ).isNull(), _text(unmatched)).otherwise(fault)


def _binary(data: bytes) -> Column:
    return sf.lit(bytearray(data))


def _text(reason: Reason) -> Column:
    return sf.lit(str(reason))
