"""``accord rules``: the table of compatibility rules, printed from itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import click

from accord.cli.output import coloured, heading, json_option, say, say_json
from accord.errors import NotFound, error
from accord.rules.presets import DEFAULT_PRESET, PRESETS, presets_of
from accord.rules.table import rules as table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.rules.table import Rule


@error
class RuleNotFound(NotFound):
    """No rule has this id."""

    code: ClassVar[str] = "rule_not_found"
    template: ClassVar[str] = "there is no rule {rule!r}; `accord rules list` names them all"
    rule: str


@click.group()
def rules() -> None:
    """Compatibility rules: what each one finds, and why it matters."""


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


@rules.command()
@click.argument("rule")
@json_option
def explain(rule: str, *, as_json: bool) -> None:
    """Explain one RULE: meaning, advice, severities, examples."""
    found = {row.id: row for row in table()}.get(rule.upper())
    if found is None:
        raise RuleNotFound(rule=rule)
    if as_json:
        say_json(_as_json(found))
        return
    for line in _page(found):
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
