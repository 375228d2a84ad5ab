"""What nodes of a JSON Schema are called in sentences: by what people wrote, not by what a loader made of it.

Everything here is short whatever the schemas hold: long lists and long names are cut.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from accord.diff.jsonschema_partners import partners
from accord.formats.jsonschema.model import Combined, Criterion, Kind, Not, Numeric, Values, seen_through

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.formats.jsonschema.model import Node, Schema

MOST_LISTED = 4
MOST_DEPTH = 2
LONGEST = 30
PLAIN = {
    Kind.EMPTY: "anything",
    Kind.TRUE: "anything",
    Kind.FALSE: "nothing",
    Kind.CONDITIONAL: "if",
}


def spoken(node: Node) -> str:
    """Name a schema, such as ``string or null``, ``string with enum "a"`` or ``oneOf of 2 branches``."""
    return _spoken(node, MOST_DEPTH)


def added_keywords(node: Schema, other: Schema) -> str:
    """Name the keywords that one schema has beside the type of another one; nothing where that is not all."""
    if not isinstance(node, Combined):
        return ""
    base, keywords = _parted(node, MOST_DEPTH)
    return keywords if base == spoken(other) else ""


def branch(node: Combined, position: int) -> str:
    """Name a branch by its number and kind; one that a keyword implies, by what it says."""
    inner = seen_through(node.branches[position])
    words = spoken(inner)
    if node.is_implied:
        return words
    if inner.notes.title:
        words = f'{words} "{_cut(inner.notes.title)}"'
    # Where branches are repeated, the ones that count have lost their numbers.
    name = f"branch {position + 1}" if node.count == len(node.branches) else f"a branch of {node.criterion}"
    return f"{name} ({words})"


def counted(node: Combined) -> str:
    """Say how many branches were written; what keywords imply is named."""
    if node.is_implied:
        return spoken(node)
    count = len(node.branches)
    return f"{count} branch" if count == 1 else f"{count} branches"


def beyond(more: Combined, fewer: Combined) -> str:
    """Name the branches that one has and the other has not: no branch there is likely what they became."""
    shared = frozenset(more.keys) & frozenset(fewer.keys)
    if more.is_implied or fewer.is_implied:
        shared = frozenset()  # their keys are no more than places
    left = [place for place, key in enumerate(more.keys) if key not in shared]
    others = [node for key, node in zip(fewer.keys, fewer.branches, strict=True) if key not in shared]
    couples = partners([more.branches[place] for place in left], others)
    known = frozenset(couples.values())
    kinds = Counter(spoken(node) for place, node in enumerate(others) if place not in couples)
    found: list[int] = []
    for place in (one for number, one in enumerate(left) if number not in known):
        words = spoken(more.branches[place])
        if kinds[words]:
            kinds[words] -= 1
        else:
            found.append(place)
    return _listed([branch(more, place) for place in found], ", ")


def _spoken(node: Node, depth: int) -> str:
    match seen_through(node):
        case Combined() as made if made.is_implied and made.criterion is Criterion.ALL_OF:
            return " with ".join(filter(None, _parted(made, depth)))
        case Combined() as made:
            return _alternatives(made, depth)
        case Values() as made:
            return _values(made)
        case Numeric() as made if made.is_integer:
            return "integer"
        case made:
            return PLAIN.get(made.kind, str(made.kind))


def _parted(node: Combined, depth: int) -> tuple[str, str]:
    """Return the types that an implied combination holds, and what is beside them."""
    if not node.is_implied or node.criterion is not Criterion.ALL_OF:
        return "", ""
    if node.without_format is not None:
        named = _cut(node.notes.format or "")
        return _spoken(node.without_format, depth), f"format {named}".rstrip()
    beside = [one for one in node.branches if _is_keyword(seen_through(one))]
    types = [one for one in node.branches if not _is_keyword(seen_through(one))]
    return _all(types, " and ", depth), _all(beside, " and ", depth)


def _is_keyword(node: Schema) -> bool:
    match node:
        case Combined():
            return not node.is_implied
        case Values() | Not():
            return True
        case _:
            return node.kind is Kind.CONDITIONAL


def _alternatives(node: Combined, depth: int) -> str:
    if node.is_implied:
        return _all(node.branches, " or ", depth)
    words = f"{node.criterion} of {counted(node)}"
    return f"{words} ({_all(node.branches, ', ', depth)})" if depth == MOST_DEPTH else words


def _values(node: Values) -> str:
    if len(node.keys) <= MOST_LISTED and all(len(key) <= LONGEST for key in node.keys):
        return f"{node.kind} {', '.join(sorted(node.keys))}"
    return str(node.kind) if len(node.keys) == 1 else f"{node.kind} of {len(node.keys)} values"


def _all(nodes: Sequence[Node], joint: str, depth: int) -> str:
    if not depth:
        return f"{len(nodes)} kinds"
    shown = [_spoken(node, depth - 1) for node in islice(nodes, MOST_LISTED)]
    return _listed(shown, joint, len(nodes))


def _listed(words: Sequence[str], joint: str, count: int = 0) -> str:
    shown = list(words[:MOST_LISTED])
    left = max(count, len(words)) - len(shown)
    return joint.join([*shown, f"{left} more"] if left else shown)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
