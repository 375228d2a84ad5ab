"""Is a payload what its schema says? One pass over the bytes that builds nothing.

Record codecs trust what they read: a negative length, an index beyond the branches, a billion nulls in five
bytes or a list that nests ten thousand deep give wrong values, eat the memory or end the process. This pass
goes over the bytes first, with an explicit stack, so that a codec only ever sees sound payloads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.codecs.errors import RecordTooLarge, UndecodableRecord
from accord.codecs.limits import RECORD_LIMITS
from accord.formats.avro.logical import logical_type
from accord.formats.avro.model import Array, Enum, Kind, Map, Primitive, Record, Union

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.codecs.limits import RecordLimits
    from accord.formats.avro.model import Fixed, Node

_KEY: Final = Primitive(Kind.STRING, {})
_BITS: Final = {Kind.INT: 32, Kind.LONG: 64}
_WIDTHS: Final = {Kind.NULL: 0, Kind.FLOAT: 4, Kind.DOUBLE: 8}
_HIGH_BIT: Final = 0x80
LONGEST_DECIMAL: Final = 4_096
"""Bytes of a decimal: making a number of them costs more than their count."""


def check_payload(root: Node, payload: bytes, limits: RecordLimits = RECORD_LIMITS) -> None:
    """Raise `UndecodableRecord` or `RecordTooLarge` unless the payload is exactly one value of the schema.

    Source: the Avro specification, "Binary encoding".
    """
    if len(payload) > limits.payload_bytes:
        raise RecordTooLarge(details=f"{len(payload)} bytes, at most {limits.payload_bytes} are read")
    scan = _Scan(payload, limits)
    open_nodes: list[Iterator[Node]] = [iter((root,))]
    while open_nodes:
        node = next(open_nodes[-1], None)
        if node is None:
            open_nodes.pop()
            continue
        inner = scan.pass_over(node)
        if inner is not None:
            open_nodes.append(inner)
            if len(open_nodes) > limits.depth:
                raise RecordTooLarge(details=f"values nest deeper than {limits.depth} levels")
    if scan.position != len(payload):
        raise UndecodableRecord(details=f"{len(payload) - scan.position} bytes are left over")


class _Scan:
    """A position in the payload, and how many values were met before it."""

    def __init__(self, payload: bytes, limits: RecordLimits) -> None:
        self.payload = payload
        self.limits = limits
        self.position = 0
        self.values = 0

    def pass_over(self, node: Node) -> Iterator[Node] | None:
        """Step over a value; where it has inner values, over what stands before them, and return those."""
        self._count(1)
        match node:
            case Primitive():  # first, since most values are
                self._primitive(node)
            case Record():
                return (field.type for field in node.fields)
            case Union():
                return iter((node.branches[self._index(len(node.branches), "branches")],))
            case Array():
                return self._blocks(node.items)
            case Map():
                return self._blocks(_KEY, node.values)
            case Enum():
                self._index(len(node.symbols), "symbols")
            case _:
                self._check_digits(node, self._take(node.size))
        return None

    def _primitive(self, node: Primitive) -> None:
        if node.kind in _BITS:
            self._number(_BITS[node.kind])
        elif node.kind in _WIDTHS:
            self._take(_WIDTHS[node.kind])
        elif node.kind is Kind.BOOLEAN:
            self._boolean()
        else:
            self._check_digits(node, self._take(self._number(64)))

    def _boolean(self) -> None:
        at = self.position
        if self._take(1)[0] > 1:
            raise UndecodableRecord(details=f"the byte at {at} is neither true nor false")

    def _blocks(self, *nodes: Node) -> Iterator[Node]:
        while count := self._number(64):
            if count < 0:
                self._number(64)  # how many bytes the block has, for readers that skip it
            self._count(abs(count) * len(nodes), is_ahead=True)
            width = _WIDTHS.get(nodes[0].kind) if len(nodes) == 1 else None
            if width is None:
                for _ in range(abs(count)):
                    yield from nodes
            else:
                self._count(abs(count))
                self._take(abs(count) * width)

    def _index(self, size: int, what: str) -> int:
        at = self.position
        index = self._number(32)
        if not 0 <= index < size:
            raise UndecodableRecord(details=f"number {index} at byte {at}, there are {size} {what}")
        return index

    def _number(self, bits: int) -> int:
        """A zig-zag varint."""
        start, raw, shift = self.position, 0, 0
        while True:
            byte = self._take(1)[0]
            raw |= (byte & ~_HIGH_BIT) << shift
            shift += 7
            if raw >> bits or shift > bits + 6:
                raise UndecodableRecord(details=f"the number at byte {start} has more than {bits} bits")
            if byte < _HIGH_BIT:
                return (raw >> 1) ^ -(raw & 1)

    def _take(self, count: int) -> bytes:
        start, end = self.position, self.position + count
        if count < 0 or end > len(self.payload):
            left = len(self.payload) - start
            raise UndecodableRecord(details=f"{count} bytes are needed at byte {start}, there are {left}")
        self.position = end
        return self.payload[start:end]

    def _count(self, number: int, *, is_ahead: bool = False) -> None:
        """Note values met, or (ahead) announced, which are noted one by one when they come."""
        if self.values + number > self.limits.values:
            raise RecordTooLarge(details=f"more than {self.limits.values} values")
        self.values += 0 if is_ahead else number

    def _check_digits(self, node: Primitive | Fixed, data: bytes) -> None:
        meaning = logical_type(node)
        if meaning is None or meaning.precision is None:
            return
        if len(data) > LONGEST_DECIMAL:
            raise RecordTooLarge(
                details=f"a decimal of {len(data)} bytes, at most {LONGEST_DECIMAL} are read"
            )
        unscaled, digits = abs(int.from_bytes(data, "big", signed=True)), meaning.precision
        # A digit is more than three bits and less than four: no power is made where that decides.
        bits = unscaled.bit_length()
        if bits > 4 * digits or (bits > 3 * digits and unscaled >= 10**digits):
            raise UndecodableRecord(details=f"a decimal has more than {digits} digits")
