"""The rule pages of the manual, printed from the table.

``python -m accord.rules.reference docs/rules`` writes them; with ``--check`` it writes nothing and
fails if what is there differs.
"""

from __future__ import annotations

import json
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from accord.model import Format
from accord.rules.presets import presets_of
from accord.rules.table import PRESETS, rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from accord.rules.examples import Example
    from accord.rules.table import Rule

FORMAT_NAMES = {"AVRO": "Avro", "JSON": "JSON Schema", "PROTOBUF": "Protobuf"}
NOTICE = "<!-- Printed from the rule table by `python -m accord.rules.reference docs/rules`. -->"
INTRODUCTION = """A rule gives one kind of difference its meaning. It speaks of the schema that reads
data and the schema that wrote it; the level of a subject decides which of the two is the new one. The
columns are presets: `block` refuses a registration, `warn` and `info` are shown and let it pass, `off`
says nothing. A policy may override single cells. Presets of systems that know Protobuf alone weigh the
other formats as `confluent:8.1` does, and are not shown there."""


def render() -> dict[str, str]:
    """Return the pages by file name: one for each rule, and the table of all in ``README.md``."""
    pages = {f"{row.id}.md": _page(row) for row in rules()}
    return {"README.md": _matrix(rules()), **pages}


def _matrix(rows: Iterable[Rule]) -> str:
    lines = [NOTICE, "", "# Compatibility rules", "", INTRODUCTION]
    for format_, group in groupby(rows, key=lambda row: row.format):
        presets = presets_of(format_)
        heads = ["rule", "what it finds", *(f"`{preset}`" for preset in presets)]
        lines += ["", f"## {_format_name(format_)}", "", _cells(heads), _cells(["---"] * len(heads))]
        lines += [_cells(_matrix_row(row, presets)) for row in group]
    return "\n".join([*lines, ""])


def _matrix_row(row: Rule, presets: Iterable[str]) -> list[str]:
    severities = [str(PRESETS[preset][row.id]) for preset in presets]
    return [f"[{row.id}]({row.id}.md)", row.summary, *severities]


def _format_name(format_: Format | None) -> str:
    return FORMAT_NAMES.get(format_ or "", "Every format")


def _cells(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _page(row: Rule) -> str:
    facts = [
        ["format", _format_name(row.format)],
        ["about", str(row.node)],
        ["since", row.since],
        *([f"`{preset}`", str(PRESETS[preset][row.id])] for preset in presets_of(row.format)),
    ]
    lines = [NOTICE, "", f"# {row.id}", "", row.summary, "", row.explanation, ""]
    lines += [_cells(["", ""]), _cells(["---", "---"]), *map(_cells, facts)]
    for is_accepted, title in ((True, "Accepted"), (False, "Reported")):
        lines += ["", f"## {title}"]
        for example in row.examples:
            if example.is_accepted is is_accepted:
                lines += _example(example, row.format)
    return "\n".join([*lines, ""])


def _example(example: Example, format_: Format | None) -> Iterator[str]:
    language = "protobuf" if format_ is Format.PROTOBUF else "json"
    yield from ("", f"### {example.title}", "")
    first = "Reader" if example.writer else "Schema"
    yield from (f"{first}:", "", f"```{language}", _pretty(example.reader, language), "```")
    if example.writer:
        yield from ("", "Writer:", "", f"```{language}", _pretty(example.writer, language), "```")


def _pretty(text: str, language: str) -> str:
    if language == "protobuf":
        return text.rstrip()
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False)


def outdated(folder: Path, pages: dict[str, str]) -> list[str]:
    """Return the names of pages that are missing, differ or should not be there."""
    present = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in present.keys() | pages.keys() if present.get(name) != pages.get(name))


def main(arguments: Sequence[str]) -> int:
    """Write the pages to the folder given first, or compare them with it if ``--check`` follows."""
    folder, pages = Path(arguments[0]), render()
    stale = outdated(folder, pages)
    if "--check" in arguments[1:]:
        sys.stderr.writelines(f"{folder / name} is not what the table prints\n" for name in stale)
        return 1 if stale else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in stale:
        path = folder / name
        if name in pages:
            path.write_text(pages[name], encoding="utf-8")
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
