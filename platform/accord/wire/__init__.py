"""Framing: the bytes that tell a reader which schema a record was written with.

Pure bytes in, values out; no registry, no schema, no payload codec. Both forms in the field are covered:
magic byte 0 with a numeric id and magic byte 1 with a GUID, each as a prefix of the payload or as the value
of a record header, with Protobuf message indexes behind either.
"""

from accord.wire.errors import (
    EmptyFrame,
    InvalidSchemaId,
    MalformedIndexes,
    TruncatedFrame,
    WireError,
    WrongMagic,
)
from accord.wire.framing import (
    GUID_PREFIX_BYTES,
    ID_PREFIX_BYTES,
    KEY_HEADER,
    MAGIC_GUID,
    MAGIC_ID,
    VALUE_HEADER,
    Frame,
    SchemaIdentity,
    decode_header,
    decode_prefix,
    decode_record,
    encode_header,
    encode_prefix,
)
from accord.wire.indexes import decode_indexes, encode_indexes

__all__ = [
    "GUID_PREFIX_BYTES",
    "ID_PREFIX_BYTES",
    "KEY_HEADER",
    "MAGIC_GUID",
    "MAGIC_ID",
    "VALUE_HEADER",
    "EmptyFrame",
    "Frame",
    "InvalidSchemaId",
    "MalformedIndexes",
    "SchemaIdentity",
    "TruncatedFrame",
    "WireError",
    "WrongMagic",
    "decode_header",
    "decode_indexes",
    "decode_prefix",
    "decode_record",
    "encode_header",
    "encode_indexes",
    "encode_prefix",
]
