"""What is wrong with a policy text: every problem at once, each with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_PROBLEMS = 50
MOST_WORDS = 12
SHOWN = 60


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a policy text: line and column from 1, and the path of members."""

    line: int
    column: int
    path: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong; the message is a sentence that says what to change."""

    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"line {self.line}, column {self.column}: {where}{self.message}"


@dataclass(slots=True)
class Problems:
    """The problems found so far; beyond `MOST_PROBLEMS` they are only counted."""

    found: list[Problem] = field(default_factory=list)
    left_out: int = 0

    def add(self, place: Place, message: str) -> None:
        """Note a problem at a place."""
        if len(self.found) < MOST_PROBLEMS:
            self.found.append(Problem(place.line, place.column, place.path, message))
        else:
            self.left_out += 1

    def sorted(self) -> tuple[Problem, ...]:
        """Return the problems in the order of the text; the last one counts those left out."""
        ordered = sorted(self.found, key=lambda one: (one.line, one.column))
        if self.left_out:
            last = ordered[-1]
            message = f"and {self.left_out} more problems; mend these first"
            ordered.append(Problem(last.line, last.column, "", message))
        return tuple(ordered)


def shown(text: str) -> str:
    """Return a word of the text in quotes, cut when it is very long."""
    return ascii(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the advice which known word was probably meant, or which there are."""
    words = sorted(known)
    close = get_close_matches(word[:SHOWN], words, n=1) or get_close_matches(word[:SHOWN].upper(), words, n=1)
    if close:
        return f"did you mean {close[0]}?"
    if len(words) > MOST_WORDS:
        words = [*words[:MOST_WORDS], "..."]
    return f"write one of {', '.join(words)}" if words else "leave it out"
