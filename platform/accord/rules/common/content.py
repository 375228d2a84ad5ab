"""Rules about what a policy asks of a schema by itself; no comparison gives them.

`accord.policy.requirements` finds them, and `accord.policy.reserved` what is done to reserved names. How much
the first three weigh is set where a policy asks for them, as ``naming.severity`` and ``required.severity``;
the others always block.
"""

from enum import StrEnum

from accord.rules.table import NodeKind
from accord.rules.words import Words, register_words


class ContentRule(StrEnum):
    """The rules about content."""

    NAME_PATTERN = "NAME_PATTERN"
    DOC_MISSING = "DOC_MISSING"
    OWNER_MISSING = "OWNER_MISSING"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    RESERVED_NAME_REMOVED = "RESERVED_NAME_REMOVED"
    RESERVED_NAME_USED = "RESERVED_NAME_USED"


# What a policy calls the severity of a rule.
SEVERITIES = {
    ContentRule.NAME_PATTERN: "naming.severity",
    ContentRule.DOC_MISSING: "required.severity",
    ContentRule.OWNER_MISSING: "required.severity",
}

register_words(
    None,
    NodeKind.SCHEMA,
    {
        ContentRule.NAME_PATTERN: Words(
            "A name is not what the policy asks names to be.",
            "A policy may give patterns for subjects, types, namespaces, fields and symbols, under `naming`."
            " Rename what does not match; a field that readers know already keeps its name, and the policy"
            " is the thing to change. `naming.severity` says how much this weighs.",
            "the name {name} does not match",
        ),
        ContentRule.DOC_MISSING: Words(
            "A type or a field lacks the documentation that the policy asks for.",
            "A policy names the kinds of elements that must be documented, under `required.docs`. Say in a"
            " sentence what the element holds: `doc` in Avro, `description` in JSON Schema, a comment in"
            " Protobuf. `required.severity` says how much this weighs.",
            "{name} has no doc",
        ),
        ContentRule.OWNER_MISSING: Words(
            "The metadata of the schema lacks a property that the policy asks for, such as its owner.",
            "A policy names the properties under `required.owners`. Send them with the schema, as"
            ' `"metadata": {"properties": {"owner": "..."}}`. `required.severity` says how much this weighs.',
            "the metadata property {name} is missing or blank",
        ),
        ContentRule.LIMIT_EXCEEDED: Words(
            "The schema is larger than the policy allows: in bytes, in depth or in fields.",
            "A policy may ask for less than the installation takes, under `limits`. Split the schema, and"
            " let its parts refer to each other. This always blocks, and no waiver helps.",
            "the schema is too large: {name}",
        ),
        ContentRule.RESERVED_NAME_REMOVED: Words(
            "A name that the version before reserves is reserved no longer.",
            "The metadata property `confluent:reserved` lists names that no field may have any more. Where"
            " Confluent's config says `validateFields`, later versions keep what it lists: put the name"
            " back. This always blocks, whatever the level.",
            "the name {name} is reserved no longer",
        ),
        ContentRule.RESERVED_NAME_USED: Words(
            "A field has a name that the metadata of the schema reserves.",
            "The metadata property `confluent:reserved` lists names that no field on the top level may have,"
            " where Confluent's config says `validateFields`. Give the field another name. This always"
            " blocks, whatever the level.",
            "the name {name} is reserved",
        ),
    },
)
