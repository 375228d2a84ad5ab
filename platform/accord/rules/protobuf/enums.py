"""Rules about enums and their values."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

register(
    NodeKind.ENUM,
    {
        Difference.ENUM_VALUE_ADDED: Words(
            "A value of the reader's enum is new.",
            "Old readers meet a number they do not know: an open enum keeps it, a closed one puts the field"
            " among the unknown ones. Let readers take the new enum before writers use the value.",
            "the reader's enum has value {name} = {reader}, the writer's does not",
        ),
        Difference.ENUM_VALUE_NO_DELETE: Words(
            "A value of the writer's enum is not in the reader's.",
            "Data may hold the number, which then has no name; JSON with the name cannot be read. Keep the"
            " value and mark it deprecated.",
            "the writer's enum has value {name}, the reader's does not",
        ),
        Difference.ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED: Words(
            "A value is gone and its number is not reserved.",
            "Somebody may use the number again for something else. Add `reserved` with the number.",
            "the writer has value {name}, the reader neither has it nor reserves its number",
        ),
        Difference.ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED: Words(
            "A value is gone and its name is not reserved.",
            "Somebody may use the name again for something else. Add `reserved` with the name in quotes.",
            "the writer has value {name}, the reader neither has it nor reserves its name",
        ),
        Difference.ENUM_VALUE_SAME_NUMBER: Words(
            "A value of one name has another number.",
            "Data holds numbers: what was one value is read as another. Keep the number.",
            "value {name} is {reader} for the reader and {writer} for the writer",
        ),
        Difference.ENUM_VALUE_SAME_NAME: Words(
            "A number of an enum lost a name.",
            "Binary data is read as before; JSON and code use the name. Keep the old name as an alias with"
            " `allow_alias`.",
            "number {name} is called {reader} by the reader and {writer} by the writer",
        ),
        Difference.ENUM_SAME_TYPE: Words(
            "An enum is open on one side and closed on the other.",
            "An open enum keeps numbers it does not know, a closed one drops them. Keep the feature"
            " `enum_type`, which also follows the syntax.",
            "enum {name} is {reader} for the reader and {writer} for the writer",
        ),
        Difference.ENUM_READABLE: Words(
            "The reader's closed enum does not take every number that may have been written.",
            "Numbers it does not know are dropped. Keep every value, or use an open enum.",
            "the reader's enum {name} is closed and lacks numbers that may be in the data",
        ),
        Difference.ENUM_SAME_JSON_FORMAT: Words(
            "An enum could be written as JSON and now only perhaps.",
            "The feature `json_format` went from ALLOW to something less. Keep ALLOW.",
            "enum {name} no longer has a JSON form that is sure to work",
        ),
        Difference.RESERVED_ENUM_NO_DELETE: Words(
            "An enum no longer reserves a number or name that it did.",
            "Reservations keep deleted values from being used for something else while old data is about."
            " Keep every one; ranges may be split and joined.",
            "enum {name} of the reader does not reserve {reader}",
        ),
    },
)
