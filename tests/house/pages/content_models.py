"""The page of content models: its tables are judged while it is printed."""

from __future__ import annotations

import json

from accord.policy.six_changes import MODELS
from accord.policy.six_changes import table as judged
from tests.house.pages.markdown import code, page, table

INTRODUCTION = """What an object of JSON Schema says about properties that it does not declare decides which
changes to its properties are safe. Each cell says whether a change is allowed at `BACKWARD`, `FORWARD` and
`FULL`. Nothing here is typed in: Accord judges every pair of schemas when this page is printed.
[JSON Schema: what is compared](json-schema.md) explains the words."""
SHOWN = """Which objects of a schema are open, closed or partly open say `accord json models FILE`, the
[native API](../reference/native-api.md#list-content-models) and the page of a version. The
schemas that it refers to are included; what stands inside `not`, `if` and `contains` describes no data."""
MODEL_WORDS = """The property that changes is called `s_note` and holds a string. The objects differ in what
they say about undeclared ones."""
SECTIONS = (
    (
        "confluent:8.1",
        "As Confluent's registry judges",
        "An optional property comes and goes at `FULL` only where a schema for the rest covers its name.",
    ),
    (
        "confluent:8.1:lenient",
        "The same, lenient",
        "Properties of open objects come and go; what old data held under their names is not asked.",
    ),
    (
        "optional-friendly:1",
        "Optional-friendly",
        "Writers are closed, readers open: in closed objects optional properties come and go at every level.",
    ),
    (
        "accord:queue-safe:1",
        "Queue-safe",
        "Only closed objects are taken, and only optional properties come and go, whichever side reads.",
    ),
)
DEFAULTS = """Preset `optional-friendly:1`, and the property has a default. A required property with a default
counts as readable, as it does with Confluent."""


def content_models_page() -> str:
    """The page's text."""
    models = [(name, code(json.dumps(members))) for name, members in MODELS.items()]
    parts = [
        INTRODUCTION,
        SHOWN,
        "## The content models",
        MODEL_WORDS,
        table(("model", "members of the object"), models),
    ]
    for preset, title, words in SECTIONS:
        parts += [f"## {title}", f"Preset `{preset}`. {words}", _table(preset)]
    parts += ["## With a default", DEFAULTS, _table("optional-friendly:1", has_default=True)]
    return page("Content models and the six changes", "`platform/accord/policy/six_changes.py`", *parts)


def _table(preset: str, *, has_default: bool = False) -> str:
    found = judged(preset, has_default=has_default)
    return table(
        ("change", *MODELS),
        [(change, *(str(cell) for cell in cells.values())) for change, cells in found.items()],
    )
