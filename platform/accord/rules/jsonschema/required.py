"""Rules about required properties that both sides declare."""

from accord.diff.jsonschema_changes import DifferenceType
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

register(
    NodeKind.PROPERTY,
    {
        DifferenceType.REQUIRED_ATTRIBUTE_ADDED: Words(
            "The reader requires a property that the writer may have left out.",
            "Data without the property is refused. Leave it optional. Names in `required` that one of the"
            " sides does not declare under `properties` are not examined.",
            "the reader requires {name}, which the data may lack",
        ),
        DifferenceType.REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED: Words(
            "The reader requires a property with a default that the writer may have left out.",
            "It counts as readable because of the default, as with Confluent; but validators do not fill in"
            " defaults, and refuse data without the property. Make sure your readers fill it in first, or"
            " leave the property optional. A default beside a `$ref` does not count up to draft 7.",
            "the reader requires {name}, which the data may lack, and has a default for it",
        ),
        DifferenceType.REQUIRED_ATTRIBUTE_REMOVED: Words(
            "The writer requires a property that is optional for the reader.",
            "All data is still read. Whoever requires the property refuses data that leaves it out: let"
            " readers take the new schema before writers do.",
            "the data always has {name}, which the reader does not require",
        ),
    },
)
