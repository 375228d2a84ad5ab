"""The tables of rules, for everybody: what each rule finds, with examples, and how much it weighs."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from rest_framework.response import Response

from accord.lint.reference import rule_document
from accord.lint.table import LINT, lint_rules
from accord.rules.presets import DEFAULT_PRESET, PRESETS, PROFILES
from accord.rules.table import TABLE, rules
from accord_server.kit.operations import single
from registry.api.native.policy_documents import FORMAT, asked_format
from registry.api.native.shapes import (
    LintRulesShape,
    LintRuleWithExamples,
    PresetShape,
    PresetsShape,
    RuleShape,
    RulesShape,
    RuleWithExamples,
)
from registry.errors import RuleNotFound
from tenants.api.base import PublicView

if TYPE_CHECKING:
    from rest_framework.request import Request

    from accord.lint.table import LintRule
    from accord.rules.examples import Example
    from accord.rules.table import Rule as Row


class Rules(PublicView):
    """Every rule."""

    answers = {"GET": single(RulesShape)}
    queries = {"GET": (FORMAT,)}

    def get(self, request: Request) -> Response:
        """List them by format and id; ``?format=`` for those that hold for one format."""
        wanted = asked_format(request)
        found = [row for row in rules() if wanted is None or row.format in {None, wanted}]
        return Response({"items": [_row_document(row) for row in found]})


class LintRules(PublicView):
    """Every lint rule."""

    answers = {"GET": single(LintRulesShape)}
    queries = {"GET": (FORMAT,)}

    def get(self, request: Request) -> Response:
        """List them by format and id; ``?format=`` for those of one format."""
        wanted = asked_format(request)
        found = [row for row in lint_rules() if wanted in {None, row.format}]
        return Response({"items": [rule_document(row) for row in found]})


class Rule(PublicView):
    """One rule, of compatibility or of lint."""

    answers = {"GET": single(RuleWithExamples | LintRuleWithExamples)}
    codes = {"GET": ("rule_not_found",)}

    def get(self, request: Request, rule: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it with its examples, each a pair of schemas that the tests run."""
        row = TABLE.rows.get(rule.upper())
        lint = LINT.rows.get(rule.upper())
        if lint is not None:
            return Response(_whole_lint_document(lint))
        if row is None:
            raise RuleNotFound(rule)
        accepted, breaking = (
            [_example_document(one) for one in row.examples if one.is_accepted is wanted]
            for wanted in (True, False)
        )
        return Response({**_row_document(row), "accepted": accepted, "breaking": breaking})


class Presets(PublicView):
    """Every preset."""

    answers = {"GET": single(PresetsShape)}

    def get(self, request: Request) -> Response:  # noqa: ARG002  # the signature is the framework's
        """List them with the severity of each rule."""
        return Response({"default": DEFAULT_PRESET, "items": [_preset_document(one) for one in PRESETS]})


@cache
def _row_document(row: Row) -> RuleShape:
    return {
        "id": row.id,
        "format": row.format,
        "about": str(row.node),
        "since": row.since,
        "summary": row.summary,
        "explanation": row.explanation,
        "severities": {name: str(column[row.id]) for name, column in PRESETS.items()},
    }


def _whole_lint_document(row: LintRule) -> dict[str, Any]:
    sides = {
        one.is_accepted: [{"path": path, "text": text} for path, text in one.texts.items()]
        for one in row.examples
    }
    return {**rule_document(row), "accepted": sides[True], "breaking": sides[False]}


def _example_document(one: Example) -> dict[str, Any]:
    return {"title": one.title, "reader": one.reader, "writer": one.writer}


def _preset_document(name: str) -> PresetShape:
    return {
        "name": name,
        "opens_reader": name in PROFILES and PROFILES[name].opens_reader,
        "severities": {rule: str(weight) for rule, weight in PRESETS[name].items()},
    }
