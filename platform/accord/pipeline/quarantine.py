"""Records that cannot be read: why, and how they are told from the others."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from accord.pipeline.options import DecodeOptions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Reason(StrEnum):
    """Why a record was set aside."""

    TOMBSTONE = "tombstone"
    """The value is null: on a compacted topic, a deletion."""
    EMPTY = "empty"
    """No byte at all."""
    WRONG_MAGIC = "wrong_magic"
    """The first byte is neither 0 nor 1: written by something that does not frame."""
    TRUNCATED = "truncated"
    """The bytes end inside the prefix."""
    UNKNOWN_SCHEMA = "unknown_schema"
    """The registry does not have the id or GUID, or may not show it; or `identities` leave it out."""
    TOO_MANY_SCHEMAS = "too_many_schemas"
    """The id was not among the most frequent ones that were looked up (`max_schemas`)."""
    NOT_AVRO = "not_avro"
    """The id belongs to a schema of another format."""
    UNUSABLE_SCHEMA = "unusable_schema"
    """The stored schema does not parse, or one of its references is missing."""
    OTHER_RECORD = "other_record"
    """The id belongs to a record of another name than the table's."""
    UNDECODABLE = "undecodable"
    """The payload is not what its schema says, or the reader schema cannot read it."""
    TRAILING_BYTES = "trailing_bytes"
    """The payload goes on behind the value."""


def accepted(decoded: DataFrame, options: DecodeOptions | None = None) -> DataFrame:
    """The records that `accord.pipeline.decode` could read, without the column of reasons."""
    chosen = options or DecodeOptions()
    return decoded.where(sf.col(chosen.reason).isNull()).drop(chosen.reason)


def quarantined(decoded: DataFrame, options: DecodeOptions | None = None) -> DataFrame:
    """The records that could not be read: the columns they came with, and the reason."""
    chosen = options or DecodeOptions()
    return decoded.where(sf.col(chosen.reason).isNotNull()).drop(chosen.target, chosen.schema_id)
