"""Protobuf message indexes: the path from a file to one of its messages.

The list is a count followed by one index per level, all as zig-zag varints; the frequent path ``(0,)`` is
the single byte 0. Deprecated clients wrote plain varints; ``is_zigzag=False`` reads and writes those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.wire.errors import MalformedIndexes, TruncatedFrame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_INDEX_DEPTH: Final = 100
"""Deepest path accepted; Protobuf's own parsers stop at this nesting."""

_FIRST_MESSAGE: Final = (0,)
_VARINT_BYTES: Final = 5
_MAX_INDEX: Final = 2**31 - 1


def encode_indexes(path: Sequence[int], *, is_zigzag: bool = True) -> bytes:
    """The bytes of a message path, outermost message first.

    Raises `MalformedIndexes` for an empty path, a path above `MAX_INDEX_DEPTH` or an index outside
    0 to 2147483647.
    """
    if not 0 < len(path) <= MAX_INDEX_DEPTH:
        raise MalformedIndexes(details=f"a path of {len(path)} indexes")
    if any(not 0 <= index <= _MAX_INDEX for index in path):
        raise MalformedIndexes(details=f"an index outside 0 to {_MAX_INDEX}")
    if tuple(path) == _FIRST_MESSAGE:
        return b"\x00"
    return b"".join(_varint(number, is_zigzag=is_zigzag) for number in (len(path), *path))


def decode_indexes(data: bytes, start: int = 0, *, is_zigzag: bool = True) -> tuple[tuple[int, ...], int]:
    """Read a message path at ``start``; returns the path and the offset of the first byte behind it.

    Raises `TruncatedFrame` when the bytes end early, `MalformedIndexes` for negative numbers, varints
    above 32 bits and paths above `MAX_INDEX_DEPTH`.
    """
    count, position = _number(data, start, is_zigzag=is_zigzag)
    if count == 0:
        return _FIRST_MESSAGE, position
    if count > MAX_INDEX_DEPTH:
        raise MalformedIndexes(details=f"a path of {count} indexes")
    path = []
    for _ in range(count):
        index, position = _number(data, position, is_zigzag=is_zigzag)
        path.append(index)
    return tuple(path), position


def _varint(number: int, *, is_zigzag: bool) -> bytes:
    rest = number << 1 if is_zigzag else number
    return bytes(_groups(rest))


def _groups(rest: int) -> Iterator[int]:
    while rest > 0x7F:  # noqa: PLR2004 - seven payload bits in each byte
        yield rest & 0x7F | 0x80
        rest >>= 7
    yield rest


def _number(data: bytes, start: int, *, is_zigzag: bool) -> tuple[int, int]:
    raw, position = _read_varint(data, start)
    number = (raw >> 1) ^ -(raw & 1) if is_zigzag else raw
    if not 0 <= number <= _MAX_INDEX:
        raise MalformedIndexes(details=f"the number {number}")
    return number, position


def _read_varint(data: bytes, start: int) -> tuple[int, int]:
    raw = 0
    for count, byte in enumerate(data[start : start + _VARINT_BYTES]):
        raw |= (byte & 0x7F) << 7 * count
        if byte < 0x80:  # noqa: PLR2004 - the high bit says that more follows
            return raw, start + count + 1
    if len(data) >= start + _VARINT_BYTES:
        raise MalformedIndexes(details="a number of more than five bytes")
    raise TruncatedFrame(needed=len(data) + 1, got=len(data))
