"""Typed nodes of resolved Protobuf files: what descriptors say, with features and names worked out.

A node wraps its descriptor and reads it as it is asked, so that a set of ten thousand messages costs
little until somebody looks inside. Nodes compare by identity. Each has ``steps``, the path that
``SourceCodeInfo`` uses for it, and ``at``, the same place in words: ``a.proto, messages, M, fields, 3``.
Ranges are inclusive at both ends, whatever the descriptor does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from accord.formats.protobuf import features as featuring
from accord.formats.protobuf.fields import Field
from accord.formats.protobuf.named import Named, Numbered
from accord.model.frozen import kept, lazily_frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.formats.protobuf.descriptors import (
        DescriptorProto,
        EnumDescriptorProto,
        EnumValueDescriptorProto,
        FileDescriptorProto,
        MethodDescriptorProto,
        OneofDescriptorProto,
        ServiceDescriptorProto,
    )
    from accord.formats.protobuf.features import Features

Steps: TypeAlias = tuple[int, ...]
Tokens: TypeAlias = tuple[str, ...]
Range: TypeAlias = tuple[int, int]
Type: TypeAlias = "Message | Enum"

LARGEST_FIELD = 536_870_911
LARGEST_ENUM_VALUE = LARGEST_SET_FIELD = 2_147_483_647


class Position(NamedTuple):
    """A place in a text; both numbers count from 1."""

    line: int
    column: int


class Source(Protocol):
    """What only the text of a file tells; every place is given by its ``steps``."""

    def position(self, steps: Steps) -> Position | None:
        """Return where an element begins, or None where the text does not have it."""
        ...

    def comment(self, steps: Steps) -> str:
        """Return the comment in front of an element."""
        ...

    def may_say(self, words: str) -> bool:
        """Tell whether a comment may hold these words; False is certain and spares asking for comments."""
        ...

    def spelled_type(self, steps: Steps) -> str | None:
        """Return a type's name as written: of a field, or of a method's input (2) or output (3)."""
        ...


class FileSet:
    """Files and all they import; `root` is the file that the set is about."""

    def __init__(self) -> None:
        self.files: list[File] = []
        self.by_path: dict[str, File] = {}

    def add(self, file: File) -> None:
        """Take a file in; done before anything is asked."""
        self.files.append(file)
        self.by_path[file.path] = file

    @kept
    def own(self) -> tuple[File, ...]:
        """The files that are not imports of others' making."""
        return tuple(file for file in self.files if not file.is_import)

    @kept
    def root(self) -> File:
        """The first own file: the text of a schema, all else serves its names."""
        return self.own[0]

    @kept
    def types(self) -> dict[str, Type]:
        """Every message and enum by full name, nested ones and map entries included."""
        found: dict[str, Type] = {}
        for file in self.files:
            found.update((message.full_name, message) for message in file.all_messages)
            found.update((enum.full_name, enum) for enum in file.all_enums)
        return found

    @kept
    def services(self) -> dict[str, Service]:
        """Every service by full name."""
        return {service.full_name: service for file in self.files for service in file.services}

    @kept
    def extensions(self) -> dict[tuple[str, int], Field]:
        """Every extension by the message it extends and its number."""
        return {(one.extendee, one.number): one for file in self.files for one in file.all_extensions}


