"""Messages, fields, groups, oneofs and extend blocks: what nests in each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.blocks import statements
from accord.formats.protobuf.enums import enum, extension_range, reserved
from accord.formats.protobuf.literals import bracketed_options, option_statement
from accord.formats.protobuf.source import (
    Enum,
    Extend,
    ExtensionRange,
    Field,
    Group,
    Label,
    Message,
    Oneof,
    Option,
    Reserved,
    Visibility,
)

if TYPE_CHECKING:
    from accord.formats.protobuf.cursor import Cursor

DECLARED: Final = frozenset(("message", "enum"))
LABELS: Final = frozenset(label for label in Label if label)


class Members:
    """The fields and groups of a message, oneof or extend block, while they are read."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.fields: list[Field] = []
        self.groups: list[Group] = []
        self.options: list[Option] = []

    def statement(self) -> None:
        """Read one statement of a oneof or an extend block."""
        if self.cursor.text == "option":
            self.options.append(option_statement(self.cursor))
        else:
            self.member()

    def member(self) -> None:
        """Read a field or a group."""
        cursor = self.cursor
        first = cursor.at
        label = Label(cursor.take().text) if cursor.text in LABELS else Label.NONE
        if cursor.text == "group" and cursor.text_behind(2) == "=":
            self.groups.append(_group(cursor, label, first))
        else:
            self.fields.append(_field(cursor, label, first))


class Body(Members):
    """What stands in a file or between the braces of a message, while it is read."""

    def __init__(self, cursor: Cursor) -> None:
        super().__init__(cursor)
        self.oneofs: list[Oneof] = []
        self.messages: list[Message] = []
        self.enums: list[Enum] = []
        self.extends: list[Extend] = []
        self.reserved: list[Reserved] = []
        self.extensions: list[ExtensionRange] = []

    def statement(self) -> None:
        """Read one statement of a message."""
        cursor = self.cursor
        match cursor.text:
            case "option":
                self.options.append(option_statement(cursor))
            case "oneof":
                self.oneofs.append(_oneof(cursor))
            case "reserved":
                self.reserved.append(reserved(cursor))
            case "extensions":
                self.extensions.append(extension_range(cursor))
            case _:
                if not self.nested():
                    self.member()

    def nested(self) -> bool:
        """Read a message, enum or extend block if one is next."""
        cursor = self.cursor
        visibility = Visibility.UNSAID
        if cursor.text in {"export", "local"} and cursor.text_behind() in DECLARED:
            visibility = Visibility(cursor.take().text)
        match cursor.text:
            case "message":
                self.messages.append(_message(cursor, visibility))
            case "enum":
                self.enums.append(enum(cursor, visibility))
            case "extend":
                self.extends.append(_extend(cursor))
            case _:
                return False
        return True


def _message(cursor: Cursor, visibility: Visibility) -> Message:
    first = cursor.at - (visibility is not Visibility.UNSAID)
    cursor.take()
    return _body(cursor, cursor.name("The name of the message"), first=first, visibility=visibility)


def _body(cursor: Cursor, name: str, *, first: int, visibility: Visibility = Visibility.UNSAID) -> Message:
    """Read the braces of a message and what is between; its declaration began with token ``first``."""
    position = cursor.position_of(first)
    cursor.expect("{")
    comments, start = cursor.comments(first), cursor.end
    body = Body(cursor)
    statements(cursor, body.statement)
    return Message(
        name,
        tuple(body.fields),
        tuple(body.oneofs),
        tuple(body.groups),
        tuple(body.messages),
        tuple(body.enums),
        tuple(body.extends),
        tuple(body.reserved),
        tuple(body.extensions),
        tuple(body.options),
        position,
        start,
        visibility=visibility,
        comments=comments,
    )


def _group(cursor: Cursor, label: Label, first: int) -> Group:
    cursor.take()
    name = cursor.name("The name of the group")
    cursor.expect("=")
    number = cursor.field_number("The number of the group")
    options = bracketed_options(cursor)
    message = _body(cursor, name, first=first)
    return Group(label, number, message, options, message.position, comments=message.comments)


def _field(cursor: Cursor, label: Label, first: int) -> Field:
    type_position = cursor.position()
    key_type = ""
    if cursor.text == "map" and cursor.text_behind() == "<":
        cursor.take()
        cursor.take()
        key_type = cursor.dotted("The type of the keys")
        cursor.expect(",")
        type_name = cursor.dotted("The type of the values")
        cursor.expect(">")
    else:
        type_name = cursor.dotted("A field, with its type first,")
    name = cursor.name("The name of the field")
    cursor.expect("=")
    number = cursor.field_number("The number of the field")
    options = bracketed_options(cursor)
    cursor.expect(";")
    comments = cursor.comments(first)
    position = cursor.position_of(first)
    return Field(
        label,
        type_name,
        name,
        number,
        options,
        position,
        type_position=type_position,
        key_type=key_type,
        comments=comments,
    )


def _oneof(cursor: Cursor) -> Oneof:
    first, position = cursor.at, cursor.position()
    cursor.take()
    name = cursor.name("The name of the oneof")
    cursor.expect("{")
    comments = cursor.comments(first)
    members = Members(cursor)
    statements(cursor, members.statement)
    return Oneof(
        name,
        tuple(members.fields),
        tuple(members.groups),
        tuple(members.options),
        position,
        comments=comments,
    )


def _extend(cursor: Cursor) -> Extend:
    first, position = cursor.at, cursor.position()
    cursor.take()
    extendee = cursor.dotted("The message to extend")
    cursor.expect("{")
    comments = cursor.comments(first)
    members = Members(cursor)
    statements(cursor, members.member)
    return Extend(extendee, tuple(members.fields), tuple(members.groups), position, comments=comments)
