"""Rules about fields that the metadata of a schema reserve; `accord.policy.reserved` finds their breaks."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

ALWAYS = (
    "It is asked where Confluent's config says `validateFields`. This always blocks, whatever the level and"
    " the preset. Avro and JSON Schema have the same rule by the name of"
)

register(
    NodeKind.SCHEMA,
    {
        Difference.METADATA_RESERVED_FIELD_REMOVED: Words(
            "A field that the metadata of the latest version reserves is not reserved any more.",
            f"Keep the name in `confluent:reserved`. {ALWAYS} RESERVED_NAME_REMOVED.",
            "field {name} was reserved by the metadata",
        ),
        Difference.METADATA_RESERVED_FIELD_IN_USE: Words(
            "A message has a field of a name that the metadata reserves.",
            "The metadata property `confluent:reserved` lists names that no field of a message on the top"
            f" level may have. Use another name. {ALWAYS} RESERVED_NAME_USED.",
            "field {name} is reserved by the metadata",
        ),
    },
)
