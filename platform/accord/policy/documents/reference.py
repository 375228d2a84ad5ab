"""The reference page of policy documents, made from the table that the parser runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.policy.documents.model import FORMAT_KEYS
from accord.policy.documents.reading import parameter_kind
from accord.policy.documents.source import LARGEST_TEXT
from accord.policy.documents.table import DESCRIPTION, NAME, rows
from accord.policy.documents.templates import TEMPLATES, template_text
from accord.rules import parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.policy.documents.table import Row

NOTE = "<!-- Made by `make docs` from `platform/accord/policy/documents/table.py`; edit that instead. -->"
INTRODUCTION = f"""A policy is a text of at most {LARGEST_TEXT:,} bytes, in YAML or in JSON. What is wrong
with it is named all at once, each problem with line, column and path. The same table makes the
[JSON Schema](policy.schema.json) for editors. [Policies](../explanation/policies.md) tells how they are
inherited and why."""
TOP = f"""| member | may be | meaning |
| --- | --- | --- |
| `name` | {NAME.words()} | What the policy is called; the only member that must be there. |
| `description` | {DESCRIPTION.words()} | For people. |
| `default` | a section | What holds for every format. |
| `formats` | `{"`, `".join(FORMAT_KEYS)}`, each a section | \
What holds for one format; it wins over `default`. |"""
RULES = """`rules` is an object by [rule id](../rules/README.md). A rule takes a severity, `off`, `info`,
`warn` or `block`, or an object:

| member | meaning |
| --- | --- |
| `severity` | How much the rule's findings weigh, whatever the preset says. |
| `judged_as` | The id of another rule that replaces this one: findings weigh what that rule's weigh under \
the same policy. They keep their own id, place and words. A replacement of that rule is not followed. |
| `parameters` | The rule's parameters by name, see below. |

`severity` and `judged_as` exclude each other. The section of a format takes the rules of that format
and those of every format. Three always block: CHECK_TOO_LARGE, since a comparison that
was cut short proves nothing, FROZEN, since a frozen subject does not change, and LIMIT_EXCEEDED. What
NAME_PATTERN weighs is `naming.severity`; for DOC_MISSING and OWNER_MISSING it is `required.severity`."""
YAML = """Words stay words: `off`, `no` and `on` need no quotes, and flags are `true` or `false` alone.
Numbers are plain digits. Anchors, aliases, tags and merge keys are refused, and so is a member given
twice."""


def page() -> str:
    """Return the page."""
    parts = [
        ("# Policy documents", NOTE, INTRODUCTION),
        ("## Members", TOP),
        ("## A section", _table(("member", "in", "may be", "meaning"), map(_row, rows().values()))),
        ("### Rules", RULES),
        ("### Parameters of rules", _parameters()),
        ("## YAML", YAML),
        ("## Templates", "A new namespace begins with one of these.", *_templates()),
    ]
    return "\n\n".join(one for part in parts for one in part) + "\n"


def _row(row: Row) -> tuple[str, ...]:
    keys = [key for key, format_ in FORMAT_KEYS.items() if format_ in row.formats]
    return f"`{row.name}`", ", ".join(keys) or "every section", row.kind.words(), row.words


def _parameters() -> str:
    own = [(f"`{rule}`", held) for rule, held in sorted(parameters.PARAMETERS.items())]
    known = [
        (rule, f"`{name}`", parameter_kind(row).words(), str(row.default or "nothing"), row.words)
        for rule, held in [("every rule", parameters.COMMON), *own]
        for name, row in held.items()
    ]
    return _table(("rule", "parameter", "may be", "if not set", "meaning"), known)


def _table(head: tuple[str, ...], lines: Iterable[tuple[str, ...]]) -> str:
    every = [head, tuple("---" for _ in head), *lines]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in every)


def _templates() -> Iterator[str]:
    for name in TEMPLATES:
        yield f"### {name}"
        yield f"```yaml\n{template_text(name).strip()}\n```"