@lazily_frozen
class File:
    """One file of a set."""

    proto: FileDescriptorProto
    within: FileSet
    is_import: bool = False
    source: Source | None = None
    steps: Steps = ()

    @kept
    def path(self) -> str:
        """The path it is imported by."""
        return self.proto.name

    @kept
    def package(self) -> str:
        """The package; empty where there is none."""
        return self.proto.package

    @property
    def prefix(self) -> str:
        """What full names in here begin with."""
        return f"{self.package}." if self.package else ""

    @property
    def at(self) -> Tokens:
        """The place in words."""
        return (self.path,)

    @property
    def file(self) -> File:
        """Itself: what a declaration of the top level stands in."""
        return self

    @property
    def as_message(self) -> Message | None:
        """None: a file is no message."""
        return None

    @kept
    def edition(self) -> int:
        """The edition by its number, of which proto2 and proto3 have one each."""
        return featuring.edition_of(self.proto)

    @kept
    def syntax(self) -> str:
        """One of ``proto2``, ``proto3`` and ``editions``."""
        return self.proto.syntax or "proto2"

    @kept
    def features(self) -> Features:
        """What holds where nothing inside says otherwise."""
        return featuring.file_features(self.proto)

    @kept
    def messages(self) -> tuple[Message, ...]:
        """The messages of the top level."""
        return tuple(
            Message(proto, self, None, index, (4, index))
            for index, proto in enumerate(self.proto.message_type)
        )

    @kept
    def enums(self) -> tuple[Enum, ...]:
        """The enums of the top level."""
        return tuple(
            Enum(proto, self, None, index, (5, index)) for index, proto in enumerate(self.proto.enum_type)
        )

    @kept
    def services(self) -> tuple[Service, ...]:
        """The services."""
        return tuple(
            Service(proto, self, index, (6, index)) for index, proto in enumerate(self.proto.service)
        )

    @kept
    def extensions(self) -> tuple[Field, ...]:
        """The extensions declared at the top level."""
        return tuple(
            Field(proto, self, index, (7, index), is_extension=True)
            for index, proto in enumerate(self.proto.extension)
        )

    @kept
    def all_messages(self) -> tuple[Message, ...]:
        """Every message, each followed by what is nested in it."""
        return tuple(_nested(self.messages))

    @kept
    def all_enums(self) -> tuple[Enum, ...]:
        """Every enum, those of the top level first."""
        return (*self.enums, *(enum for message in self.all_messages for enum in message.enums))

    @kept
    def all_extensions(self) -> tuple[Field, ...]:
        """Every extension, those of the top level first."""
        return (*self.extensions, *(one for message in self.all_messages for one in message.extensions))


class Declared(Named):
    """What types, services and the like have in common: a name inside a file, and maybe inside a message."""

    proto: DescriptorProto | EnumDescriptorProto | ServiceDescriptorProto
    file: File
    parent: Message | None

    @kept
    def nested_name(self) -> str:
        """The name with those of the messages around it, without the package."""
        return f"{self.parent.nested_name}.{self.name}" if self.parent else self.name

    @kept
    def full_name(self) -> str:
        """The name with the package, without a leading dot."""
        return f"{self.file.prefix}{self.nested_name}"

    @kept
    def features(self) -> Features:
        """The features in force."""
        outer = self.parent.features if self.parent else self.file.features
        return featuring.within(outer, self.proto)

    @kept
    def reserved_names(self) -> frozenset[str]:
        """Names that no member may have."""
        names: Sequence[str] = getattr(self.proto, "reserved_name", ())
        return frozenset(names)

    @property
    def scope(self) -> Tokens:
        """The place of what holds it."""
        return self.parent.at if self.parent else self.file.at

    @property
    def as_entry(self) -> Message | None:
        """Itself if it is the entry of a map."""
        return None


@lazily_frozen
class Message(Declared):
    """A message; the entries of maps and what groups declare are messages too."""

    proto: DescriptorProto
    file: File
    parent: Message | None
    index: int
    steps: Steps

    @property
    def at(self) -> Tokens:
        """The place in words."""
        return (*self.scope, "messages", self.name)

    @property
    def as_message(self) -> Message:
        """Itself."""
        return self

    @property
    def as_entry(self) -> Message | None:
        """Itself if it is the entry of a map."""
        return self if self.is_map_entry else None

    @kept
    def is_map_entry(self) -> bool:
        """True for a message that protoc made of a map field, or that says it is one."""
        return self.proto.HasField("options") and self.proto.options.map_entry

    @kept
    def fields(self) -> tuple[Field, ...]:
        """The fields in the order of the text, members of oneofs among them; extensions are not."""
        return tuple(
            Field(proto, self, index, (*self.steps, 2, index)) for index, proto in enumerate(self.proto.field)
        )

    @kept
    def by_number(self) -> dict[int, Field]:
        """The fields by number."""
        return {field.number: field for field in self.fields}

    @kept
    def by_name(self) -> dict[str, Field]:
        """The fields by name."""
        return {field.name: field for field in self.fields}

    @kept
    def all_oneofs(self) -> tuple[Oneof, ...]:
        """The oneofs by their index, synthetic ones at the end."""
        synthetic = {field.proto.oneof_index for field in self.fields if field.proto.proto3_optional}
        return tuple(
            Oneof(proto, self, index, (*self.steps, 8, index), is_synthetic=index in synthetic)
            for index, proto in enumerate(self.proto.oneof_decl)
        )

    @kept
    def oneofs(self) -> dict[str, Oneof]:
        """The oneofs that somebody wrote, by name."""
        return {oneof.name: oneof for oneof in self.all_oneofs if not oneof.is_synthetic}

    @kept
    def messages(self) -> tuple[Message, ...]:
        """The messages declared inside."""
        return tuple(
            Message(proto, self.file, self, index, (*self.steps, 3, index))
            for index, proto in enumerate(self.proto.nested_type)
        )

    @kept
    def enums(self) -> tuple[Enum, ...]:
        """The enums declared inside."""
        return tuple(
            Enum(proto, self.file, self, index, (*self.steps, 4, index))
            for index, proto in enumerate(self.proto.enum_type)
        )

    @kept
    def extensions(self) -> tuple[Field, ...]:
        """The extensions declared inside, whatever they extend."""
        return tuple(
            Field(proto, self, index, (*self.steps, 6, index), is_extension=True)
            for index, proto in enumerate(self.proto.extension)
        )

    @kept
    def reserved(self) -> tuple[Range, ...]:
        """The reserved numbers as inclusive ranges, in the order of the text."""
        return tuple((one.start, one.end - 1) for one in self.proto.reserved_range)

    @kept
    def extension_ranges(self) -> tuple[Range, ...]:
        """The numbers open to extensions as inclusive ranges, in the order of the text."""
        return tuple((one.start, one.end - 1) for one in self.proto.extension_range)

    @kept
    def is_message_set(self) -> bool:
        """True for ``message_set_wire_format``."""
        return self.proto.HasField("options") and self.proto.options.message_set_wire_format

    @property
    def largest(self) -> int:
        """The greatest number that may be reserved: what ``max`` stands for."""
        return LARGEST_SET_FIELD - 1 if self.is_message_set else LARGEST_FIELD


