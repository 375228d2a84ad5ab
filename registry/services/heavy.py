"""Large schemas in turn: a burst of them must not occupy every thread that small calls are answered by.

What a call will cost is estimated from the length of its texts, and while pairs are judged from the steps
taken. Python works on one thing at a time anyway, so that two at once would only both take longer.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from accord_server.kit.turnstile import Crowded, Turnstile
from registry.errors import TooBusy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.model import SchemaText

# Parsed and compared in some 0.2 seconds; a schema of 5,000 fields.
LIGHT_CHARACTERS: Final = 250_000
# Judged in about as long.
LIGHT_STEPS: Final = 50_000
# Of a process's threads (eight, as `make run` starts it) one works on large schemas and one waits.
AT_ONCE: Final = 1
WAITING: Final = 1
PATIENCE_S: Final = 10.0

HEAVY: Final = Turnstile(inside=AT_ONCE, waiting=WAITING, patience=PATIENCE_S)


@contextmanager
def heavy_turn() -> Iterator[None]:
    """Do what takes long; never inside a transaction that others wait for without need.

    Raises:
        TooBusy: Too many do so already.
    """
    try:
        with HEAVY.turn():
            yield
    except Crowded:
        raise TooBusy from None


@contextmanager
def turn_for(characters: int) -> Iterator[None]:
    """Work on texts of so many characters together: in turn if they are many, else at once.

    Raises:
        TooBusy: They are many, and too many such calls are there already.
    """
    if characters <= LIGHT_CHARACTERS:
        yield
        return
    with heavy_turn():
        yield


def length_of(source: SchemaText | None) -> int:
    """Return the characters of a text that may be missing."""
    return 0 if source is None else len(source.text)


def bytes_of(source: SchemaText) -> int:
    """Return the bytes of a text; half a character counts as one, and is refused where it is read."""
    return len(source.text.encode(errors="replace"))
