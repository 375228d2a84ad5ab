"""What a ``.proto`` text says, as it is written: typed nodes with places, spelled names and comments.

Nothing here is resolved: a type is the name as spelled, a label is there when it was written. What a file
means is told by its descriptor; these nodes stand beside it. Parsed by `accord.formats.protobuf.grammar`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Position(NamedTuple):
    """Where something begins: line and column, both counted from one, columns in characters."""

    line: int
    column: int


class Comments(NamedTuple):
    """The comments that belong to a declaration, without their marks.

    ``leading`` stands directly before it, ``trailing`` behind it (after the opening brace of a block),
    ``detached`` are those before ``leading`` with an empty line between. Source: the rules in the
    comments of ``SourceCodeInfo.Location`` in descriptor.proto.
    """

    leading: str = ""
    trailing: str = ""
    detached: tuple[str, ...] = ()


NO_COMMENTS = Comments()


class ImportKind(StrEnum):
    """The word behind ``import``, empty for a plain one."""

    PLAIN = ""
    PUBLIC = "public"
    WEAK = "weak"
    OPTION = "option"


class Label(StrEnum):
    """A label as written; maps, members of a oneof and most fields of proto3 have none."""

    NONE = ""
    OPTIONAL = "optional"
    REQUIRED = "required"
    REPEATED = "repeated"


class Visibility(StrEnum):
    """The word before a message or enum of edition 2024."""

    UNSAID = ""
    EXPORT = "export"
    LOCAL = "local"


class NamePart(NamedTuple):
    """One part of an option's name: a plain word, or the spelled name of an extension in brackets."""

    text: str
    is_extension: bool = False


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that is one word or number as written: ``true``, ``SPEED``, ``-12``, ``0x1F``, ``inf``."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A string, its pieces joined and its escapes undone: bytes, since escapes may name any."""

    value: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One ``name: value`` of a message literal; ``is_extension`` when the name stands in brackets."""

    name: str
    value: Value
    is_extension: bool = False


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A message literal in braces."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list literal in square brackets, inside a message literal."""

    values: tuple[Value, ...]


Value = Literal | Text | Aggregate | Listing


@dataclass(frozen=True, slots=True)
class Option:
    """An option, as a statement or in the square brackets of a field.

    ``start`` is the offset in the text of what it begins with (the word ``option``, or the bracket or
    comma before it), ``end`` the one behind it.
    """

    name: tuple[NamePart, ...]
    value: Value
    position: Position
    start: int
    end: int
    comments: Comments = NO_COMMENTS

    @property
    def is_custom(self) -> bool:
        """Whether its meaning is declared by an extension."""
        return any(part.is_extension for part in self.name)

    @property
    def spelled(self) -> str:
        """The name as a text: ``java_package``, ``(acme.owner).team``."""
        return ".".join(f"({part.text})" if part.is_extension else part.text for part in self.name)


@dataclass(frozen=True, slots=True)
class Span:
    """A range of numbers, both ends included; ``end`` is None for ``max``.

    ``is_spelled_out`` tells ``5 to 5`` from ``5``.
    """

    start: int
    end: int | None
    is_spelled_out: bool = False


@dataclass(frozen=True, slots=True)
class Reserved:
    """One ``reserved`` statement: numbers or names, which editions write without quotes."""

    spans: tuple[Span, ...]
    names: tuple[str, ...]
    position: Position
    is_quoted: bool = True
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class ExtensionRange:
    """One ``extensions`` statement of a message."""

    spans: tuple[Span, ...]
    options: tuple[Option, ...]
    position: Position
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class Field:
    """A field, an extension or a member of a oneof; a map when ``key_type`` is there.

    ``type_name`` is the type as spelled, of a map the type of its values.
    """

    label: Label
    type_name: str
    name: str
    number: int
    options: tuple[Option, ...]
    position: Position
    type_position: Position
    key_type: str = ""
    comments: Comments = NO_COMMENTS

    @property
    def is_map(self) -> bool:
        """Whether it was written as ``map<key, value>``."""
        return bool(self.key_type)


@dataclass(frozen=True, slots=True)
class Group:
    """A group: a field and its message in one; ``message`` carries its name and its body."""

    label: Label
    number: int
    message: Message
    options: tuple[Option, ...]
    position: Position
    comments: Comments = NO_COMMENTS

    @property
    def name(self) -> str:
        """The name as written, of the message; the field has the same in lower case."""
        return self.message.name


@dataclass(frozen=True, slots=True)
class Oneof:
    """A oneof as written; protoc's synthetic ones are no such thing."""

    name: str
    fields: tuple[Field, ...]
    groups: tuple[Group, ...]
    options: tuple[Option, ...]
    position: Position
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class EnumValue:
    """A constant of an enum."""

    name: str
    number: int
    options: tuple[Option, ...]
    position: Position
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class Enum:
    """An enum; ``body`` as in `Message`."""

    name: str
    values: tuple[EnumValue, ...]
    reserved: tuple[Reserved, ...]
    options: tuple[Option, ...]
    position: Position
    body: int
    visibility: Visibility = Visibility.UNSAID
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class Extend:
    """An ``extend`` block: the fields it adds to the message spelled in ``extendee``."""

    extendee: str
    fields: tuple[Field, ...]
    groups: tuple[Group, ...]
    position: Position
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class Message:
    """A message; each kind of part in the order of the text, those of a oneof inside it.

    ``body`` is the offset in the text behind its opening brace.
    """

    name: str
    fields: tuple[Field, ...]
    oneofs: tuple[Oneof, ...]
    groups: tuple[Group, ...]
    messages: tuple[Message, ...]
    enums: tuple[Enum, ...]
    extends: tuple[Extend, ...]
    reserved: tuple[Reserved, ...]
    extensions: tuple[ExtensionRange, ...]
    options: tuple[Option, ...]
    position: Position
    body: int
    visibility: Visibility = Visibility.UNSAID
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class Rpc:
    """A method of a service, its types as spelled."""

    name: str
    request: str
    response: str
    is_client_streaming: bool
    is_server_streaming: bool
    options: tuple[Option, ...]
    position: Position
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class Service:
    """A service."""

    name: str
    rpcs: tuple[Rpc, ...]
    options: tuple[Option, ...]
    position: Position
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class Import:
    """An import; the path as written."""

    path: str
    kind: ImportKind
    position: Position
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A whole text. ``syntax`` is empty where none is written, ``editions`` with an ``edition``."""

    syntax: str
    edition: str
    package: str
    imports: tuple[Import, ...]
    options: tuple[Option, ...]
    messages: tuple[Message, ...]
    enums: tuple[Enum, ...]
    extends: tuple[Extend, ...]
    services: tuple[Service, ...]
    syntax_position: Position
    package_position: Position
    syntax_comments: Comments = NO_COMMENTS
    package_comments: Comments = NO_COMMENTS
