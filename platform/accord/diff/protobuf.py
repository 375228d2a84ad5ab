"""The walk over two sets of Protobuf files: one pass over paired elements that feeds every rule.

Places are absolute: a file's path and what leads to the element inside it. The profile says which elements
make a pair; each pair of types is walked once, however many fields lead to it. Source: protobuf-rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from accord.diff.protobuf_changes import Difference, Differs
from accord.diff.protobuf_enums import enums
from accord.diff.protobuf_fields import by_number, spelled_field
from accord.diff.protobuf_files import files
from accord.diff.protobuf_messages import messages
from accord.diff.protobuf_pairing import types
from accord.diff.protobuf_services import services
from accord.diff.protobuf_sides import Sides
from accord.diff.protobuf_types import keyed
from accord.formats.protobuf.model import Enum, FileSet, Message

if TYPE_CHECKING:
    from accord.diff.changes import Pair, Steps, Tokens, Walk
    from accord.diff.protobuf_profile import ProtobufProfile

Node: TypeAlias = FileSet | Message | Enum
HOLDERS = frozenset({"messages", "enums", "oneofs", "fields", "values", "services", "methods", "extensions"})


def walk_under(profile: ProtobufProfile, *, is_swapped: bool) -> Walk:
    """Return the walk of one comparison; ``is_swapped`` where the reader is the older side."""
    sides: list[Sides] = []

    def walk(pair: Pair) -> Steps:
        # Pairs are alike for all formats; those of this walk come from Protobuf's model.
        reader, writer = cast("Node", pair.reader), cast("Node", pair.writer)
        if isinstance(reader, FileSet) and isinstance(writer, FileSet):
            sides.append(Sides(reader, writer, profile, is_swapped=is_swapped))
            return _sets(sides[-1])
        if isinstance(reader, Message) and isinstance(writer, Message):
            return messages(sides[-1], reader, writer)
        return enums(sides[-1], cast("Enum", reader), cast("Enum", writer))

    return walk


def spelled(path: Tokens, _first: Tokens) -> str:
    """Spell a place as Confluent does: the names that lead there, without the file."""
    tokens = iter(path[1:])
    names = [next(tokens, "") for token in tokens if token in HOLDERS]
    return "#/" + "/".join(names)


def _sets(sides: Sides) -> Steps:
    yield from files(sides)
    yield from types(sides)
    if sides.profile.sees_extensions:
        yield from _extensions(sides)
    yield from services(sides)
    while sides.behind:
        behind, sides.behind = sides.behind, {}
        for key, pair in behind.items():
            if key not in sides.walked:
                sides.walked.add(key)
                yield pair


def _extensions(sides: Sides) -> Steps:
    """Compare extensions of one number, and find fields that became extensions or the reverse."""
    if not sides.reader.extensions and not sides.writer.extensions:
        return
    for key, old in sides.writer.extensions.items():
        new = sides.reader.extensions.get(key)
        if new is None:
            yield from _converted(sides.reader, key)
        else:
            yield from by_number(sides, new, old)
            yield from keyed(sides, new, old)
    for key, new in sides.reader.extensions.items():
        holder = sides.writer.types.get(key[0])
        if key not in sides.writer.extensions and isinstance(holder, Message) and key[1] in holder.by_number:
            yield Differs(new.at, Difference.FIELD_EXTENSION_CONVERSION, spelled_field(new))


def _converted(reader: FileSet, key: tuple[str, int]) -> Steps:
    holder = reader.types.get(key[0])
    if isinstance(holder, Message) and key[1] in holder.by_number:
        field = holder.by_number[key[1]]
        yield Differs(field.at, Difference.FIELD_EXTENSION_CONVERSION, spelled_field(field))
