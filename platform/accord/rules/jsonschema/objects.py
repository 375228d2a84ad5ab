"""Rules about undeclared properties, dependencies, and patterns of names."""

from accord.diff.jsonschema_changes import DifferenceType
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

LENIENT = "The lenient policy lets it pass."
NEEDS = "the reader wants {reader} beside {name}, the writer {writer}"

register(
    NodeKind.OBJECT,
    {
        DifferenceType.ADDITIONAL_PROPERTIES_ADDED: Words(
            "The reader permits undeclared properties and the writer forbids them.",
            "All data is still read. A reader that is open can stay as it is when writers add properties.",
            "the reader permits undeclared properties",
        ),
        DifferenceType.ADDITIONAL_PROPERTIES_REMOVED: Words(
            "The reader forbids undeclared properties and the writer permits them.",
            "Data may hold properties that the reader does not declare. Leave the model open, or start a new"
            f" subject with a closed one. {LENIENT}",
            "the reader forbids undeclared properties, which the data may hold",
        ),
        DifferenceType.ADDITIONAL_PROPERTIES_EXTENDED: Words(
            "The writer has a schema for undeclared properties and the reader has none.",
            "All data is still read. An empty schema counts as one, though it says no more than `true`.",
            "the reader takes undeclared properties of any kind",
        ),
        DifferenceType.ADDITIONAL_PROPERTIES_NARROWED: Words(
            "The reader has a schema for undeclared properties and the writer has none.",
            "Data may hold undeclared properties of any kind. Leave the schema out; even an empty one counts,"
            f" so write `true` instead. {LENIENT}",
            "the reader has a schema for undeclared properties, which the data may not hold to",
        ),
        DifferenceType.DEPENDENCY_ARRAY_ADDED: Words(
            "The reader requires further properties beside one, and the writer does not.",
            "Data may hold the one without the others. Leave the dependency out, or check it in the program"
            " that reads.",
            NEEDS,
        ),
        DifferenceType.DEPENDENCY_ARRAY_REMOVED: Words(
            "The writer requires further properties beside one, and the reader does not.",
            "All data is still read. Let readers take the new schema before writers do.",
            NEEDS,
        ),
        DifferenceType.DEPENDENCY_ARRAY_EXTENDED: Words(
            "The reader requires more properties beside one than the writer.",
            "Data may lack the further ones. Keep the writer's list.",
            NEEDS,
        ),
        DifferenceType.DEPENDENCY_ARRAY_NARROWED: Words(
            "The reader requires fewer properties beside one than the writer.",
            "All data is still read. Let readers take the new schema before writers do.",
            NEEDS,
        ),
        DifferenceType.DEPENDENCY_ARRAY_CHANGED: Words(
            "The reader requires other properties beside one than the writer.",
            "Data may lack some of them. Keep the writer's list, or a part of it.",
            NEEDS,
        ),
        DifferenceType.DEPENDENCY_SCHEMA_ADDED: Words(
            "The reader has a schema for objects with a certain property, and the writer does not.",
            "Data with the property may not hold to it. Leave it out, or check it in the program that reads.",
            "the reader has a schema for objects with {name}",
        ),
        DifferenceType.DEPENDENCY_SCHEMA_REMOVED: Words(
            "The writer has a schema for objects with a certain property, and the reader does not.",
            "All data is still read. Let readers take the new schema before writers do.",
            "the writer has a schema for objects with {name}",
        ),
        DifferenceType.RESERVED_PROPERTY_REMOVED: Words(
            "A reserved property is gone from the metadata.",
            "Upstream's list has this name. What it stands for is found in the metadata, not by comparing two"
            " schemas, and is reported as RESERVED_NAME_REMOVED, for Avro too.",
            "the reserved property {name} is gone",
            is_reported=False,
        ),
        DifferenceType.RESERVED_PROPERTY_CONFLICTS_WITH_PROPERTY: Words(
            "A property has a name that the metadata reserves.",
            "Upstream's list has this name. What it stands for is found in the metadata, not by comparing two"
            " schemas, and is reported as RESERVED_NAME_USED, for Avro too.",
            "the property {name} is reserved",
            is_reported=False,
        ),
        DifferenceType.PATTERN_UNREADABLE: Words(
            "A pattern for property names cannot be run in safety, so nobody knows which names it covers.",
            "Patterns are run by RE2, whose time grows with the text and no faster. It has no look-around"
            " and no back-references. Write the pattern without them. Only patterns that decide about a"
            " property which one of the sides does not declare are run at all.",
            "the pattern {name} cannot be run",
        ),
    },
)
