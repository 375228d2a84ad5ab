"""Fields and extensions: kind, label, presence and type, as the features of their file have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.protobuf import features as featuring
from accord.formats.protobuf.features import MessageEncoding, Presence, RepeatedEncoding
from accord.formats.protobuf.kinds import LABELS, Cardinality, Kind, Label
from accord.formats.protobuf.named import Numbered
from accord.model.frozen import kept, lazily_frozen

if TYPE_CHECKING:
    from accord.formats.protobuf.descriptors import FieldDescriptorProto
    from accord.formats.protobuf.features import Features
    from accord.formats.protobuf.model import File, Message, Oneof, Steps, Tokens, Type


@lazily_frozen
class Field(Numbered):
    """A field of a message, or an extension, which is ``held`` by the file or message it stands in."""

    proto: FieldDescriptorProto
    held: File | Message
    index: int
    steps: Steps
    is_extension: bool = False

    @property
    def message(self) -> Message | None:
        """The message it stands in; None for an extension of the top level."""
        return self.held.as_message

    @property
    def parent(self) -> Message | None:
        """The same, as other declarations call it."""
        return self.message

    @property
    def file(self) -> File:
        """The file it stands in."""
        return self.held.file

    @property
    def full_name(self) -> str:
        """The name with all around it."""
        return f"{self.message.full_name}.{self.name}" if self.message else f"{self.file.prefix}{self.name}"

    @property
    def nested_name(self) -> str:
        """The name with those of the messages around it, without the package."""
        return f"{self.message.nested_name}.{self.name}" if self.message else self.name

    @property
    def extendee(self) -> str:
        """The full name of the message an extension extends."""
        return self.proto.extendee.removeprefix(".")

    @property
    def at(self) -> Tokens:
        """The place in words; a member of a oneof is found there."""
        if self.is_extension:
            return (*self.held.at, "extensions", self.name)
        return (*(self.oneof or self.held).at, "fields", str(self.number))

    @kept
    def features(self) -> Features:
        """The features in force."""
        return featuring.within(self.held.features, self.proto)

    @kept
    def kind(self) -> Kind:
        """The kind; a message that editions say is delimited counts as a group. Maps never are."""
        kind = Kind(self.proto.type)
        if kind is not Kind.MESSAGE or self.file.syntax != "editions":
            return kind
        is_delimited = self.features.message == MessageEncoding.DELIMITED
        is_entry = self.message is not None and self.message.is_map_entry
        return Kind.GROUP if is_delimited and not is_entry and not self.is_map else kind

    @kept
    def type_name(self) -> str:
        """The full name of its message or enum; empty for scalars."""
        return self.proto.type_name.removeprefix(".")

    @kept
    def type(self) -> Type | None:
        """Its message or enum; None for scalars, and for what the set does not have."""
        return self.file.within.types.get(self.type_name) if self.type_name else None

    @kept
    def entry(self) -> Message | None:
        """The entry message if the field is a map."""
        if Kind(self.proto.type) is not Kind.MESSAGE or not self.is_repeated:
            return None
        return self.type.as_entry if self.type is not None else None

    @property
    def is_map(self) -> bool:
        """True for a map."""
        return self.entry is not None

    @property
    def is_repeated(self) -> bool:
        """True for lists and maps."""
        return self.proto.label == LABELS.index(Label.REPEATED)

    @property
    def label(self) -> Label:
        """The label of the descriptor: never NONE."""
        return LABELS[self.proto.label]

    @kept
    def any_oneof(self) -> Oneof | None:
        """Its oneof, a synthetic one too."""
        if self.message is None or self.is_extension or not self.proto.HasField("oneof_index"):
            return None
        return self.message.all_oneofs[self.proto.oneof_index]

    @property
    def oneof(self) -> Oneof | None:
        """Its oneof, if somebody wrote it."""
        oneof = self.any_oneof
        return None if oneof is None or oneof.is_synthetic else oneof

    @kept
    def source_label(self) -> Label:
        """The label that the text has: what registries that compare texts see."""
        if self.is_map or self.oneof is not None:
            return Label.NONE
        if self.is_repeated:
            return Label.REPEATED
        if self.file.syntax == "proto2":
            return self.label
        return Label.OPTIONAL if self.proto.proto3_optional else Label.NONE

    @kept
    def is_required(self) -> bool:
        """True for ``required`` and for the presence LEGACY_REQUIRED of editions."""
        if self.label is Label.REQUIRED:
            return True
        return self.features.presence == Presence.LEGACY_REQUIRED and self.has_presence

    @kept
    def has_presence(self) -> bool:
        """True where a reader can tell a field left out from one that holds its default."""
        if self.is_repeated:
            return False
        if Kind(self.proto.type).is_message or self.is_extension or self.any_oneof is not None:
            return True
        return self.features.presence != Presence.IMPLICIT

    @kept
    def cardinality(self) -> Cardinality:
        """How often it may be there, and whether its absence shows."""
        if self.is_repeated:
            return Cardinality.MAP if self.is_map else Cardinality.REPEATED
        if self.is_required:
            return Cardinality.REQUIRED
        return Cardinality.EXPLICIT if self.has_presence else Cardinality.IMPLICIT

    @kept
    def is_packed(self) -> bool:
        """True for a list of numbers, bools or enums that is written in one piece."""
        kind = self.kind
        if not self.is_repeated or kind.is_text or kind.is_message:
            return False
        if self.proto.HasField("options") and self.proto.options.HasField("packed"):
            return self.proto.options.packed
        return self.features.repeated == RepeatedEncoding.PACKED

    @kept
    def json_name(self) -> str:
        """The name in JSON: as given, or made of the field's name."""
        return self.proto.json_name if self.proto.HasField("json_name") else camel_case(self.name)

    @property
    def default(self) -> str | None:
        """The default as the descriptor spells it; None where none is given."""
        return self.proto.default_value if self.proto.HasField("default_value") else None

    @kept
    def spelled_type(self) -> str:
        """The type as the text spells it; its full name where there is no text."""
        source = self.file.source
        spelled = source.spelled_type(self.steps) if source is not None else None
        return spelled or self.type_name or self.kind.spelled


def camel_case(name: str) -> str:
    """Return the JSON name of a field: no underscores, the letter after each a capital."""
    parts = name.split("_")
    return parts[0] + "".join(part[:1].upper() + part[1:] for part in parts[1:])
