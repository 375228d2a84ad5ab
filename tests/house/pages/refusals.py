"""Three refused schemas, explained while the page is printed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from accord.formats import parse
from accord.model import Format, SchemaText
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.explanation import Texts, explain
from tests.house.pages.markdown import block, page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.positions import Position
    from accord.policy.explanation import ExplainedComparison, Explanation

INTRODUCTION = """What whoever is refused gets to read, in the API as in the command line. The schemas are
judged and the words are made when this page is printed. [Explained verdicts](verdicts.md) tells what the
parts mean."""


class Refusal(NamedTuple):
    """A story: what is stored as version 3, what is to become version 4, and under which policy."""

    title: str
    words: str
    format: Format
    old: Any
    new: Any
    policy: Policy


ORDER = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
NOTE = {"name": "note", "type": "string"}
STATES = {"type": "enum", "name": "State", "symbols": ["NEW", "PAID"]}
OBJECT = {"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": False}
REFUSALS = (
    Refusal(
        "A field without a default",
        "Avro, level `BACKWARD`: the new schema must read what is stored.",
        Format.AVRO,
        ORDER,
        {**ORDER, "fields": [*ORDER["fields"], NOTE]},
        Policy(CONFLUENT_LEVELS["BACKWARD"]),
    ),
    Refusal(
        "A symbol that old readers do not know",
        "Avro, level `FULL_TRANSITIVE`: old readers must also read what is written from now on.",
        Format.AVRO,
        {**ORDER, "fields": [{"name": "state", "type": STATES}]},
        {**ORDER, "fields": [{"name": "state", "type": {**STATES, "symbols": ["NEW", "PAID", "SENT"]}}]},
        Policy(CONFLUENT_LEVELS["FULL_TRANSITIVE"]),
    ),
    Refusal(
        "A property that becomes required",
        "JSON Schema, preset `accord:queue-safe:1`, level `FULL_TRANSITIVE`.",
        Format.JSON,
        OBJECT,
        {**OBJECT, "required": ["id"]},
        Policy(CONFLUENT_LEVELS["FULL_TRANSITIVE"], "accord:queue-safe:1"),
    ),
)


def refusals_page() -> str:
    """The page's text."""
    parts = [part for refusal in REFUSALS for part in _section(refusal)]
    return page("Three refusals", "`tests/house/pages/refusals.py`", INTRODUCTION, *parts)


def explained(refusal: Refusal) -> tuple[str, str, Explanation]:
    """The new text, the old one, and the verdict between them in words."""
    new, old = (json.dumps(one, indent=2) for one in (refusal.new, refusal.old))
    is_, was = (parse(SchemaText(refusal.format, text)) for text in (new, old))
    verdict = judge(is_, [HistoryEntry(3, was)], refusal.policy)
    return new, old, explain(verdict, Texts(refusal.format, new, {3: old}), name="version 4")


def _section(refusal: Refusal) -> Iterator[str]:
    new, old, explanation = explained(refusal)
    yield from (f"## {refusal.title}", refusal.words)
    yield from ("Version 3:", block("json", old), "Version 4, refused:", block("json", new))
    lines = [line for one in explanation.comparisons if one.is_blocked for line in _lines(one)]
    yield block("text", "\n".join([f"Refused. {explanation.summary}", *lines]))


def _lines(comparison: ExplainedComparison) -> Iterator[str]:
    for finding in comparison.findings:
        yield f"{finding.severity} {finding.rule} at {finding.path}"
        yield f"  new {_place(finding.new_at)}, old {_place(finding.old_at)}"
        yield f"  {finding.sentence}"
        yield f"  To do: {finding.advice}"
    yield comparison.upgrade


def _place(place: Position | None) -> str:
    return "unknown" if place is None else f"line {place.line}, column {place.column}"
