"""The compatibility rules as the engine's own table tells them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from django.http import Http404
from django.urls import reverse

from accord.model import Format, Severity
from accord.rules import table
from accord.rules.presets import presets_of
from frontend.highlight import highlight, paint
from frontend.pages.formats import FORMATS
from frontend.pages.lint_rules import lint_groups
from frontend.pages.verdicts import BADGES, SEVERITIES
from frontend.pretty import pretty

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.safestring import SafeString

    from accord.rules.examples import Example
    from frontend.pages.lint_rules import LintGroup
    from frontend.pages.shell import Label


@dataclass(frozen=True, slots=True)
class Weight:
    """What one preset makes of a rule."""

    preset: str
    severity: Severity

    @property
    def label(self) -> Label:
        """The severity in words."""
        return SEVERITIES[self.severity]

    @property
    def badge(self) -> str:
        """The class that colours it."""
        return BADGES[self.severity][0]

    @property
    def icon(self) -> str:
        """Its sign: colour is never alone."""
        return BADGES[self.severity][1]


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule in the list."""

    rule: table.Rule
    url: str
    weights: tuple[Weight, ...]


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """The rules of one format."""

    label: Label
    key: str
    presets: tuple[str, ...]
    rows: tuple[RuleRow, ...]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The list of all rules: those of compatibility, and those of lint."""

    groups: tuple[RuleGroup, ...]
    lint: tuple[LintGroup, ...]


@dataclass(frozen=True, slots=True)
class ExamplePair:
    """One example, both sides coloured; the writer has no lines where the rule is about one schema."""

    title: str
    is_accepted: bool
    reader: tuple[SafeString, ...]
    writer: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class RulePage:
    """One rule with everything the table knows of it."""

    rule: table.Rule
    format: Label
    weights: tuple[Weight, ...]
    paragraphs: tuple[str, ...]
    examples: tuple[ExamplePair, ...]


def rules_page() -> RulesPage:
    """Make the list, grouped by format."""
    groups = groupby(table.rules(), key=lambda rule: rule.format)
    return RulesPage(
        groups=tuple(
            RuleGroup(
                FORMATS[key], (key or "all").lower(), presets_of(key), tuple(_row(rule) for rule in rules)
            )
            for key, rules in groups
        ),
        lint=lint_groups(),
    )


def rule_page(rule_id: str) -> RulePage:
    """Make the page of one rule.

    Raises:
        Http404: The table has no such rule.
    """
    try:
        rule = table.rule(rule_id)
    except KeyError:
        raise Http404(rule_id) from None
    return RulePage(
        rule=rule,
        format=FORMATS[rule.format],
        weights=_weights(rule),
        paragraphs=tuple(part.replace("\n", " ") for part in rule.explanation.split("\n\n")),
        examples=tuple(_example(example, rule.format or Format.AVRO) for example in rule.examples),
    )


def weights_of(rule_id: str, presets: Mapping[str, Mapping[str, Severity]]) -> tuple[Weight, ...]:
    """Return what each preset makes of the rule."""
    return tuple(Weight(name, column[rule_id]) for name, column in presets.items())


def _row(rule: table.Rule) -> RuleRow:
    url = reverse("frontend:rule", args=[rule.id])
    return RuleRow(rule, url, _weights(rule))


def _weights(rule: table.Rule) -> tuple[Weight, ...]:
    return weights_of(rule.id, {name: table.PRESETS[name] for name in presets_of(rule.format)})


def _example(example: Example, schema_format: Format) -> ExamplePair:
    reader, writer = (_painted(text, schema_format) for text in (example.reader, example.writer))
    return ExamplePair(example.title, example.is_accepted, reader, writer)


def _painted(text: str, schema_format: Format) -> tuple[SafeString, ...]:
    if not text:
        return ()
    return tuple(paint(line) for line in highlight(pretty(text, schema_format), schema_format))
