"""Rules about oneofs. The synthetic ones of `optional` do not count."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

register(
    NodeKind.ONEOF,
    {
        Difference.ONEOF_ADDED: Words(
            "A oneof of the reader is new.",
            "Its members may be new as well; what happens to fields that move in has rules of its own.",
            "the reader has oneof {name}, the writer does not",
        ),
        Difference.ONEOF_NO_DELETE: Words(
            "A oneof of the writer is not in the reader.",
            "Generated code loses the enum or the union that goes with it. Keep the oneof.",
            "the writer has oneof {name}, the reader does not",
        ),
        Difference.ONEOF_FIELD_ADDED: Words(
            "A oneof of the reader has a member that the writer's has not.",
            "Nothing that was written holds it there. A reader without it sees the oneof as empty.",
            "member {name} of the oneof is new",
        ),
        Difference.ONEOF_FIELD_NO_DELETE: Words(
            "A oneof lost a member.",
            "Data that holds the member looks as if the oneof were empty. Keep the member, and stop writing"
            " it. Whether it may go on elsewhere in the message is the preset's business.",
            "member {name} is not in the reader's oneof any more",
        ),
        Difference.ONEOF_MULTIPLE_FIELDS_MOVED_IN: Words(
            "Two or more fields that stood alone are in one oneof now.",
            "Data that has several of them keeps only the last. Move one field, into a oneof of its own.",
            "fields {reader} are in oneof {name} now and were free before",
        ),
        Difference.ONEOF_FIELD_MOVED_TO_EXISTING: Words(
            "A field that stood alone joined a oneof that had members.",
            "Data that has the field and another member keeps only the last. Leave the field outside.",
            "field {reader} is in oneof {name} now, which has other members",
        ),
        Difference.ONEOF_NEW_EXCLUSIVITY: Words(
            "Fields exclude each other that did not.",
            "Members of a oneof that came from different places, oneofs or none, may all be in the data; only"
            " the last is kept. Leave each where it was.",
            "fields {reader} exclude each other in oneof {name} and did not before",
        ),
        Difference.FIELD_SAME_ONEOF: Words(
            "A field moved into, out of or between oneofs, or its oneof was renamed.",
            "Setting one member clears the others, so data may be lost or be doubled; code uses the oneof's"
            " name. Keep the field where it is.",
            "field {name} is in oneof {reader} for the reader and {writer} for the writer",
        ),
    },
)
