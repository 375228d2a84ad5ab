"""Rules about fields that come, go, change name or number."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

register(
    NodeKind.FIELD,
    {
        Difference.FIELD_ADDED: Words(
            "A field of the reader is not in the data.",
            "The reader sees its default. This is how optional fields are added.",
            "the reader has field {name}, the writer does not",
        ),
        Difference.FIELD_NO_DELETE: Words(
            "A field of the data is not in the reader.",
            "The reader keeps it as an unknown field or drops it. Code that names the field does not compile."
            " Mark the field deprecated first; when it goes, reserve its number and its name.",
            "the writer has field {name}, the reader does not",
        ),
        Difference.FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED: Words(
            "A field is gone and its number is not reserved.",
            "Somebody may use the number again, and old data would be taken for something else. Add"
            " `reserved` with the number.",
            "the writer has field {name}, the reader neither has it nor reserves its number",
        ),
        Difference.FIELD_NO_DELETE_UNLESS_NAME_RESERVED: Words(
            "A field is gone and its name is not reserved.",
            "Somebody may use the name again, and old JSON would be taken for something else. Add `reserved`"
            " with the name in quotes.",
            "the writer has field {name}, the reader neither has it nor reserves its name",
        ),
        Difference.FIELD_NO_DELETE_UNLESS_NAME_AND_NUMBER_RESERVED: Words(
            "A field's name is gone, and name and number are not both reserved.",
            "A renamed field counts as gone. The number need not be reserved while another field has it. Add"
            " `reserved` with the number, and again with the name in quotes.",
            "the writer has field {name}, the reader neither has it nor reserves its {reader}",
        ),
        Difference.REQUIRED_FIELD_ADDED: Words(
            "A field that the reader requires is not in the data.",
            "Parsing fails without it. Add the field as optional; required fields cannot be added to what"
            " exists.",
            "the reader requires field {name}, which the writer does not have",
        ),
        Difference.REQUIRED_FIELD_REMOVED: Words(
            "A field that the writer requires is not in the reader.",
            "The reader can read the data, but what it writes itself lacks the field, and programs that still"
            " require it fail. Make the field optional everywhere first.",
            "the writer requires field {name}, which the reader does not have",
        ),
        Difference.FIELD_BECAME_REQUIRED: Words(
            "The reader requires a field that the writer may leave out.",
            "Parsing fails on data without the field. Leave it optional, and check it in the program.",
            "the reader requires field {name}, the writer does not",
        ),
        Difference.FIELD_NO_LONGER_REQUIRED: Words(
            "The writer requires a field that the reader does not.",
            "All data is still read. Programs that require the field fail on what the new ones write without"
            " it.",
            "the writer requires field {name}, the reader does not",
        ),
        Difference.MESSAGE_SAME_REQUIRED_FIELDS: Words(
            "The fields with the label `required` are not the same on both sides.",
            "Whoever requires a field cannot read data without it. Never add or remove the label. The"
            " presence LEGACY_REQUIRED of editions is not looked at here.",
            "field {name} has the label required on one side only",
        ),
        Difference.FIELD_SAME_NUMBER: Words(
            "A field of one name has another number.",
            "Data holds numbers, not names: the old field is gone and another one has its name. Keep the"
            " number.",
            "field {name} has number {reader} for the reader and {writer} for the writer",
        ),
        Difference.FIELD_SAME_NAME: Words(
            "A field of one number has another name.",
            "Binary data is read as before. JSON, generated code and field masks use the name. Keep it, or"
            " keep `json_name` at least.",
            "field {name} is called {reader} by the reader and {writer} by the writer",
        ),
        Difference.FIELD_SAME_JSON_NAME: Words(
            "A field has another name in JSON.",
            "JSON that was written holds the old name. Set `json_name` to it.",
            "field {name} is {reader} in the reader's JSON and {writer} in the writer's",
        ),
        Difference.FIELD_NO_REUSE_OF_RESERVED: Words(
            "A number or name that was reserved is used again.",
            "It was reserved because it meant something once, and old data may still hold that. Take a new"
            " number and a new name.",
            "{name} of the reader uses {reader}, which the writer reserves",
        ),
        Difference.FIELD_EXTENSION_CONVERSION: Words(
            "A field became an extension, or an extension a field.",
            "On the wire they are the same; in JSON an extension has brackets and its full name. Keep it"
            " where it is if anybody writes JSON.",
            "{name} is a field on one side and an extension on the other",
        ),
    },
)
