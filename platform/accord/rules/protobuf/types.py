"""Rules about the types of fields, and the messages behind them."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

TYPES = "field {name} has type {reader} for the reader and {writer} for the writer"

register(
    NodeKind.FIELD,
    {
        Difference.FIELD_SAME_TYPE: Words(
            "A field has another type.",
            "Even where the wire is the same, values change: an `int64` read as `uint64` turns negative"
            " numbers into huge ones, a narrower type cuts numbers off, bytes need not be text. Add a new"
            " field of the new type, and reserve the old one when nobody writes it.",
            TYPES,
        ),
        Difference.FIELD_SAME_TYPE_CATEGORY: Words(
            "A field is a scalar on one side and a message or map on the other.",
            "Nothing of it can be read. Add a new field.",
            TYPES,
        ),
        Difference.FIELD_WIRE_COMPATIBLE_SCALAR: Words(
            "A field has a scalar type whose data cannot be read as the other.",
            "Types are read as each other only inside their group, such as the numbers written as plain"
            " varints. Which groups there are is the preset's business. Add a new field.",
            TYPES,
        ),
        Difference.FIELD_WIRE_COMPATIBLE_TYPE: Words(
            "A field has a type that the wire does not allow in place of the other.",
            "Allowed are changes among the plain varints and bool, among the zigzag numbers, among fixed"
            " numbers of one size, and from string to bytes. An enum may move if its simple name and all its"
            " values stay. Add a new field for anything else.",
            TYPES,
        ),
        Difference.FIELD_WIRE_JSON_COMPATIBLE_TYPE: Words(
            "A field has a type that the wire or JSON does not allow in place of the other.",
            "Only the sign of a number may change, and an enum may move if its simple name and all its values"
            " stay: JSON writes 64-bit numbers as strings. Add a new field for anything else.",
            TYPES,
        ),
        Difference.FIELD_SAME_MESSAGE_NAME: Words(
            "A field refers to a message of another name.",
            "Whether the two messages hold the same is not asked. Keep the type, or add a new field.",
            TYPES,
        ),
        Difference.FIELD_MESSAGE_CONTENT_COMPATIBLE: Words(
            "The message behind a field cannot be read.",
            "The findings at the message itself say why; this one names a field that leads there.",
            "field {name} holds {writer}, which the reader cannot read as {reader}",
        ),
        Difference.FIELD_MAP_SAME: Words(
            "A field is a map on one side only.",
            "On the wire a map is a repeated message of key and value, so data may be readable; JSON and code"
            " are not the same. Keep the map.",
            TYPES,
        ),
        Difference.MAP_KEY_SAME_TYPE: Words(
            "The keys of a map have another type.",
            "Keys are looked up by value, which changes with the type. Add a new map.",
            "the keys of map {name} are {reader} for the reader and {writer} for the writer",
        ),
    },
)
