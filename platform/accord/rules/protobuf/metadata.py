"""Rules about the fields that a schema's metadata reserves, which no comparison of files sees."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

register(
    NodeKind.SCHEMA,
    {
        Difference.METADATA_RESERVED_FIELD_REMOVED: Words(
            "A field that the metadata of the latest version reserves is not reserved any more.",
            "Confluent's registry checks it where validation of fields is switched on. Keep the name in"
            " `confluent:reserved`.",
            "field {name} was reserved by the metadata",
            is_reported=False,
        ),
        Difference.METADATA_RESERVED_FIELD_IN_USE: Words(
            "A message has a field of a name that the metadata reserves.",
            "Confluent's registry checks it where validation of fields is switched on. Use another name.",
            "field {name} is reserved by the metadata",
            is_reported=False,
        ),
    },
)
