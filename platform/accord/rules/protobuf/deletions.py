"""Rules about what a file, a package or a whole set of files no longer declares."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind


def _in_file(what: str) -> Words:
    return Words(
        f"The file no longer declares {what} that it did.",
        "Code generated from the file loses it, even where another file has it now. Keep the declaration"
        " where it is.",
        f"{{name}} was deleted from its file: {what} that others may import",
    )


def _in_package(what: str) -> Words:
    return Words(
        f"The package no longer declares {what} that it did, in any of its files.",
        "It may move between the files of a package; its full name must stay. A package left without any"
        " such declaration is not looked at.",
        f"{{name}} was deleted from its package: {what} that others may use",
    )


register(
    NodeKind.MESSAGE,
    {
        Difference.MESSAGE_NO_DELETE: _in_file("a message"),
        Difference.PACKAGE_MESSAGE_NO_DELETE: _in_package("a message"),
        Difference.SCOPED_MESSAGE_NO_DELETE: Words(
            "A message of the writer has no counterpart in the reader.",
            "Data of that message cannot be read any more, and fields of its type have lost it. Which"
            " messages belong together is the preset's business: those of one name on a level of the file,"
            " or those of one full name. Keep the message, and stop using it.",
            "the writer has message {name}, the reader does not",
        ),
        Difference.MESSAGE_ADDED: Words(
            "A message of the reader is new.",
            "Nothing that was written uses it.",
            "the reader has message {name}, the writer does not",
        ),
        Difference.MESSAGE_NO_MOVE: Words(
            "A message stands at another place among its neighbours.",
            "Indexes that some framings put in front of data count the messages of a file. A serializer that"
            " uses the new file writes new indexes; nothing else changes.",
            "message {name} has another index among its neighbours",
        ),
        Difference.TYPE_SAME_KIND: Words(
            "A name means a message on one side and an enum on the other.",
            "No field of that type can be read. Give the new type a new name.",
            "{name} is a type of kind {reader} for the reader and {writer} for the writer",
        ),
        Difference.ROOT_MESSAGE_SAME_NAME: Words(
            "The message that data is made of has another full name.",
            "A reader that looks the message up by name does not find it. Keep the name and the package of"
            " the first message of the file.",
            "the reader's root message is {reader}, the writer's {writer}",
        ),
        Difference.EXTENSION_NO_DELETE: _in_file("an extension"),
        Difference.PACKAGE_EXTENSION_NO_DELETE: _in_package("an extension"),
    },
)

register(
    NodeKind.ENUM,
    {
        Difference.ENUM_NO_DELETE: _in_file("an enum"),
        Difference.PACKAGE_ENUM_NO_DELETE: _in_package("an enum"),
        Difference.SCOPED_ENUM_NO_DELETE: Words(
            "An enum of the writer has no counterpart in the reader.",
            "On the wire an enum is a number, so data stays readable; code that names the values does not"
            " compile. Keep the enum, and stop using it.",
            "the writer has enum {name}, the reader does not",
        ),
        Difference.ENUM_ADDED: Words(
            "An enum of the reader is new.",
            "Nothing that was written uses it.",
            "the reader has enum {name}, the writer does not",
        ),
    },
)

register(
    NodeKind.SERVICE,
    {
        Difference.SERVICE_NO_DELETE: _in_file("a service"),
        Difference.PACKAGE_SERVICE_NO_DELETE: _in_package("a service"),
    },
)
