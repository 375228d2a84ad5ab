"""JSON names that clash: allowed in the text that is compiled, and no trace of that in the descriptor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.nesting import every_enum, every_message

if TYPE_CHECKING:
    from accord.formats.protobuf.descriptors import DescriptorProto, EnumDescriptorProto, FileDescriptorProto
    from accord.formats.protobuf.source import Enum, Message, SourceFile

LEGACY: Final = "deprecated_legacy_json_field_conflicts"
JSON_FORMAT: Final = "json_format"
BY_OPTION: Final = f"option {LEGACY} = true;"
BY_FEATURE: Final = f"option features.{JSON_FORMAT} = LEGACY_BEST_EFFORT;"


def allow_clashes(text: str, file: SourceFile) -> str:
    """Return a text whose messages and enums may have JSON names that clash.

    What is added stands directly behind the opening braces.
    """
    word, statement = (JSON_FORMAT, BY_FEATURE) if file.edition else (LEGACY, BY_OPTION)
    declared: list[Message | Enum] = [*every_message(file), *every_enum(file)]
    bodies = sorted(one.body for one in declared if not _says(one, word))
    pieces: list[str] = []
    done = 0
    for body in bodies:
        pieces += (text[done:body], statement)
        done = body
    return "".join((*pieces, text[done:]))


def forget_clashes(file: FileDescriptorProto) -> None:
    """Take out of a descriptor what `allow_clashes` added; an option of the same meaning goes with it."""
    enums = [*file.enum_type]
    messages = [*file.message_type]
    while messages:
        message = messages.pop()
        messages += message.nested_type
        enums += message.enum_type
        _forget(message)
    for enum in enums:
        _forget(enum)


def _forget(one: DescriptorProto | EnumDescriptorProto) -> None:
    one.options.ClearField(LEGACY)
    one.options.features.ClearField(JSON_FORMAT)
    if not one.options.features.ByteSize():
        one.options.ClearField("features")
    if not one.options.ByteSize():
        one.ClearField("options")


def _says(one: Message | Enum, word: str) -> bool:
    return any(option.name[-1].text == word for option in one.options)
