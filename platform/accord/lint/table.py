"""The table of lint rules: what each one asks of a schema by itself, why, and what to do.

A row is made of one function or of words. The name of a function in capitals is the rule's id; its docstring
holds the summary, the explanation and, as its last paragraph, what to do. The annotation of its first
parameter is the kind of node it looks at. A rule never walks and never knows how much it weighs for
somebody: that is the profile's business.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, get_type_hints

from accord.lint.examples import examples_of
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.model import Severity

if TYPE_CHECKING:
    from accord.lint.examples import LintExample
    from accord.model import Format

N = TypeVar("N")
Check: TypeAlias = Callable[[Any, LintOptions], Iterator[Hit]]
SINCE: Final = "0.1"


class Category(StrEnum):
    """Sets of rules that a profile may name; each of the first three holds the one before it."""

    MINIMAL = "MINIMAL"
    BASIC = "BASIC"
    STANDARD = "STANDARD"
    COMMENTS = "COMMENTS"
    UNARY_RPC = "UNARY_RPC"
    OPTIONAL_FRIENDLY = "OPTIONAL_FRIENDLY"


NESTED: Final = (Category.MINIMAL, Category.BASIC, Category.STANDARD)
# Names that configurations of Buf may still hold; a rule without a successor means nothing.
OLD_CATEGORIES: Final = {"DEFAULT": Category.STANDARD}
OLD_RULES: Final = frozenset(("IMPORT_NO_WEAK",))
CATEGORY_WORDS: Final = {
    Category.MINIMAL: "What tools rely on.",
    Category.BASIC: "What almost everybody keeps, `MINIMAL` included.",
    Category.STANDARD: "What the house recommends, `BASIC` included.",
    Category.COMMENTS: "That everything is documented.",
    Category.UNARY_RPC: "That no method streams.",
    Category.OPTIONAL_FRIENDLY: "What the transform `optional-friendly` builds on.",
}


@dataclass(frozen=True, slots=True)
class LintRule:
    """One row. ``category`` is the smallest that holds it, None for a rule that must be named.

    ``severity`` is what a finding weighs where nobody says otherwise, ``options`` the members of
    `accord.lint.profile.LintOptions` that it looks at.
    """

    id: str
    format: Format
    category: Category | None
    summary: str
    explanation: str
    advice: str
    node: type
    check: Check
    options: tuple[str, ...] = ()
    severity: Severity = Severity.WARN
    since: str = SINCE

    @property
    def categories(self) -> tuple[Category, ...]:
        """Every category that holds it."""
        if self.category in NESTED:
            return NESTED[NESTED.index(self.category) :]
        return () if self.category is None else (self.category,)

    @property
    def examples(self) -> tuple[LintExample, ...]:
        """What the rule accepts and what it reports; the tests run both."""
        return examples_of(self.id)


class LintTable:
    """Rows by id."""

    def __init__(self) -> None:
        self.rows: dict[str, LintRule] = {}

    def rule(
        self, format_: Format, category: Category | None, *options: str, severity: Severity = Severity.WARN
    ) -> Callable[[Callable[[N, LintOptions], Iterator[Hit]]], Callable[[N, LintOptions], Iterator[Hit]]]:
        """Register the decorated function as a row; raises ``TypeError`` at import if it cannot be one."""

        def register(
            function: Callable[[N, LintOptions], Iterator[Hit]],
        ) -> Callable[[N, LintOptions], Iterator[Hit]]:
            summary, explanation, advice = _documentation(function)
            self.add(
                LintRule(
                    function.__name__.upper(),
                    format_,
                    category,
                    summary,
                    explanation,
                    advice,
                    _node_of(function),
                    function,
                    options,
                    severity,
                )
            )
            return function

        return register

    def add(self, row: LintRule) -> None:
        """Add a ready row; raises ``TypeError`` where its id is taken."""
        if row.id in self.rows:
            raise TypeError(f"the lint rule {row.id} is there already")
        self.rows[row.id] = row


LINT: Final = LintTable()


def lint_rules() -> tuple[LintRule, ...]:
    """Return every row, by format and id."""
    return tuple(sorted(LINT.rows.values(), key=lambda row: (row.format, row.id)))


def rules_named(name: str) -> tuple[LintRule, ...]:
    """Return the rows that a rule id or a category stands for; raises ``KeyError`` for anything else."""
    if name in OLD_RULES:
        return ()
    if name in LINT.rows:
        return (LINT.rows[name],)
    category = OLD_CATEGORIES.get(name) or Category.__members__[name]
    return tuple(row for row in lint_rules() if category in row.categories)


def known_names() -> tuple[str, ...]:
    """Return every name that a profile may use: categories, then rules, then old names."""
    return (*Category, *(row.id for row in lint_rules()), *OLD_CATEGORIES, *sorted(OLD_RULES))


def _documentation(function: Callable[..., object]) -> tuple[str, str, str]:
    paragraphs = (inspect.getdoc(function) or "").split("\n\n")
    if len(paragraphs) == 1:
        raise TypeError(f"{function.__name__}: a lint rule needs a summary and what to do")
    summary, *explanation, advice = (" ".join(one.split()) for one in paragraphs)
    return summary, "\n\n".join(explanation), advice


def _node_of(function: Callable[..., object]) -> type:
    node: object = next(iter(get_type_hints(function).values()), None)
    if isinstance(node, type) and node is not LintOptions:
        return node
    raise TypeError(f"{function.__name__}: a lint rule takes a node and the options")
