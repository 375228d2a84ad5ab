"""Rules about allOf, anyOf, oneOf and not, and about the combinations that mixed keywords imply.

Alternatives (anyOf, oneOf) may become more, constraints (allOf) may become fewer.
"""

from accord.diff.jsonschema_changes import DifferenceType
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

SIDES = "the reader has {reader}, the writer {writer}"

register(
    NodeKind.COMBINED,
    {
        DifferenceType.COMBINED_TYPE_EXTENDED: Words(
            "The reader combines its branches in a wider way than the writer.",
            "All data is still read: `anyOf` takes whatever `oneOf` and `allOf` take, and of a single branch"
            " all say the same.",
            SIDES,
        ),
        DifferenceType.COMBINED_TYPE_CHANGED: Words(
            "The reader combines its branches in another way than the writer.",
            "`oneOf` refuses what several branches take, and `allOf` what not every branch takes. Keep the"
            " keyword, or change it to `anyOf`. The branches are not compared.",
            SIDES,
        ),
        DifferenceType.PRODUCT_TYPE_EXTENDED: Words(
            "The reader's `allOf` has more constraints than the writer's.",
            "Data need not hold to the further ones. Leave them out, or check them in the program that"
            " reads.",
            f"{SIDES}; only in the reader: {{name}}",
        ),
        DifferenceType.PRODUCT_TYPE_NARROWED: Words(
            "The reader has fewer constraints than the writer's `allOf`.",
            "All data is still read. Let readers take the new schema before writers make use of it.",
            SIDES,
        ),
        DifferenceType.SUM_TYPE_EXTENDED: Words(
            "The reader has more alternatives than the writer.",
            "All data is still read. Let readers take the new schema before writers use the new"
            " alternatives. Of `oneOf`, branches that overlap are not noticed.",
            SIDES,
        ),
        DifferenceType.SUM_TYPE_NARROWED: Words(
            "The reader has fewer alternatives than the writer's `anyOf` or `oneOf`.",
            "Data of the missing alternatives is refused. Keep them, and stop writing them.",
            f"{SIDES}; missing in the reader: {{name}}",
        ),
        DifferenceType.COMBINED_TYPE_SUBSCHEMAS_CHANGED: Words(
            "Not every branch has a partner on the other side that reads it.",
            "Branches are matched one to one, whatever their order. Keep each branch readable for itself; the"
            " reasons given with the finding say what differs where a likely partner was found.",
            "the reader's {reader} does not read the writer's {writer}, and no other part is left for it",
        ),
        DifferenceType.NOT_TYPE_EXTENDED: Words(
            "The reader's `not` forbids more than the writer's.",
            "Data may hold what the reader now forbids. Keep the inner schema, or narrow it.",
            "the reader forbids what the data may hold",
        ),
        DifferenceType.NOT_TYPE_NARROWED: Words(
            "The reader's `not` forbids no more than the writer's.",
            "All data is still read. Reported for every `not` on both sides, even an unchanged one.",
            "the reader forbids no more than the writer",
        ),
    },
)
