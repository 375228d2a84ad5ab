"""Rules about properties that one side alone declares.

What becomes of them depends on the content model of the other side: open (undeclared names may hold
anything), closed (they are forbidden), or partly open (a schema or a pattern covers them).
"""

from accord.diff.jsonschema_changes import DifferenceType
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

MODELS = (
    "`additionalProperties: false` makes an object closed; a schema there, or any `patternProperties`, makes"
    " it partly open, an empty schema as well; everything else is open."
)
CLASH = "Data may already hold anything under a name that the writer does not declare."

register(
    NodeKind.PROPERTY,
    {
        DifferenceType.PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL: Words(
            "The reader declares a property that an open writer does not.",
            "The old name of three findings that say whether the property is required, and whether it has a"
            " default; never reported any more. See OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL.",
            "the reader declares {name}, the open writer does not",
            is_reported=False,
        ),
        DifferenceType.REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL: Words(
            "The reader requires a property that an open writer does not declare.",
            f"{CLASH} Most of it will lack the property altogether. Make it optional, and close the model"
            f" of the producers' schema first. {MODELS}",
            "the reader requires {name}, which the open writer does not declare",
        ),
        DifferenceType.REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL: Words(
            "The reader requires a property with a default that an open writer does not declare.",
            f"{CLASH} Close the model of the producers' schema before you add properties; the lenient policy"
            f" lets it pass. {MODELS}",
            "the reader requires {name} with a default, which the open writer does not declare",
        ),
        DifferenceType.OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL: Words(
            "The reader declares an optional property that an open writer does not.",
            f"{CLASH} If that is of another type, the reader refuses it. Close the model of the producers'"
            " schema before you add properties, use the policy Optional-friendly, or give the property no"
            f" type. {MODELS}",
            "the reader declares {name}, which the open writer may have written as anything",
        ),
        DifferenceType.PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL: Words(
            "The reader declares a property that may hold anything, as it could before.",
            "All values are still read. If the reader requires the property, data without it is refused"
            f" all the same, which is not looked at here. {MODELS}",
            "the reader declares {name} as anything, which the open writer allowed already",
        ),
        DifferenceType.REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL: Words(
            "The reader requires a property that a writer without an open model does not declare.",
            f"Data lacks the property, and the reader refuses it. Make the property optional. {MODELS}",
            "the reader requires {name}, which the data lacks",
        ),
        DifferenceType.REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN_CONTENT_MODEL: Words(
            "The reader requires a property with a default that the writer does not declare.",
            "It counts as readable because of the default, as with Confluent; but validators do not fill in"
            " defaults, and refuse data without the property. Make sure your readers fill it in first, or"
            " leave the property optional.",
            "the reader requires {name} with a default, which the data lacks",
        ),
        DifferenceType.OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL: Words(
            "The reader declares an optional property that a writer without an open model does not.",
            "All data is still read. Whoever reads new data with the older, closed schema refuses the"
            " property: let readers take the new schema first, or use the policy Optional-friendly.",
            "the reader declares {name} as optional, which the data lacks",
        ),
        DifferenceType.PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL: Words(
            "An open reader does not declare a property of the writer.",
            "The reader takes it as it takes any undeclared property. Do not use the name for something else"
            " later: data still holds it.",
            "the open reader does not declare {name}",
        ),
        DifferenceType.PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL: Words(
            "A closed reader does not declare a property that the writer forbade.",
            "The property was never written, so nothing is refused. Leaving it out says the same.",
            "the closed reader does not declare {name}, which the writer forbade",
        ),
        DifferenceType.PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL: Words(
            "A closed reader does not declare a property that the writer may have written.",
            "Data with the property is refused. Keep declaring it, let consumers read with an open model,"
            f" or use the policy Optional-friendly. {MODELS}",
            "the closed reader does not declare {name}, which the data may hold",
        ),
        DifferenceType.PROPERTY_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL: Words(
            "The reader does not declare a property, and what it says of undeclared ones reads it.",
            f"All data is still read. {MODELS}",
            "the reader's schema for undeclared properties reads {name}",
        ),
        DifferenceType.PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL: Words(
            "The reader does not declare a property, and what it says of undeclared ones does not read it.",
            "Data with the property is refused; the findings beside this one say what differs. Keep declaring"
            f" the property, or widen the schema for undeclared ones. {MODELS}",
            "the reader's schema for undeclared properties does not read {name}",
        ),
        DifferenceType.PROPERTY_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL: Words(
            "The reader declares a property that reads what the writer allowed under its name.",
            f"All data is still read. {MODELS}",
            "{name} reads what the writer's schema for undeclared properties allowed",
        ),
        DifferenceType.PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL: Words(
            "The reader declares a property that does not read what the writer allowed under its name.",
            "Data may hold other values there; the findings beside this one say what differs. Give the"
            f" property the type that the writer had for undeclared ones, or use another name. {MODELS}",
            "{name} does not read what the writer's schema for undeclared properties allowed",
        ),
    },
)
