"""Framed Protobuf records to rows: what runs in Spark's Python workers, one record at a time.

A record can make no worker fail or grow without bound: whatever is wrong with it is its reason. Nothing here
knows Spark, so that it can be tried without.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from accord.formats.protobuf.descriptors import (
    DecodeError,
    message_class,
    message_type,
    read_message,
    set_fields,
)
from accord.pipeline.protobuf_columns import Kind, Names, Shape, Struct
from accord.pipeline.protobuf_payloads import TooLarge, Weights
from accord.pipeline.reasons import Reason
from accord.wire import (
    GUID_PREFIX_BYTES,
    ID_PREFIX_BYTES,
    MAGIC_ID,
    MalformedIndexes,
    TruncatedFrame,
    WireError,
    decode_indexes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from accord.formats.protobuf.descriptors import Message
    from accord.formats.protobuf.source import Message as MessageSource
    from accord.pipeline.protobuf_columns import Column, Value

MAX_VALUES: Final = 250_000
"""Most values of a record, nulls counted. Two bytes of an empty message make a row of all its columns; a
record of a megabyte, Kafka's default, filled with floats is just below."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BILLION: Final = 1_000_000_000
_MAX_DURATION: Final = 315_576_000_000  # seconds; Google's bound, ten thousand years

Tree: TypeAlias = "tuple[Tree, ...]"
Row: TypeAlias = "tuple[object, ...]"
Convert: TypeAlias = "Callable[[Any, _Budget], object]"


class Outcome(NamedTuple):
    """What became of a record: its row, or the reason against; the fields of Spark's struct."""

    value: Row | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Places:
    """The messages of a writer's file: the path to the table's, None where it has none, and all others."""

    path: tuple[int, ...] | None
    tree: Tree


def tree_of(messages: Sequence[MessageSource]) -> Tree:
    """How messages stand in each other."""
    return tuple(tree_of(one.messages) for one in messages)


@dataclass(frozen=True, slots=True)
class HeadReader:
    """Finds prefix and message indexes of a record; null for those without, and of other prefixes."""

    prefixes: frozenset[bytes]

    def __call__(self, framed: bytes | bytearray | None) -> bytes | None:
        """The first bytes of a record, up to its payload."""
        if framed is None or (prefix := prefix_of(framed)) not in self.prefixes:
            return None
        try:
            _, start = decode_indexes(bytes(framed), len(prefix))
        except WireError:
            return None
        return bytes(framed[:start])


@dataclass(frozen=True)
class RecordReader:
    """Reads framed records as one message.

    ``files`` is a serialized ``FileDescriptorSet`` with the message, ``places`` what prefixes lead to.
    """

    files: bytes
    message: str
    struct: Struct
    places: Mapping[bytes, Places]

    def __call__(self, framed: bytes | bytearray | None) -> Outcome | None:
        """What becomes of a record; None for one of no known prefix."""
        if framed is None:
            return None
        prefix = prefix_of(framed)
        places = self.places.get(prefix)
        return None if places is None else self._outcome(bytes(framed), len(prefix), places)

    def _outcome(self, framed: bytes, prefix_bytes: int, places: Places) -> Outcome:
        try:
            path, start = decode_indexes(framed, prefix_bytes)
            if path != places.path:
                is_there = _is_in(places.tree, path)
                return Outcome(None, Reason.OTHER_RECORD.value if is_there else Reason.UNDECODABLE.value)
            kind, weights = _library(self.files, self.message)
            payload = framed[start:]
            weights.check(payload)
            return Outcome(_row(read_message(kind, payload), self._cells, _Budget(MAX_VALUES)), None)
        except TruncatedFrame:
            return Outcome(None, Reason.TRUNCATED.value)
        except TooLarge:
            return Outcome(None, Reason.TOO_LARGE.value)
        except (MalformedIndexes, DecodeError, ValueError, OverflowError):
            return Outcome(None, Reason.UNDECODABLE.value)

    @cached_property
    def _cells(self) -> Sequence[_Cell]:
        return _cells(self.struct)


