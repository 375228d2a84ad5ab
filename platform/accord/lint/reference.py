"""The page of the manual about lint rules, printed from the table."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Final

from accord.lint.examples import OWN_FILE
from accord.lint.table import CATEGORY_WORDS, lint_rules
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.lint.examples import LintExample
    from accord.lint.table import LintRule

FORMAT_NAMES: Final = {Format.AVRO: "Avro", Format.JSON: "JSON Schema", Format.PROTOBUF: "Protobuf"}
NOTICE: Final = (
    "<!-- Printed from the table of lint rules by `make docs`; edit `platform/accord/lint` instead. -->"
)
INTRODUCTION: Final = """A lint rule looks at one schema by itself and says what will be regretted later.
Those of Protobuf are the rules of Buf's configuration v2, under Buf's names and with Buf's options; those of
Avro and JSON Schema are our own. [Lint](../how-to/lint.md) tells how they are used, and where we differ.

Each rule weighs what the table says, unless a [policy](policies.md) weighs it otherwise: only `block`
refuses a registration."""


def page() -> str:
    """Return the page."""
    lines = [NOTICE, "", "# Lint rules", "", INTRODUCTION, "", "## Categories", ""]
    lines += ["| category | what is in it |", "| --- | --- |"]
    lines += [f"| `{name}` | {words} |" for name, words in CATEGORY_WORDS.items()]
    for format_, rows in groupby(lint_rules(), key=lambda row: row.format):
        held = list(rows)
        lines += ["", f"## {FORMAT_NAMES[format_]}", ""]
        lines += ["| rule | category | weighs | what it asks for |", "| --- | --- | --- | --- |"]
        lines += [_row(row) for row in held]
        for row in held:
            lines += _section(row)
    return "\n".join([*lines, ""])


def category_of(row: LintRule) -> str:
    """Return the smallest category that holds a rule, as people are told."""
    return "none" if row.category is None else str(row.category)


def rule_document(row: LintRule) -> dict[str, object]:
    """Return a rule as JSON values, for programs."""
    return {
        "id": row.id,
        "format": row.format,
        "category": row.category,
        "since": row.since,
        "summary": row.summary,
        "explanation": row.explanation,
        "advice": row.advice,
        "options": list(row.options),
        "severity": str(row.severity),
    }


def _row(row: LintRule) -> str:
    anchor = row.id.lower()
    return f"| [{row.id}](#{anchor}) | {category_of(row)} | `{row.severity}` | {row.summary} |"


def _section(row: LintRule) -> Iterator[str]:
    yield from ("", f"### {row.id}", "", row.summary)
    yield from (
        line for part in (row.explanation, f"What to do: {row.advice}") if part for line in ("", part)
    )
    if row.options:
        yield from ("", f"Options: {', '.join(f'`{name}`' for name in row.options)}.")
    for example in row.examples:
        yield from ("", "Accepted:" if example.is_accepted else "Reported:")
        yield from _example(example, row.format)


def _example(example: LintExample, format_: Format) -> Iterator[str]:
    language = "protobuf" if format_ is Format.PROTOBUF else "json"
    for path, text in example.texts.items():
        shown = f"// {path}\n{text}" if path != OWN_FILE else text
        if language == "json":
            shown = json.dumps(json.loads(shown), indent=2, ensure_ascii=False)
        yield from ("", f"```{language}", shown.rstrip(), "```")
