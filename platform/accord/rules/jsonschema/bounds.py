"""Rules about bounds: twelve keywords, each added, removed, increased or decreased.

The rows are made of one table, since a lower bound is an upper one upside down.
"""

from __future__ import annotations

from accord.diff.jsonschema_parts import BOUNDS
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

# keyword: node, what is bounded, what is beyond the bound
KEYWORDS = {
    "maxLength": (NodeKind.STRING, "the length of a string", "longer strings"),
    "minLength": (NodeKind.STRING, "the length of a string", "shorter strings"),
    "maximum": (NodeKind.NUMBER, "a number", "greater numbers"),
    "minimum": (NodeKind.NUMBER, "a number", "smaller numbers"),
    "exclusiveMaximum": (NodeKind.NUMBER, "a number", "numbers of that size and above"),
    "exclusiveMinimum": (NodeKind.NUMBER, "a number", "numbers of that size and below"),
    "maxProperties": (NodeKind.OBJECT, "the number of properties", "objects with more properties"),
    "minProperties": (NodeKind.OBJECT, "the number of properties", "objects with fewer properties"),
    "maxItems": (NodeKind.ARRAY, "the length of an array", "longer arrays"),
    "minItems": (NodeKind.ARRAY, "the length of an array", "shorter arrays"),
    "maxContains": (NodeKind.ARRAY, "how many items match `contains`", "arrays with more matches"),
    "minContains": (NodeKind.ARRAY, "how many items match `contains`", "arrays with fewer matches"),
}
APART = "Each bound is compared by itself: a bound moved from one keyword to another counts as two changes."
SIDES = "the reader's {name} is {reader}, the writer's {writer}"


def _words(keyword: str, change: str) -> Words:
    _, what, beyond = KEYWORDS[keyword]
    if change == "ADDED":
        return Words(
            f"The reader bounds {what} with `{keyword}`, the writer does not.",
            f"Data may hold {beyond}, which the reader refuses. Leave `{keyword}` out, or check it in the"
            f" program that reads. {APART}",
            SIDES,
        )
    if change == "REMOVED":
        return Words(
            f"The writer bounds {what} with `{keyword}`, the reader does not.",
            f"All data is still read. Whoever reads with the bound may now meet {beyond}: let readers take"
            " the new schema before writers do.",
            SIDES,
        )
    is_wider = (change == "INCREASED") is keyword.lower().removeprefix("exclusive").startswith("max")
    word = "greater" if change == "INCREASED" else "smaller"
    summary = f"The reader's `{keyword}` for {what} is {word} than the writer's."
    if is_wider:
        advice = "All data is still read. Let readers take the new schema before writers make use of it."
    else:
        advice = (
            f"Data may hold {beyond} than the reader takes. Keep the writer's bound, or check the narrower"
            " one in the program that reads."
        )
    return Words(summary, f"{advice} {APART}", SIDES)


for (_keyword, _change), _type in BOUNDS.items():
    register(KEYWORDS[_keyword][0], {_type: _words(_keyword, _change)})
