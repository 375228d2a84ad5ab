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
    "exclusiveMaximum": (NodeKind.NUMBER, "a number", "greater numbers"),
    "exclusiveMinimum": (NodeKind.NUMBER, "a number", "smaller numbers"),
    "maxProperties": (NodeKind.OBJECT, "the number of properties", "objects with more properties"),
    "minProperties": (NodeKind.OBJECT, "the number of properties", "objects with fewer properties"),
    "maxItems": (NodeKind.ARRAY, "the length of an array", "longer arrays"),
    "minItems": (NodeKind.ARRAY, "the length of an array", "shorter arrays"),
    "maxContains": (NodeKind.ARRAY, "how many items match `contains`", "arrays with more matches"),
    "minContains": (NodeKind.ARRAY, "how many items match `contains`", "arrays with fewer matches"),
}
APART = "Each bound is compared by itself: a bound moved from one keyword to another counts as two changes."
WIDER = "All data is still read. Let readers take the new schema before writers make use of it. {apart}"
NARROWER = (
    "Data may hold {beyond} than the reader takes. Keep the writer's bound, or check the narrower one in the"
    " program that reads. {apart}"
)
SIDES = "the reader's {name} is {reader}, the writer's {writer}"


# change and whether it is wider: summary, explanation
SENTENCES = {
    ("ADDED", False): (
        "The reader bounds {what} with `{keyword}`, the writer does not.",
        (
            "Data may hold {beyond}, which the reader refuses. Leave `{keyword}` out, or check it in the"
            " program that reads. {apart}"
        ),
    ),
    ("REMOVED", True): (
        "The writer bounds {what} with `{keyword}`, the reader does not.",
        (
            "All data is still read. Whoever reads with the bound may now meet {beyond}: let readers take the"
            " new schema before writers do."
        ),
    ),
    ("INCREASED", True): ("The reader's `{keyword}` for {what} is greater than the writer's.", WIDER),
    ("INCREASED", False): ("The reader's `{keyword}` for {what} is greater than the writer's.", NARROWER),
    ("DECREASED", True): ("The reader's `{keyword}` for {what} is smaller than the writer's.", WIDER),
    ("DECREASED", False): ("The reader's `{keyword}` for {what} is smaller than the writer's.", NARROWER),
}


def _words(keyword: str, change: str) -> Words:
    """Fill in the sentences; more of a maximum is wider, and less of a minimum."""
    _, what, beyond = KEYWORDS[keyword]
    is_upper = "max" in keyword.lower()
    is_wider = change in ("REMOVED", "INCREASED" if is_upper else "DECREASED")
    summary, explanation = (
        sentence.format(keyword=keyword, what=what, beyond=beyond, apart=APART)
        for sentence in SENTENCES[change, is_wider]
    )
    return Words(summary, explanation, SIDES)


for (_keyword, _change), _type in BOUNDS.items():
    register(KEYWORDS[_keyword][0], {_type: _words(_keyword, _change)})
