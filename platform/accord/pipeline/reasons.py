"""Why a record is set aside: the words in the column of reasons, for the driver and its workers alike."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a record was set aside."""

    TOMBSTONE = "tombstone"
    """The value is null: on a compacted topic, a deletion."""
    EMPTY = "empty"
    """No byte at all."""
    WRONG_MAGIC = "wrong_magic"
    """The first byte is neither 0 nor 1: written by something that does not frame."""
    TRUNCATED = "truncated"
    """The bytes end inside the prefix, or inside the message indexes of Protobuf."""
    UNKNOWN_SCHEMA = "unknown_schema"
    """The registry does not have the id or GUID, or may not show it; or `identities` leave it out."""
    TOO_MANY_SCHEMAS = "too_many_schemas"
    """The id was not among the most frequent ones that were looked up (`max_schemas`)."""
    OTHER_FORMAT = "other_format"
    """The id belongs to a schema of another format than the table's."""
    UNUSABLE_SCHEMA = "unusable_schema"
    """The stored schema does not parse, or one of its references is missing."""
    OTHER_RECORD = "other_record"
    """The id belongs to a record of another name than the table's, or the indexes to another message."""
    UNDECODABLE = "undecodable"
    """The payload is not what its schema says, or the reader schema cannot read it."""
    TOO_LARGE = "too_large"
    """The payload would take too much memory, or make too many values; only Protobuf is bounded by it."""
    TRAILING_BYTES = "trailing_bytes"
    """The payload goes on behind the value; only Avro can tell."""
