"""Rules about the fields that a schema's metadata reserves, which no comparison of files sees."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

NOT_COMPARED = (
    "Accord does not compare the metadata of Protobuf schemas: so far no check reports this rule, whatever a"
    " preset makes of it."
)

register(
    NodeKind.SCHEMA,
    {
        Difference.METADATA_RESERVED_FIELD_REMOVED: Words(
            "A field that the metadata of the latest version reserves is not reserved any more.",
            "Confluent's registry checks it where validation of fields is switched on. Keep the name in"
            f" `confluent:reserved`. {NOT_COMPARED}",
            "field {name} was reserved by the metadata",
            is_reported=False,
        ),
        Difference.METADATA_RESERVED_FIELD_IN_USE: Words(
            "A message has a field of a name that the metadata reserves.",
            "Confluent's registry checks it where validation of fields is switched on. Use another name."
            f" {NOT_COMPARED}",
            "field {name} is reserved by the metadata",
            is_reported=False,
        ),
    },
)
