"""Rows made of words: where differences are many and alike, they need no function each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.diff.changes import shortened
from accord.rules.table import TABLE, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import StrEnum

    from accord.diff.changes import Change
    from accord.model import Format
    from accord.rules.table import NodeKind


@dataclass(frozen=True, slots=True)
class Words:
    """What a row says: ``sentence`` may use {name}, {reader} and {writer}.

    ``is_reported`` is false for names that some registry declares and no comparison gives.
    """

    summary: str
    explanation: str
    sentence: str
    is_reported: bool = True


def register_words(format_: Format | None, node: NodeKind, rows: Mapping[StrEnum, Words]) -> None:
    """Add rows for a kind of node to the table, each by the difference it is about."""
    for kind, words in rows.items():
        TABLE.add(
            Rule(
                id=kind.value,
                format=format_,
                node=node,
                since="0.1",
                summary=words.summary,
                explanation=words.explanation,
                change=kind,
                sentence=_worded(words.sentence),
                is_reported=words.is_reported,
            )
        )


def inside_not(change: Change) -> str:
    """Return the sentence about a turned difference; those of rules do not hold in `not`."""
    name, *sides = map(shortened, change.facts)
    if not any(sides):
        return f'inside "not", {name} differs between the reader and the writer'
    what = f"{name} " if change.at else ""
    reader, writer = (f"no {name}" if side in ("", "none") else f"{what}{side}" for side in sides)
    return f'inside "not", the reader has {reader}, the writer has {writer}'


def _worded(sentence: str) -> Callable[[Change], str]:
    def word(change: Change) -> str:
        name, *sides = map(shortened, change.facts)
        reader, writer = (side or "nothing" for side in sides)
        return sentence.format(name=name, reader=reader, writer=writer)

    return word
