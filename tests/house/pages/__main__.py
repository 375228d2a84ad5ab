"""`python -m tests.house.pages` writes the generated pages; `--check` only says which are not current."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
# Each page and the function that prints it, imported once Django stands.
PAGES = {
    "docs/reference/confluent-api.md": "tests.house.pages.confluent:confluent_page",
    "docs/reference/rights.md": "tests.house.pages.access:rights_page",
    "docs/reference/settings.md": "accord_server.kit.settings_reference:page",
}


def pages() -> Iterator[tuple[Path, str]]:
    """Path and text of every generated page."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    for path, source in PAGES.items():
        module, _, function = source.partition(":")
        yield ROOT / path, getattr(importlib.import_module(module), function)()


def stale() -> list[tuple[Path, str]]:
    """The pages whose file is missing or differs."""
    return [(path, text) for path, text in pages() if not path.exists() or path.read_text() != text]


def main(arguments: list[str]) -> int:
    """Write or check; with `--check`, 1 if a page is not current."""
    old = stale()
    for path, text in old:
        print(f"{path.relative_to(ROOT)} is not current")
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return int(bool(old) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
