"""Rules about labels, presence and packing."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

CARDINALITY = "field {name} is {reader} for the reader and {writer} for the writer"

register(
    NodeKind.FIELD,
    {
        Difference.FIELD_SAME_CARDINALITY: Words(
            "A field is repeated, a map, required, or tells its absence on one side only.",
            "The five states are a list, a map, required, explicit presence and implicit presence. Generated"
            " code differs between any two of them. Keep the state.",
            CARDINALITY,
        ),
        Difference.FIELD_WIRE_COMPATIBLE_CARDINALITY: Words(
            "A field changed between one value, a list and required.",
            "On the wire explicit and implicit presence are the same, and so are a map and the list of its"
            " entries. Keep the rest.",
            CARDINALITY,
        ),
        Difference.FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY: Words(
            "A field changed between one value, a list, a map and required.",
            "On the wire and in JSON explicit and implicit presence are the same. Keep the rest.",
            CARDINALITY,
        ),
        Difference.FIELD_SAME_LABEL: Words(
            "A field has another label.",
            "What counts as a label is the preset's business: the word in the text, the label of the"
            " descriptor, or being a list. Keep the label.",
            "field {name} is labelled {reader} by the reader and {writer} by the writer",
        ),
        Difference.FIELD_SINGULAR_TO_REPEATED: Words(
            "The reader has a list where the writer has one value.",
            "Binary data is read as a list of one; numbers may be packed by new writers, which old readers do"
            " not take. JSON is not the same. Add a new field for the list.",
            "the reader takes field {name} for a list, the writer writes one value",
        ),
        Difference.FIELD_REPEATED_TO_SINGULAR: Words(
            "The reader has one value where the writer has a list.",
            "Of a list only the last value is kept, messages are merged, and packed numbers are lost. Keep"
            " the list.",
            "the reader takes one value of field {name}, the writer writes a list",
        ),
        Difference.FIELD_SAME_PACKED: Words(
            "The writer packs the numbers of a list and the reader does not.",
            "Parsers of today read both forms; some of long ago do not. Keep the packing while they are"
            " about.",
            "the numbers of field {name} are {reader} for the reader and {writer} for the writer",
        ),
    },
)
