"""What is reserved, and what of it is no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from accord.diff.changes import Effort
from accord.diff.intervals import holds, merged, missing
from accord.diff.protobuf_changes import Difference, Differs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.diff.changes import Steps
    from accord.diff.intervals import Interval
    from accord.diff.protobuf_sides import Sides
    from accord.formats.protobuf.model import Enum, Message, Tokens

RANGES_PER_STEP = 4


class _Member(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def at(self) -> Tokens: ...


class Reservations:
    """What one side reserves, ready to be asked."""

    def __init__(self, node: Message | Enum) -> None:
        self.names = node.reserved_names
        self.ranges = merged(node.reserved)

    def has_number(self, number: int) -> bool:
        """Tell whether a number is reserved."""
        return holds(self.ranges, number)


def spelled(ranges: Iterable[Interval], largest: int) -> str:
    """Spell ranges as ``.proto`` files do."""
    return ", ".join(_spelled(start, end, largest) for start, end in ranges)


def _spelled(start: int, end: int, largest: int) -> str:
    if start == end:
        return str(start)
    return f"{start} to {'max' if end == largest else end}"


def uncovered(
    reader: Iterable[Interval], writer: Iterable[Interval], *, ends_only: bool
) -> list[tuple[Interval, list[Interval]]]:
    """Return each range of the writer that the reader's together do not cover, and what is missing."""
    ranges = merged(reader)
    found = []
    for wanted in writer:
        parts = [(end, end) for end in dict.fromkeys(wanted)] if ends_only else [wanted]
        lacking = [one for part in parts for one in missing(ranges, part)]
        if lacking:
            found.append((wanted, lacking))
    return found


def reservations(
    sides: Sides, reader: Message | Enum, writer: Message | Enum, members: Iterable[_Member], kind: Difference
) -> Steps:
    """Compare what two messages or enums reserve; ``members`` are the reader's."""
    if not writer.reserved and not writer.reserved_names:
        return
    yield Effort((len(reader.reserved) + len(writer.reserved)) // RANGES_PER_STEP)
    largest = writer.largest
    for wanted, lacking in uncovered(
        reader.reserved, writer.reserved, ends_only=sides.profile.tests_range_ends
    ):
        at = (*reader.at, "reserved")
        yield Differs(at, kind, reader.name, spelled(lacking, largest), spelled([wanted], largest))
    for name in sorted(writer.reserved_names - reader.reserved_names):
        yield Differs((*reader.at, "reserved"), kind, reader.name, name, name)
    held = Reservations(writer)
    for member in members:
        if held.has_number(member.number) or member.name in held.names:
            which = str(member.number) if held.has_number(member.number) else member.name
            yield Differs(member.at, Difference.FIELD_NO_REUSE_OF_RESERVED, member.name, which, which)
