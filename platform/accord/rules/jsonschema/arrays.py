"""Rules about arrays: the schema of all items, what follows a tuple, and uniqueness."""

from accord.diff.jsonschema_changes import DifferenceType
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

register(
    NodeKind.ARRAY,
    {
        DifferenceType.SCHEMA_ADDED: Words(
            "The reader has a schema for all items and the writer has none.",
            "Data may hold items of any kind. Leave `items` out, or give the array a schema for its items"
            " from the first version on.",
            "the reader has a schema for {name}, the writer has none",
        ),
        DifferenceType.SCHEMA_REMOVED: Words(
            "The writer has a schema for all items and the reader has none.",
            "All data is still read. Let readers take the new schema before writers write other items.",
            "the writer has a schema for {name}, the reader has none",
        ),
        DifferenceType.UNIQUE_ITEMS_ADDED: Words(
            "The reader wants items to be unique and the writer does not.",
            "Data may hold an item twice. Leave `uniqueItems` out, or remove repetitions in the program that"
            " reads.",
            "the reader wants unique items, the data may hold one twice",
        ),
        DifferenceType.UNIQUE_ITEMS_REMOVED: Words(
            "The writer wants items to be unique and the reader does not.",
            "All data is still read. Let readers take the new schema before writers write repetitions.",
            "the reader takes items that are not unique",
        ),
        DifferenceType.ADDITIONAL_ITEMS_ADDED: Words(
            "The reader permits further items after a tuple and the writer forbids them.",
            "All data is still read. Let readers take the new schema before writers write longer arrays.",
            "the reader permits further items",
        ),
        DifferenceType.ADDITIONAL_ITEMS_REMOVED: Words(
            "The reader forbids further items after a tuple and the writer permits them.",
            "Longer arrays are refused. Leave the tuple open.",
            "the reader forbids further items, which the data may hold",
        ),
        DifferenceType.ADDITIONAL_ITEMS_EXTENDED: Words(
            "The writer has a schema for what follows a tuple and the reader has none.",
            "All data is still read. Let readers take the new schema before writers write other items.",
            "the reader takes further items of any kind",
        ),
        DifferenceType.ADDITIONAL_ITEMS_NARROWED: Words(
            "The reader has a schema for what follows a tuple and the writer has none.",
            "Data may hold further items of any kind. Leave the schema out.",
            "the reader has a schema for further items, which the data may not hold to",
        ),
    },
)
