"""Rules about unevaluated properties and items, in drafts 2019-09 and 2020-12."""

from __future__ import annotations

from accord.diff.jsonschema_changes import DifferenceType
from accord.rules.jsonschema.rows import Words, register
from accord.rules.table import NodeKind

PARTS = {
    "UNEVALUATED_PROPERTIES": (NodeKind.OBJECT, "properties", "unevaluatedProperties"),
    "UNEVALUATED_ITEMS": (NodeKind.ARRAY, "items", "unevaluatedItems"),
}


def _rows(parts: str, keyword: str) -> dict[str, Words]:
    return {
        "ADDED": Words(
            f"The reader permits unevaluated {parts} and the writer forbids them.",
            f"All data is still read. `{keyword}` speaks of the {parts} that no other keyword has looked at.",
            f"the reader permits unevaluated {parts}",
        ),
        "REMOVED": Words(
            f"The reader forbids unevaluated {parts} and the writer permits them.",
            f"Data may hold {parts} that the reader does not declare. Leave `{keyword}: false` out.",
            f"the reader forbids unevaluated {parts}, which the data may hold",
        ),
        "EXTENDED": Words(
            f"The writer has a schema for unevaluated {parts} and the reader takes any.",
            f"All data is still read. `{keyword}` speaks of the {parts} that no other keyword has looked at.",
            f"the reader takes any unevaluated {parts}",
        ),
        "NARROWED": Words(
            f"The reader has a schema for unevaluated {parts} and the writer allows any.",
            f"Data may hold unevaluated {parts} of any kind. Leave `{keyword}` out; even `true` counts where"
            " there was nothing.",
            f"the reader has a schema for unevaluated {parts}, which the data may not hold to",
        ),
    }


for _prefix, (_node, _parts, _keyword) in PARTS.items():
    _made = _rows(_parts, _keyword)
    register(_node, {DifferenceType(f"{_prefix}_{change}"): words for change, words in _made.items()})
