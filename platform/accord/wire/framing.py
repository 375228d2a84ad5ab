"""The frame around a payload: magic byte, schema identity, Protobuf message indexes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias
from uuid import UUID

from accord.wire.errors import EmptyFrame, InvalidSchemaId, TruncatedFrame, WrongMagic
from accord.wire.indexes import decode_indexes, encode_indexes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAGIC_ID: Final = 0
MAGIC_GUID: Final = 1
ID_PREFIX_BYTES: Final = 5
GUID_PREFIX_BYTES: Final = 17
KEY_HEADER: Final = "__key_schema_id"
VALUE_HEADER: Final = "__value_schema_id"

_MAX_ID: Final = 2**31 - 1
_PREFIX_BYTES: Final = {MAGIC_ID: ID_PREFIX_BYTES, MAGIC_GUID: GUID_PREFIX_BYTES}

SchemaIdentity: TypeAlias = int | UUID
"""What a frame names its schema by: the registry's number in a context, or the content's GUID."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A record taken apart: who wrote it, which message of the file, and the bare payload.

    ``indexes`` is None unless the caller said that the payload is Protobuf.
    """

    identity: SchemaIdentity
    payload: bytes
    indexes: tuple[int, ...] | None = None


def encode_prefix(
    identity: SchemaIdentity, payload: bytes = b"", *, indexes: Sequence[int] | None = None
) -> bytes:
    """Frame a payload for the classic form: magic, identity, indexes (Protobuf only), payload.

    Raises `InvalidSchemaId` for a number outside 0 to 2147483647.
    """
    return encode_header(identity, indexes=indexes) + payload


def encode_header(identity: SchemaIdentity, *, indexes: Sequence[int] | None = None) -> bytes:
    """The value of the record header ``__key_schema_id`` or ``__value_schema_id``.

    Raises `InvalidSchemaId` for a number outside 0 to 2147483647.
    """
    path = b"" if indexes is None else encode_indexes(indexes)
    if isinstance(identity, UUID):
        return bytes([MAGIC_GUID]) + identity.bytes + path
    if not 0 <= identity <= _MAX_ID:
        raise InvalidSchemaId(id=identity)
    return bytes([MAGIC_ID]) + identity.to_bytes(4, "big") + path


def decode_prefix(data: bytes, *, has_indexes: bool = False, is_zigzag: bool = True) -> Frame:
    """Take a classically framed record apart.

    ``has_indexes`` says that the payload is Protobuf. Raises `EmptyFrame`, `WrongMagic`, `TruncatedFrame`
    or `accord.wire.MalformedIndexes`.
    """
    identity, position = _identity(data)
    if not has_indexes:
        return Frame(identity, data[position:])
    indexes, position = decode_indexes(data, position, is_zigzag=is_zigzag)
    return Frame(identity, data[position:], indexes)


def decode_header(value: bytes, payload: bytes, *, has_indexes: bool = False) -> Frame:
    """Take a record of the header form apart: ``value`` is the header's, ``payload`` the bare record.

    Bytes behind the identity (and the indexes) in the header are ignored, as clients do. Raises what
    `decode_prefix` raises.
    """
    framed = decode_prefix(value, has_indexes=has_indexes)
    return Frame(framed.identity, payload, framed.indexes)


def decode_record(
    data: bytes,
    headers: Iterable[tuple[str, bytes]],
    *,
    header_name: str = VALUE_HEADER,
    has_indexes: bool = False,
) -> Frame:
    """Take a record apart as the dual deserializers of clients do.

    The *last* header of that name wins where there is one; otherwise the data carries the prefix.
    Raises what `decode_prefix` raises.
    """
    named = [value for name, value in headers if name == header_name]
    if named:
        return decode_header(named[-1], data, has_indexes=has_indexes)
    return decode_prefix(data, has_indexes=has_indexes)


def _identity(data: bytes) -> tuple[SchemaIdentity, int]:
    if not data:
        raise EmptyFrame
    size = _PREFIX_BYTES.get(data[0])
    if size is None:
        raise WrongMagic(magic=data[0])
    if len(data) < size:
        raise TruncatedFrame(needed=size, got=len(data))
    if data[0] == MAGIC_GUID:
        return UUID(bytes=data[1:size]), size
    return int.from_bytes(data[1:size], "big"), size
