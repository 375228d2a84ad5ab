"""`python -m tests.house.pages` writes the generated pages; `--check` only says which are not current."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3]
# Each page and the function that prints it, imported once Django stands.
PAGES = {
    "docs/explanation/content-models.md": "tests.house.pages.content_models:content_models_page",
    "docs/explanation/protobuf-presets.md": "tests.house.pages.protobuf_presets:protobuf_presets_page",
    "docs/reference/chart-values.md": "tests.house.pages.chart:values_page",
    "docs/reference/command-line.md": "tests.house.pages.command_line:command_line_page",
    "docs/reference/confluent-api.md": "tests.house.pages.confluent:confluent_page",
    "docs/reference/confluent-coverage.md": "tests.house.pages.coverage:coverage_page",
    "docs/reference/lint-rules.md": "accord.lint.reference:page",
    "docs/reference/metrics.md": "tests.house.pages.metrics:metrics_page",
    "docs/reference/policies.md": "accord.policy.documents.reference:page",
    "docs/reference/policy.schema.json": "accord.policy.documents.editors:json_schema_text",
    "docs/reference/rights.md": "tests.house.pages.access:rights_page",
    "docs/reference/settings.md": "accord_server.kit.settings_reference:page",
    "helm/accord/values.schema.json": "tests.house.pages.chart:values_schema",
    "helm/accord/values.yaml": "tests.house.pages.chart:values_file",
}
# Folders that hold nothing but printed pages; the function gives all of them by name.
FOLDERS = {"docs/rules": "accord.rules.reference:render"}


def printed() -> dict[Path, str]:
    """Path and text of every generated page."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    single = {ROOT / path: _printer(source)() for path, source in PAGES.items()}
    for folder, source in FOLDERS.items():
        single |= {ROOT / folder / name: text for name, text in _printer(source)().items()}
    return single


def stale() -> dict[Path, str | None]:
    """The pages that are missing or differ, with their text, and those that nobody prints any more."""
    pages = printed()
    there = {path for folder in FOLDERS for path in (ROOT / folder).glob("*.md")}
    old = {path for path, text in pages.items() if not path.exists() or path.read_text() != text}
    return {path: pages.get(path) for path in sorted(old | (there - pages.keys()))}


def write(path: Path, text: str | None) -> None:
    """Bring one file into line: its text, or its absence."""
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main(arguments: list[str]) -> int:
    """Write or check; with `--check`, 1 if a page is not current."""
    old = stale()
    for path, text in old.items():
        print(f"{path.relative_to(ROOT)} is not current")
        if "--check" not in arguments:
            write(path, text)
    return int(bool(old) and "--check" in arguments)


def _printer(source: str) -> Callable[[], Any]:
    module, _, function = source.partition(":")
    found: Callable[[], Any] = getattr(importlib.import_module(module), function)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