@lazily_frozen
class Oneof(Named):
    """A oneof; a synthetic one stands for the ``optional`` of one field of proto3."""

    proto: OneofDescriptorProto
    message: Message
    index: int
    steps: Steps
    is_synthetic: bool = False

    @property
    def at(self) -> Tokens:
        """The place in words."""
        return (*self.message.at, "oneofs", self.name)

    @kept
    def fields(self) -> tuple[Field, ...]:
        """Its members, in the order of the text."""
        return tuple(field for field in self.message.fields if field.any_oneof is self)


@lazily_frozen
class Enum(Declared):
    """An enum."""

    proto: EnumDescriptorProto
    file: File
    parent: Message | None
    index: int
    steps: Steps
    largest = LARGEST_ENUM_VALUE

    @property
    def at(self) -> Tokens:
        """The place in words."""
        return (*self.scope, "enums", self.name)

    @kept
    def values(self) -> tuple[Value, ...]:
        """The values in the order of the text, aliases among them."""
        return tuple(
            Value(proto, self, index, (*self.steps, 2, index)) for index, proto in enumerate(self.proto.value)
        )

    @kept
    def by_number(self) -> dict[int, tuple[Value, ...]]:
        """The values by number; aliases share one."""
        found: dict[int, list[Value]] = {}
        for value in self.values:
            found.setdefault(value.number, []).append(value)
        return {number: tuple(values) for number, values in found.items()}

    @kept
    def by_name(self) -> dict[str, Value]:
        """The values by name."""
        return {value.name: value for value in self.values}

    @kept
    def reserved(self) -> tuple[Range, ...]:
        """The reserved numbers as inclusive ranges, in the order of the text."""
        return tuple((one.start, one.end) for one in self.proto.reserved_range)


@lazily_frozen
class Value(Numbered):
    """A value of an enum."""

    proto: EnumValueDescriptorProto
    enum: Enum
    index: int
    steps: Steps

    @property
    def at(self) -> Tokens:
        """The place in words."""
        return (*self.enum.at, "values", self.name)


@lazily_frozen
class Service(Declared):
    """A service."""

    proto: ServiceDescriptorProto
    file: File
    index: int
    steps: Steps
    parent = None

    @property
    def at(self) -> Tokens:
        """The place in words."""
        return (*self.scope, "services", self.name)

    @kept
    def methods(self) -> dict[str, Method]:
        """The methods by name, in the order of the text."""
        methods = enumerate(self.proto.method)
        return {proto.name: Method(proto, self, index, (*self.steps, 2, index)) for index, proto in methods}


@lazily_frozen
class Method(Named):
    """A method of a service."""

    proto: MethodDescriptorProto
    service: Service
    index: int
    steps: Steps

    @property
    def at(self) -> Tokens:
        """The place in words."""
        return (*self.service.at, "methods", self.name)


def _nested(messages: Sequence[Message]) -> Iterator[Message]:
    waiting = list(reversed(messages))
    while waiting:
        message = waiting.pop()
        yield message
        if message.proto.nested_type:
            waiting.extend(reversed(message.messages))
