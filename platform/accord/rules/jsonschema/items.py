"""Rules about positions of a tuple that one side alone declares."""

from accord.diff.jsonschema_changes import DifferenceType
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

TAILS = (
    "What follows the declared positions is open unless `additionalItems` (from 2020-12 on `items` beside"
    " `prefixItems`) or `unevaluatedItems` says otherwise."
)

register(
    NodeKind.ITEM,
    {
        DifferenceType.ITEM_ADDED_TO_OPEN_CONTENT_MODEL: Words(
            "The reader declares a position that an open writer does not.",
            f"Data may already hold anything there. Close the tuple before you add positions. {TAILS}",
            "the reader declares position {name}, which the open writer may have written as anything",
        ),
        DifferenceType.ITEM_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL: Words(
            "The reader declares a position that may hold anything, as it could before.",
            f"All data is still read. {TAILS}",
            "the reader declares position {name} as anything",
        ),
        DifferenceType.ITEM_ADDED_TO_CLOSED_CONTENT_MODEL: Words(
            "The reader declares a position that a closed writer does not.",
            "All data is still read, as it ends before that position. Whoever reads with the older schema"
            f" refuses longer arrays: let readers take the new schema first. {TAILS}",
            "the reader declares position {name}, which the data lacks",
        ),
        DifferenceType.ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL: Words(
            "An open reader does not declare a position of the writer.",
            f"The reader takes it as it takes anything that follows. {TAILS}",
            "the open reader does not declare position {name}",
        ),
        DifferenceType.ITEM_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL: Words(
            "A closed reader does not declare a position that the writer forbade.",
            f"Nothing was ever written there, so nothing is refused. {TAILS}",
            "the closed reader does not declare position {name}, which the writer forbade",
        ),
        DifferenceType.ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL: Words(
            "A closed reader does not declare a position that the writer may have written.",
            f"Longer arrays are refused. Keep declaring the position, or open the tuple. {TAILS}",
            "the closed reader does not declare position {name}, which the data may hold",
        ),
        DifferenceType.ITEM_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL: Words(
            "The reader does not declare a position, and what it says of further items reads it.",
            f"All data is still read. {TAILS}",
            "the reader's schema for further items reads position {name}",
        ),
        DifferenceType.ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL: Words(
            "The reader does not declare a position, and what it says of further items does not read it.",
            "Data with the position is refused; the findings beside this one say what differs. Keep declaring"
            f" it, or widen the schema for further items. {TAILS}",
            "the reader's schema for further items does not read position {name}",
        ),
        DifferenceType.ITEM_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL: Words(
            "The reader declares a position that reads what the writer allowed there.",
            f"All data is still read. {TAILS}",
            "position {name} reads what the writer's schema for further items allowed",
        ),
        DifferenceType.ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL: Words(
            "The reader declares a position that does not read what the writer allowed there.",
            "Data may hold other values there; the findings beside this one say what differs. Give the"
            f" position the type that the writer had for further items. {TAILS}",
            "position {name} does not read what the writer's schema for further items allowed",
        ),
    },
)
