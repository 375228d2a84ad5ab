"""The table of compatibility rules: what each kind of change is called and what it means.

A row is made of one function. Its name in capitals is the rule's id, the first line of its docstring
the summary, the rest the explanation, the annotation of its parameter the change it is about; it
returns the sentence for people. How much a change weighs is a preset's business (`PRESETS`).

A rule never walks, never knows the level, and speaks of reader and writer only.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar, get_type_hints

from accord.diff.changes import Change
from accord.rules.examples import examples_of
from accord.rules.presets import PRESETS

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.diff.changes import RowKey
    from accord.model import Format
    from accord.rules.examples import Example

__all__ = ["PRESETS", "NodeKind", "Rule", "RuleTable", "rule", "rule_for", "rules"]

C = TypeVar("C", bound=Change)


class NodeKind(StrEnum):
    """The part of a schema that a rule is about."""

    SCHEMA = "schema"
    FILE = "file"
    MESSAGE = "message"
    ONEOF = "oneof"
    SERVICE = "service"
    STRING = "string"
    NUMBER = "number"
    OBJECT = "object"
    PROPERTY = "property"
    ARRAY = "array"
    ITEM = "item"
    COMBINED = "combined schema"
    ANNOTATION = "annotation"
    NAMED_TYPE = "named type"
    FIELD = "field"
    ENUM = "enum"
    FIXED = "fixed"
    TYPE = "type"
    UNION = "union"


@dataclass(frozen=True, slots=True)
class Rule:
    """One row. ``format`` is None where the rule holds for every format.

    ``change`` is what the row is filed under (`Change.row`); ``is_reported`` is false for a name that
    other registries know and no comparison gives.
    """

    id: str
    format: Format | None
    node: NodeKind
    since: str
    summary: str
    explanation: str
    change: RowKey
    sentence: Callable[[Change], str]
    is_reported: bool = True

    @property
    def examples(self) -> tuple[Example, ...]:
        """The cases that the tests run, accepting ones first."""
        return examples_of(self.id)


class RuleTable:
    """Rows by id and by change; the tables of the formats share one space of ids."""

    def __init__(self) -> None:
        self.rows: dict[str, Rule] = {}
        self.by_change: dict[RowKey, Rule] = {}

    def rule(
        self, format_: Format | None, *, node: NodeKind, since: str
    ) -> Callable[[Callable[[C], str]], Callable[[C], str]]:
        """Register the decorated function as a row.

        Raises ``TypeError`` at import where the id or the change is taken, the docstring lacks a
        summary or an explanation, or the signature is not one change to one string.
        """

        def register(function: Callable[[C], str]) -> Callable[[C], str]:
            summary, explanation = _documentation(function)
            row = Rule(
                id=function.__name__.upper(),
                format=format_,
                node=node,
                since=since,
                summary=summary,
                explanation=explanation,
                change=_change_of(function),
                sentence=function,  # type: ignore[arg-type]  # only ever called with its own change
            )
            self.add(row)
            return function

        return register

    def add(self, row: Rule) -> None:
        """Add a ready row. Raises ``TypeError`` where its id or its change is taken."""
        if row.id in self.rows:
            raise TypeError(f"the rule id {row.id} is taken")
        if row.change in self.by_change:
            taken = self.by_change[row.change].id
            raise TypeError(f"{row.id}: the change {_name(row.change)} belongs to {taken}")
        self.rows[row.id] = self.by_change[row.change] = row


TABLE = RuleTable()


def rules() -> tuple[Rule, ...]:
    """Return every row, by format (common ones last) and id."""
    return tuple(sorted(TABLE.rows.values(), key=lambda row: (row.format or "~", row.id)))


def rule(rule_id: str) -> Rule:
    """Return the row with an id. Raises ``KeyError`` where there is none."""
    return TABLE.rows[rule_id]


def rule_for(change: Change) -> Rule:
    """Return the row that gives a change its meaning."""
    return TABLE.by_change[change.row]


def _name(change: RowKey) -> str:
    return change.__name__ if isinstance(change, type) else str(change)


def _documentation(function: Callable[[C], str]) -> tuple[str, str]:
    summary, _, explanation = (inspect.getdoc(function) or "").partition("\n\n")
    if not summary or not explanation:
        raise TypeError(f"{function.__name__}: a rule needs a summary line and an explanation")
    return summary, explanation


def _change_of(function: Callable[[C], str]) -> type[Change]:
    hints = get_type_hints(function)
    is_text = hints.pop("return", None) is str
    if is_text and len(hints) == len(inspect.signature(function).parameters) == 1:
        change: object = hints.popitem()[1]
        if isinstance(change, type) and issubclass(change, Change):
            return change
    raise TypeError(f"{function.__name__}: a rule takes one change and returns a str")
