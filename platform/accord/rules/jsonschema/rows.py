"""Rows made of words: the differences of JSON Schema are many and alike, and need no function each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from accord.diff.jsonschema_changes import Difference, DifferenceType, shortened
from accord.model import Format
from accord.rules.table import TABLE, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from accord.diff.changes import Change
    from accord.rules.table import NodeKind


@dataclass(frozen=True, slots=True)
class Words:
    """What a row says: ``sentence`` may use {name}, {reader} and {writer}.

    ``is_reported`` is false for names that Confluent declares and never reports.
    """

    summary: str
    explanation: str
    sentence: str
    is_reported: bool = True


def register(node: NodeKind, rows: Mapping[DifferenceType, Words]) -> None:
    """Add rows for a kind of node to the table."""
    for type_, words in rows.items():
        TABLE.add(
            Rule(
                id=type_.value,
                format=Format.JSON,
                node=node,
                since="0.1",
                summary=words.summary,
                explanation=words.explanation,
                change=type_,
                sentence=_worded(words.sentence),
                is_reported=words.is_reported,
            )
        )


def _worded(sentence: str) -> Callable[[Change], str]:
    def word(change: Change) -> str:
        difference = cast("Difference", change)
        return sentence.format(
            name=shortened(difference.name),
            reader=shortened(difference.reader),
            writer=shortened(difference.writer),
        )

    return word
