"""Every template parses, closes what it opens and names each id once.

`python -m tests.house.templates` prints `path:line: what`; the exit code is 1 when anything was found.
Django compiles each file with the tags of the project; the markup is read without the template tags.
"""

from __future__ import annotations

import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Final

import django
from django.template import Engine, TemplateSyntaxError

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("frontend", "registry", "tenants", "platform/accord_server")
VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
TAG: Final = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", flags=re.DOTALL)


class Markup(HTMLParser):
    """Keeps the open elements and reports the close tags that do not fit."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, int]] = []
        self.mistakes: list[tuple[int, str]] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element, unless it never has content."""
        if tag not in VOID:
            self.open.append((tag, self.getpos()[0]))
        for name, value in attrs:
            if name == "id" and value:
                self._note_id(value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read an element that closes itself, as SVG has them."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element, or report that another one is open."""
        if self.open and self.open[-1][0] == tag:
            self.open.pop()
        else:
            self.mistakes.append((self.getpos()[0], f"</{tag}> closes nothing"))

    def unclosed(self) -> list[tuple[int, str]]:
        """What is still open at the end."""
        return [(line, f"<{tag}> is not closed") for tag, line in self.open]

    def _note_id(self, value: str) -> None:
        if "TAG" not in value and value in self.ids:
            self.mistakes.append((self.getpos()[0], f"id {value!r} is there twice"))
        self.ids.add(value)


def blank(match: re.Match[str]) -> str:
    """Replace a template tag by a word, keeping line numbers."""
    return "TAG" + "\n" * match.group().count("\n")


def markup_mistakes(text: str) -> list[tuple[int, str]]:
    """Find elements that do not nest; `line, what` for each."""
    markup = Markup()
    markup.feed(TAG.sub(blank, text))
    markup.close()
    return markup.mistakes + markup.unclosed()


def mistakes(path: str, text: str, engine: Engine) -> Iterator[str]:
    """Describe everything wrong with one template."""
    try:
        engine.from_string(text)
    except TemplateSyntaxError as error:
        yield f"{path}:1: {error}"
    for line, what in markup_mistakes(text):
        yield f"{path}:{line}: {what}"


def templates() -> Iterator[tuple[str, str]]:
    """Path and text of every template of the project."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("templates/**/*.html")):
            yield str(path.relative_to(ROOT)), path.read_text()


def main() -> int:
    """Print every mistake; 1 if there is one."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "accord_server.settings")
    django.setup()
    found = [one for path, text in templates() for one in mistakes(path, text, Engine.get_default())]
    print("\n".join(found) or f"{len(list(templates()))} templates: nothing found")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
