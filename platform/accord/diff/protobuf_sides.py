"""Both sides of a walk over Protobuf files, seen as the profile has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from accord.diff.changes import Pair
from accord.diff.protobuf_profile import Follow, Pairing, ProtobufProfile
from accord.formats.protobuf.kinds import Kind, Label
from accord.formats.protobuf.model import Enum, Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats.protobuf.fields import Field
    from accord.formats.protobuf.model import File, FileSet, Oneof, Service, Tokens, Type

Holder: TypeAlias = "File | Message"
WHOLE_SETS = frozenset({Pairing.FULL_NAME, Pairing.PATH_AND_NAME})


@dataclass(slots=True)
class Sides:
    """A reader and a writer, and the pairs of types found behind fields on the way.

    ``is_swapped`` is true where the reader is the older of the two.
    """

    reader: FileSet
    writer: FileSet
    profile: ProtobufProfile
    is_swapped: bool = False
    behind: dict[tuple[int, int], Pair] = field(default_factory=dict)
    firsts: dict[int, int] = field(default_factory=dict)
    walked: set[tuple[int, int]] = field(default_factory=set)

    @property
    def tells_reservations(self) -> bool:
        """True where the question whether something is still reserved makes sense."""
        return not self.is_swapped or self.profile.swaps_reservations

    def file_pairs(self) -> Iterator[tuple[File | None, File]]:
        """Yield the files to compare, each with its counterpart, if any, in front."""
        if self.profile.pairing in WHOLE_SETS:
            for file in self.writer.files:
                yield self.reader.by_path.get(file.path), file
        else:
            yield self.reader.root, self.writer.root

    @property
    def reader_files(self) -> list[File]:
        """The reader's files that take part by themselves."""
        return self.reader.files if self.profile.pairing in WHOLE_SETS else [self.reader.root]

    def fields(self, message: Message) -> Iterable[Field]:
        """The fields that the profile takes for fields."""
        if self.profile.sees_groups or message.file.syntax != "proto2":
            return message.fields
        return [one for one in message.fields if one.kind is not Kind.GROUP]

    def by_number(self, message: Message) -> dict[int, Field]:
        """The same by number."""
        if self.profile.sees_groups:
            return message.by_number
        return {one.number: one for one in self.fields(message)}

    def by_name(self, message: Message) -> dict[str, Field]:
        """The same by name."""
        return {one.name: one for one in self.fields(message)}

    def members(self, oneof: Oneof) -> dict[int, Field]:
        """The fields of a oneof that the profile takes for fields, by number."""
        has_groups = self.profile.sees_groups or oneof.message.file.syntax != "proto2"
        return {one.number: one for one in oneof.fields if has_groups or one.kind is not Kind.GROUP}

    def is_required(self, field: Field) -> bool:
        """Tell whether a field is required, in its text or however its edition has it."""
        return field.label is Label.REQUIRED if self.profile.sees_texts else field.is_required

    def messages(self, holder: Holder) -> Iterable[Message]:
        """The messages of a level that the profile takes for messages."""
        found: Iterable[Message] = holder.messages
        if not self.profile.sees_nested_entries:
            found = [one for one in found if not one.is_map_entry]
        if self.profile.sees_groups or holder.file.syntax != "proto2" or not isinstance(holder, Message):
            return found
        groups = {one.type_name for one in holder.fields if one.kind is Kind.GROUP}
        return [one for one in found if one.full_name not in groups]

    def is_skipped(self, reader: Message, writer: Message) -> bool:
        """Tell whether two messages are so alike that no rule has anything to say."""
        if self.profile.follow is not Follow.NEVER or reader.proto != writer.proto:
            return False
        if not is_same_setting(reader.file, writer.file) or reader.features != writer.features:
            return False
        # The default of a field may be the first value of an enum somewhere else.
        return reader.file.syntax == "proto3" or all(one.kind is not Kind.ENUM for one in reader.fields)

    def pair(self, reader: Message | Enum, writer: Message | Enum) -> Iterator[Pair]:
        """Yield a pair to walk, unless it has nothing to tell."""
        self.walked.add((id(reader), id(writer)))
        if isinstance(reader, Message) and isinstance(writer, Message) and self.is_skipped(reader, writer):
            return
        yield Pair(reader, writer)

    def reach(self, reader: Enum, writer: Type | None) -> None:
        """Note two enums behind a field, to be walked once everything else is."""
        if isinstance(writer, Enum):
            self.behind.setdefault((id(reader), id(writer)), Pair(reader, writer))

    def follow(self, reader: Message | Enum, writer: Message | Enum) -> Pair | None:
        """Return the pair of types behind a field, if the profile wants it compared."""
        if not self._is_followed(reader, writer):
            return None
        pair = Pair(reader, writer)
        return self.behind.setdefault((id(reader), id(writer)), pair)

    def _is_followed(self, reader: Message | Enum, writer: Message | Enum) -> bool:
        match self.profile.follow:
            case Follow.NEVER:
                return False
            case Follow.ALWAYS:
                return True
            case Follow.ONCE_PER_READER:
                return self.firsts.setdefault(id(reader), id(writer)) == id(writer)
        is_local = reader.file is self.reader.root and writer.file is self.writer.root
        return not is_local and reader.file.proto != writer.file.proto


def is_same_setting(reader: File, writer: File) -> bool:
    """Tell whether two files mean the same by the same words, as far as options around them go."""
    options = [file.proto.options for file in (reader, writer)]
    checks = [(one.HasField("java_string_check_utf8"), one.java_string_check_utf8) for one in options]
    return reader.edition == writer.edition and reader.features == writer.features and checks[0] == checks[1]


def nearest(file: File | None, node: Message | Enum | Field | Service) -> Tokens | None:
    """Return the place of what still holds a deleted thing: a message around it, else its file."""
    if file is None:
        return None
    around = node.parent
    while around is not None:
        found = file.within.types.get(f"{file.prefix}{around.nested_name}")
        if isinstance(found, Message) and found.file is file:
            return found.at
        around = around.parent
    return file.at
