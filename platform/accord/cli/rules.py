"""``accord rules``: the tables of compatibility rules and of lint rules, printed from themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import click

from accord.cli.output import coloured, heading, json_option, say, say_json
from accord.errors import NotFound, error
from accord.lint.examples import OWN_FILE
from accord.lint.reference import category_of, rule_document
from accord.lint.table import LINT, lint_rules
from accord.rules.presets import DEFAULT_PRESET, PRESETS, presets_of
from accord.rules.table import rules as table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.lint.examples import LintExample
    from accord.lint.table import LintRule
    from accord.rules.table import Rule


@error
class RuleNotFound(NotFound):
    """No rule has this id."""

    code: ClassVar[str] = "rule_not_found"
    template: ClassVar[str] = "there is no rule {rule!r}; `accord rules list` names them all"
    rule: str


@click.group()
def rules() -> None:
    """Compatibility and lint rules: what each one finds, and why it matters."""


@rules.command("list")
@click.option("--preset", type=click.Choice(list(PRESETS)), default=DEFAULT_PRESET, show_default=True)
@json_option
def list_rules(preset: str, *, as_json: bool) -> None:
    """List every rule with its severity in a preset."""
    rows = table()
    if as_json:
        say_json([_as_json(row) for row in rows])
        return
    width = max(len(row.id) for row in rows)
    for row in rows:
        severity = PRESETS[preset][row.id]
        say(f"{row.id:<{width}}  {coloured(severity)}{' ' * (5 - len(severity))}  {row.summary}")


@rules.command("lint")
@json_option
def list_lint_rules(*, as_json: bool) -> None:
    """List every lint rule with its category and what it weighs."""
    rows = lint_rules()
    if as_json:
        say_json([rule_document(row) for row in rows])
        return
    width = max(len(row.id) for row in rows)
    for row in rows:
        weight = f"{coloured(row.severity)}{' ' * (5 - len(row.severity))}"
        say(f"{row.id:<{width}}  {category_of(row):<17}  {weight}  {row.summary}")


@rules.command()
@click.argument("rule")
@json_option
def explain(rule: str, *, as_json: bool) -> None:
    """Explain one RULE: meaning, advice, severities, examples."""
    found = {row.id: row for row in table()}.get(rule.upper())
    lint = LINT.rows.get(rule.upper())
    if found is not None:
        document, page = _as_json(found), _page(found)
    elif lint is not None:
        document, page = rule_document(lint), _lint_page(lint)
    else:
        raise RuleNotFound(rule=rule)
    if as_json:
        say_json(document)
        return
    for line in page:
        say(line)


def _page(row: Rule) -> Iterator[str]:
    yield heading(row.id)
    yield row.summary
    yield f"\n{row.explanation}\n"
    yield f"About: {row.node}, {row.format or 'every format'}. Since {row.since}."
    cells = {name: PRESETS[name][row.id] for name in presets_of(row.format)}
    yield "Severity: " + ", ".join(f"{coloured(cell)} in {name}" for name, cell in cells.items())
    for example in row.examples:
        yield ""
        yield heading(f"{'Accepted' if example.is_accepted else 'Found'}: {example.title}")
        yield f"  {'reader' if example.writer else 'schema'}  {example.reader}"
        if example.writer:
            yield f"  writer  {example.writer}"


def _lint_page(row: LintRule) -> Iterator[str]:
    yield heading(row.id)
    yield row.summary
    yield "".join(f"\n{part}\n" for part in (row.explanation, f"What to do: {row.advice}") if part)
    yield f"Lint, {row.format}, category {category_of(row)}. Since {row.since}."
    if row.options:
        yield f"Options: {', '.join(row.options)}"
    yield f"Severity: {coloured(row.severity)}, where no policy says otherwise"
    for example in row.examples:
        yield ""
        yield heading("Accepted" if example.is_accepted else "Found")
        yield from _texts(example)


def _texts(example: LintExample) -> Iterator[str]:
    for path, text in example.texts.items():
        lines = text.splitlines() if path == OWN_FILE else [f"// {path}", *text.splitlines()]
        yield from (f"  {line}" for line in lines)


def _as_json(row: Rule) -> dict[str, Any]:
    return {
        "id": row.id,
        "format": row.format,
        "about": str(row.node),
        "since": row.since,
        "summary": row.summary,
        "explanation": row.explanation,
        "severities": {name: str(PRESETS[name][row.id]) for name in presets_of(row.format)},
    }
