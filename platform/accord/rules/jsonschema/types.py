"""Rules about types, values, patterns and multiples."""

from accord.diff.jsonschema_changes import DifferenceType
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

register(
    NodeKind.TYPE,
    {
        DifferenceType.TYPE_EXTENDED: Words(
            "The reader takes any number where the writer wrote integers.",
            "All data is still read. Let readers take the new schema before writers write fractions.",
            "the reader expects {reader}, the data was written as {writer}",
        ),
        DifferenceType.TYPE_NARROWED: Words(
            "The reader takes integers only where the writer wrote any number.",
            "Data may hold fractions, which the reader refuses. Keep `number`, or add a property for the"
            " whole number.",
            "the reader expects {reader}, the data was written as {writer}",
        ),
        DifferenceType.TYPE_CHANGED: Words(
            "The reader's schema is of another kind than the writer's.",
            "Only schemas of one kind are compared further. Keep the type, or list the old one beside the new"
            ' one, such as `["integer", "string"]`. Keywords of several kinds in one schema, and `enum`,'
            " `const`, `not` or `if` beside a type, make a combination, which is a kind of its own: so do"
            " `format` beside a type that is no string, up to draft 7.",
            "the reader expects {reader}, the data was written as {writer}",
        ),
        DifferenceType.ENUM_ARRAY_EXTENDED: Words(
            "The reader's `enum` has all the writer's values and more.",
            "All data is still read. Let readers take the new schema before writers use the new values.",
            "the reader allows {reader}, the writer does not",
        ),
        DifferenceType.ENUM_ARRAY_NARROWED: Words(
            "The reader's `enum` lacks values that the writer may have written.",
            "Data may hold the missing values. Keep them in the list, and stop writing them.",
            "the writer allows {writer}, the reader does not",
        ),
        DifferenceType.ENUM_ARRAY_CHANGED: Words(
            "The reader's `enum` or `const` allows other values than the writer's.",
            "Data may hold values that the reader refuses. Keep the old values beside the new ones; turn a"
            " `const` into an `enum` only together with a new property, since the two are different kinds.",
            "only the reader allows {reader}, only the writer {writer}",
        ),
    },
)

register(
    NodeKind.STRING,
    {
        DifferenceType.PATTERN_ADDED: Words(
            "The reader has a `pattern` for strings and the writer has none.",
            "Data may hold strings that do not match. Leave the pattern out, or check it in the program that"
            " reads.",
            "the reader's pattern is {reader}, the writer's {writer}",
        ),
        DifferenceType.PATTERN_REMOVED: Words(
            "The writer has a `pattern` for strings and the reader has none.",
            "All data is still read. Let readers take the new schema before writers write other strings.",
            "the reader's pattern is {reader}, the writer's {writer}",
        ),
        DifferenceType.PATTERN_CHANGED: Words(
            "The reader's `pattern` is another one than the writer's.",
            "Patterns are compared as texts, so even one that allows more counts as changed. Keep the"
            " text, or list the old and the new pattern as branches of an `anyOf`.",
            "the reader's pattern is {reader}, the writer's {writer}",
        ),
    },
)

register(
    NodeKind.NUMBER,
    {
        DifferenceType.MULTIPLE_OF_ADDED: Words(
            "The reader has `multipleOf` and the writer has none.",
            "Data may hold numbers that are no such multiples. Leave it out, or check it in the program that"
            " reads.",
            "the reader takes multiples of {reader}, the data of {writer}",
        ),
        DifferenceType.MULTIPLE_OF_REMOVED: Words(
            "The writer has `multipleOf` and the reader has none.",
            "All data is still read. Let readers take the new schema before writers write other numbers.",
            "the reader takes multiples of {reader}, the data of {writer}",
        ),
        DifferenceType.MULTIPLE_OF_EXPANDED: Words(
            "The reader's `multipleOf` is a multiple of the writer's.",
            "Data may hold multiples of the smaller number that are none of the greater. Keep the smaller"
            " one.",
            "the reader takes multiples of {reader}, the data of {writer}",
        ),
        DifferenceType.MULTIPLE_OF_REDUCED: Words(
            "The writer's `multipleOf` is a multiple of the reader's.",
            "All data is still read. Let readers take the new schema before writers write the numbers"
            " between.",
            "the reader takes multiples of {reader}, the data of {writer}",
        ),
        DifferenceType.MULTIPLE_OF_CHANGED: Words(
            "Neither `multipleOf` is a multiple of the other.",
            "Data may hold numbers that the reader refuses. Keep the writer's number, or one that divides"
            " it.",
            "the reader takes multiples of {reader}, the data of {writer}",
        ),
    },
)
