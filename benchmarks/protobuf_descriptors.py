"""Huge ready descriptors: how the cost of judging one changed declaration grows with its size.

A ratio of our own costs, in process: ten times as much should cost about ten times as long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.descriptors import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
)
from accord.formats.protobuf.filesets import file_set
from accord.model import Format
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from benchmarks.harness import Bar, Result, Side, compare, timed
from tests.accord.stand_ins import ForeignSchema

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[[int], FileDescriptorProto]

POLICY: Final = Policy(CONFLUENT_LEVELS["BACKWARD"], "accord:strict:1")
REPETITIONS: Final = 3
# Ten times as much, with some room for noise; and ten seconds.
MOST_GROWTH: Final = Bar(ratio=13, cost=10_000_000)
FIRST_FIELD: Final = 20_000


def ready(file: FileDescriptorProto) -> ForeignSchema:
    """Return a schema that is a descriptor and nothing else."""
    return ForeignSchema(file.name, Format.PROTOBUF, root=file_set([file]))


def reserving(count: int) -> FileDescriptorProto:
    """A message with so many single reserved numbers."""
    message = DescriptorProto(name="M")
    for at in range(count):
        message.reserved_range.add(start=2 * at + 1, end=2 * at + 2)
    return _file(message_type=[message])


def enumerating(count: int) -> FileDescriptorProto:
    """An enum with so many values."""
    enum = EnumDescriptorProto(name="E")
    for at in range(count):
        enum.value.add(name=f"V{at}", number=at)
    return _file(enum_type=[enum])


def holding(count: int) -> FileDescriptorProto:
    """A message with so many fields."""
    message = DescriptorProto(name="M")
    kind, label = FieldDescriptorProto.TYPE_INT32, FieldDescriptorProto.LABEL_OPTIONAL
    for at in range(count):
        message.field.add(name=f"f{at}", json_name=f"f{at}", number=FIRST_FIELD + at, type=kind, label=label)
    return _file(message_type=[message])


def _file(
    message_type: tuple[DescriptorProto, ...] | list[DescriptorProto] = (),
    enum_type: tuple[EnumDescriptorProto, ...] | list[EnumDescriptorProto] = (),
) -> FileDescriptorProto:
    return FileDescriptorProto(
        name="a.proto", syntax="proto3", package="p", message_type=message_type, enum_type=enum_type
    )


def growth(words: str, make: Make, count: int) -> Result:
    """What ten times as much costs: the last of ``count`` parts is gone in the new schema."""

    def side(size: int) -> Side:
        old, new = make(size), make(size - 1)

        def prepare() -> list[tuple[ForeignSchema, ForeignSchema]]:
            return [(ready(new), ready(old))]

        run = timed(lambda pair: judge(pair[0], [HistoryEntry(1, pair[1])], POLICY), prepare)
        return Side(f"accord, {size:,} {words}", run)

    return compare(
        f"Judging a ready descriptor, growth to {count:,} {words}",
        "µs a check",
        ours=side(count),
        yardstick=side(count // 10),
        repetitions=REPETITIONS,
        bar=MOST_GROWTH,
    )


def results() -> list[Result]:
    """Measure the three kinds of huge declarations."""
    kinds: tuple[tuple[str, Make, int], ...] = (
        ("reserved numbers", reserving, 200_000),
        ("enum values", enumerating, 100_000),
        ("fields", holding, 50_000),
    )
    return [growth(*kind) for kind in kinds]