def prefix_of(framed: bytes | bytearray) -> bytes:
    """Magic byte and schema identity of a record, as far as it has them."""
    size = ID_PREFIX_BYTES if framed[:1] == bytes([MAGIC_ID]) else GUID_PREFIX_BYTES
    return bytes(framed[:size])


class _Budget:
    """How many values a record may still make."""

    def __init__(self, left: int) -> None:
        self._left = left

    def spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise TooLarge(f"it makes more than {MAX_VALUES} values")


class _Cell(NamedTuple):
    """One column: the number of its field, how a field becomes a value, and the value without one.

    All records share the value without one: a small record may have very many of them.
    """

    number: int
    convert: Convert
    unset: object


def _row(message: Message, cells: Sequence[_Cell], budget: _Budget) -> Row:
    budget.spend(len(cells))
    present = {field.number: value for field, value in set_fields(message)}
    return tuple(
        cell.convert(present[cell.number], budget) if cell.number in present else cell.unset for cell in cells
    )


@lru_cache(maxsize=4)
def _library(files: bytes, name: str) -> tuple[type[Message], Weights]:
    """The class of a message and the weights of what it may hold, which no worker can be sent."""
    found = message_type(files, name)
    return message_class(found), Weights(found)


def _is_in(tree: Tree, path: Sequence[int]) -> bool:
    for index in path:
        if index >= len(tree):
            return False
        tree = tree[index]
    return True


def _cells(struct: Struct) -> tuple[_Cell, ...]:
    return tuple(_cell(column, _field(column)) for column in struct.columns)


def _cell(column: Column, convert: Convert) -> _Cell:
    unset = None if column.unset is None else convert(column.unset, _Budget(0))
    return _Cell(column.number, convert, unset)


def _field(column: Column) -> Convert:
    convert = _value(column.value)
    match column.shape:
        case Shape.LIST:
            return _list(convert)
        case Shape.MAP if column.key is not None:
            return _map(_value(column.key), convert)
        case _:
            return convert


def _value(value: Value) -> Convert:
    match value:
        case Struct():
            cells = _cells(value)
            return lambda message, budget: _row(message, cells, budget)
        case Names():
            names = value.by_number
            return lambda number, _: names.get(number, str(number))
        case _:
            return _CONVERSIONS.get(value, _unchanged)


def _list(convert: Convert) -> Convert:
    def converted(values: Any, budget: _Budget) -> object:  # noqa: ANN401 - whatever Protobuf holds
        budget.spend(len(values))
        return [convert(value, budget) for value in values]

    return converted


def _map(convert_key: Convert, convert: Convert) -> Convert:
    def converted(values: Any, budget: _Budget) -> object:  # noqa: ANN401 - whatever Protobuf holds
        budget.spend(2 * len(values))
        return {convert_key(key, budget): convert(value, budget) for key, value in values.items()}

    return converted


def _unchanged(value: object, _: _Budget) -> object:
    return value


def _text(value: str | bytes, _: _Budget) -> str:
    """Bytes are how proto2 holds a text that is not UTF-8."""
    if isinstance(value, bytes):
        raise ValueError("a text is not UTF-8")  # noqa: TRY004 - the type is Google's word for the flaw
    return value


def _unsigned(value: int, _: _Budget) -> Decimal:
    return Decimal(value)


def _timestamp(value: Any, _: _Budget) -> datetime:  # noqa: ANN401 - a message that is made at run time
    if not 0 <= value.nanos < _BILLION:
        raise ValueError("the nanoseconds of a time are outside a second")
    return _EPOCH + timedelta(seconds=value.seconds, microseconds=value.nanos // 1000)


def _interval(value: Any, _: _Budget) -> timedelta:  # noqa: ANN401 - a message that is made at run time
    if abs(value.seconds) > _MAX_DURATION or abs(value.nanos) >= _BILLION:
        raise ValueError("the duration is longer than ten thousand years, or its nanoseconds than a second")
    return timedelta(seconds=value.seconds, microseconds=int(value.nanos / 1000))


_CONVERSIONS: Final[Mapping[Kind, Convert]] = {
    Kind.TEXT: _text,
    Kind.UNSIGNED: _unsigned,
    Kind.TIMESTAMP: _timestamp,
    Kind.INTERVAL: _interval,
}
