"""Words on the terminal: colour where there is one, and no control characters from strangers."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from accord.model import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COLOURS: Final = {
    Severity.BLOCK: "red",
    Severity.WARN: "yellow",
    Severity.INFO: "blue",
    Severity.OFF: "white",
}
_KEPT: Final = frozenset("\n\t")
# To the beginning of the line, and clear what follows.
_AFRESH: Final = "\r\x1b[K"

json_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON for programs."
)


def plain(text: str) -> str:
    """The text with control characters written out, so that none of them reaches the terminal."""
    return "".join(one if one.isprintable() or one in _KEPT else repr(one)[1:-1] for one in text)


def one_line(text: str) -> str:
    """The text with control characters written out, line breaks too: names of files may hold them."""
    return plain(text).replace("\n", "\\n")


def say(text: str) -> None:
    """Print a text that may hold anything; colours of our own are added before, with `coloured`."""
    click.echo(text)


def coloured(severity: Severity) -> str:
    """A severity in its colour; click drops colours where the output is no terminal."""
    return coloured_as(severity, str(severity))


def coloured_as(severity: Severity, word: str) -> str:
    """A word in the colour of a severity."""
    return click.style(word, fg=COLOURS[severity], bold=severity is Severity.BLOCK)


def heading(text: str) -> str:
    """A line above others."""
    return click.style(one_line(text), bold=True)


def say_json(value: object) -> None:
    """Print a value as JSON, indented."""
    click.echo(json.dumps(value, indent=2))


@contextmanager
def progress(name: str, things: str) -> Iterator[Callable[[int, int], None]]:
    """Tell in one line of the terminal how much of all is done, as long as that lasts; elsewhere nothing."""

    def tell(done: int, total: int) -> None:
        if is_watched():
            click.echo(_AFRESH + one_line(f"{name}: {done} of {total} {things}"), err=True, nl=False)

    try:
        yield tell
    finally:
        if is_watched():
            click.echo(_AFRESH, err=True, nl=False)


def is_watched() -> bool:
    """True where messages appear on a terminal."""
    return sys.stderr.isatty()
