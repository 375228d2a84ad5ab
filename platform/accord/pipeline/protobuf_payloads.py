"""How much memory would a Protobuf payload take? One pass over the bytes that builds nothing.

Google's library makes every message that the bytes name, with room for all its fields, before anybody can
count: two bytes of an empty message take sixteen thousand where the message has a thousand fields, so that a
record of a few kilobytes would end a worker. This pass goes over such records first. Most are spared it: a
payload that would do no harm if it were nothing but empty messages of the heaviest kind.

Source: the Protobuf guide to its encoding; the sizes are measured.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.descriptors import FieldDescriptor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.protobuf.descriptors import Descriptor

MAX_PAYLOAD: Final = 16 * 2**20
"""Most bytes of a payload; lists of numbers take up to sixteen times as much."""
MAX_MEMORY: Final = 64 * 2**20
"""Most bytes that all messages of a record take, counted as if each were empty."""

# An empty message, with what the library keeps beside it, and one of its fields; a map with one entry.
_MESSAGE: Final = 64
_FIELD: Final = 16
_ENTRY: Final = 256

_WIRE_TYPE_BITS: Final = 3
_WIRE_TYPE: Final = 0b111
_VARINT, _LENGTH, _GROUP, _END = 0, 2, 3, 4
_FIXED: Final = {1: 8, 5: 4}
_MOST_VARINT_BYTES: Final = 10
_MOST_NESTED: Final = 100  # Google's bound


class TooLarge(ValueError):
    """A record would take more than it may."""


@dataclass(slots=True, eq=False)
class Weight:
    """What an empty message takes, in bytes, and the weights of the messages in its fields, by tag."""

    own: int
    inner: dict[int, Weight] = field(default_factory=dict)


_UNKNOWN: Final = Weight(0)


class Weights:
    """The weights of a message and of all that it may hold; ``most`` is what a record may take, in bytes."""

    def __init__(self, message: Descriptor, most: int = MAX_MEMORY) -> None:
        self._most = most
        self._known: dict[str, Weight] = {}
        self._root = self._weight(message)
        self._heaviest = max(one.own for one in self._known.values())

    def check(self, payload: bytes) -> None:
        """Raise `TooLarge` for what would take too much, `ValueError` for some that is malformed."""
        if len(payload) > MAX_PAYLOAD:
            raise TooLarge(f"a payload of {len(payload)} bytes")
        if self._root.own + len(payload) // 2 * self._heaviest > self._most:
            _Scan(payload, self._most).message(self._root, len(payload))

    def _weight(self, message: Descriptor) -> Weight:
        known = self._known.get(message.full_name)
        if known is not None:
            return known
        made = self._known[message.full_name] = Weight(_own(message))
        made.inner.update((tag, self._weight(inner)) for tag, inner in _messages_in(message))
        return made


def _own(message: Descriptor) -> int:
    own = _MESSAGE + _FIELD * len(message.fields)
    if message.GetOptions().map_entry:  # the library makes its value even where the bytes do not
        own += _ENTRY + sum(_own(inner) for _, inner in _messages_in(message))
    return own


def _messages_in(message: Descriptor) -> Iterator[tuple[int, Descriptor]]:
    """The tags and types of the fields that are messages."""
    for one in message.fields:
        if one.message_type is not None:
            wire_type = _GROUP if one.type == FieldDescriptor.TYPE_GROUP else _LENGTH
            yield one.number << _WIRE_TYPE_BITS | wire_type, one.message_type


class _Scan:
    """A position in a payload, and what its messages may still take."""

    def __init__(self, payload: bytes, left: int) -> None:
        self._payload = payload
        self._at = 0
        self._left = left

    def message(self, weight: Weight, end: int, *, closing: int | None = None, depth: int = 0) -> None:
        """Go over the fields up to an end or, in a group, to the tag that closes it."""
        self._left -= weight.own
        if self._left < 0:
            raise TooLarge("its messages take more than a record may")
        if depth > _MOST_NESTED:
            raise ValueError("messages nest too deep")
        while self._at < end:
            tag = self._varint()
            if tag & _WIRE_TYPE == _END:
                if tag != closing:
                    raise ValueError("a group ends that did not begin")
                return
            self._field(tag, weight.inner.get(tag), end, depth)
        if closing is not None or self._at != end:
            raise ValueError("a message ends early")

    def _field(self, tag: int, inner: Weight | None, end: int, depth: int) -> None:
        """Step over a field, through the messages in it."""
        wire_type = tag & _WIRE_TYPE
        if wire_type == _VARINT:
            self._varint()
        elif wire_type == _GROUP:
            self.message(inner or _UNKNOWN, end, closing=tag + 1, depth=depth + 1)
        else:
            size = self._varint() if wire_type == _LENGTH else _FIXED.get(wire_type, end)
            if size > end - self._at:
                raise ValueError("a field is longer than its message, or of no known kind")
            if wire_type == _LENGTH and inner is not None:
                self.message(inner, self._at + size, depth=depth + 1)
            else:
                self._at += size

    def _varint(self) -> int:
        value = shift = 0
        for byte in self._payload[self._at : self._at + _MOST_VARINT_BYTES]:
            self._at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:  # noqa: PLR2004 - the high bit says that more follows
                return value
            shift += 7
        raise ValueError("a number does not end")
