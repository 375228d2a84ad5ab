"""The lint rules as the table tells them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from django.http import Http404
from django.urls import reverse

from accord.lint.examples import OWN_FILE
from accord.lint.reference import category_of
from accord.lint.table import LINT, lint_rules
from frontend.highlight import highlight, paint
from frontend.pages.formats import FORMATS
from frontend.pages.verdicts import BADGES, SEVERITIES
from frontend.pretty import pretty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.utils.safestring import SafeString

    from accord.lint.examples import LintExample
    from accord.lint.table import LintRule
    from accord.model import Format
    from frontend.pages.shell import Label


@dataclass(frozen=True, slots=True)
class LintRow:
    """One rule in a list."""

    rule: LintRule
    url: str

    @property
    def category(self) -> str:
        """The smallest category that holds it."""
        return category_of(self.rule)

    @property
    def label(self) -> Label:
        """What it weighs, in words."""
        return SEVERITIES[self.rule.severity]

    @property
    def badge(self) -> str:
        """The class that colours it."""
        return BADGES[self.rule.severity][0]

    @property
    def icon(self) -> str:
        """Its sign: colour is never alone."""
        return BADGES[self.rule.severity][1]


@dataclass(frozen=True, slots=True)
class LintGroup:
    """The rules of one format."""

    label: Label
    key: str
    rows: tuple[LintRow, ...]


@dataclass(frozen=True, slots=True)
class LintSnippet:
    """One text of an example, coloured; without a name where it is the only one."""

    name: str
    is_accepted: bool
    lines: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class LintRulePage:
    """One rule with everything the table knows of it."""

    row: LintRow
    format: Label
    paragraphs: tuple[str, ...]
    snippets: tuple[LintSnippet, ...]


def lint_groups() -> tuple[LintGroup, ...]:
    """Make the list, grouped by format."""
    groups = groupby(lint_rules(), key=lambda rule: rule.format)
    return tuple(LintGroup(FORMATS[key], key.lower(), tuple(map(_row, rules))) for key, rules in groups)


def lint_rule_page(rule_id: str) -> LintRulePage:
    """Make the page of one rule.

    Raises:
        Http404: The table has no such rule.
    """
    rule = LINT.rows.get(rule_id)
    if rule is None:
        raise Http404(rule_id)
    snippets = (snippet for example in rule.examples for snippet in _snippets(example, rule.format))
    paragraphs = tuple(part for part in rule.explanation.split("\n\n") if part)
    return LintRulePage(_row(rule), FORMATS[rule.format], paragraphs, tuple(snippets))


def _row(rule: LintRule) -> LintRow:
    return LintRow(rule, reverse("frontend:rule", args=[rule.id]))


def _snippets(example: LintExample, schema_format: Format) -> Iterator[LintSnippet]:
    for path, text in example.texts.items():
        lines = highlight(pretty(text, schema_format), schema_format)
        yield LintSnippet("" if path == OWN_FILE else path, example.is_accepted, tuple(map(paint, lines)))
