"""The few forms of Markdown that generated pages are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NOTE = "<!-- Made by `make docs` from {source}; edit that instead. -->"


def page(title: str, source: str, *parts: str) -> str:
    """A page: title, where it comes from, parts with blank lines between them."""
    return "\n\n".join([f"# {title}", NOTE.format(source=source), *parts]) + "\n"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table; bars inside cells are escaped."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(one.replace("|", "\\|") for one in line) + " |" for line in lines)


def code(text: str) -> str:
    """Text in the type of code, or nothing."""
    return f"`{text}`" if text else ""


def block(language: str, text: str) -> str:
    """A block of code."""
    return f"```{language}\n{text.strip()}\n```"
