"""Running the regular expressions of users: by RE2 alone, whose time grows with the text and no faster.

It grows with the pattern's program too, and repeated repetitions make a long program of a short pattern. So
a search has a price that is known before it is run. RE2 knows no look-around and no back-references. Whoever
asks about such a pattern is told so.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import re2

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_PATTERN = 10_000
# Most patterns are small and many are asked about in turn; the large ones would fill the memory.
SMALL_MEMORY, SMALL_REMEMBERED = 1 << 16, 4_096
LARGE_MEMORY, LARGE_REMEMBERED = 1 << 20, 32
# An escape of JSON Schema's dialect that RE2 spells differently; pairs of backslashes stand for one.
CODE_POINT = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\}|(.))", re.DOTALL)

# A step is about a microsecond. Where RE2 keeps no states it passes a hundred instructions in one.
INSTRUCTIONS_PER_STEP = 50
# What is passed sooner than the walk goes on is free.
FREE_STEPS = 40
# Making a program, or giving up because it is too large.
INSTRUCTIONS_MADE_PER_STEP = 4
TOO_LARGE_STEPS = 10_000


class Program(NamedTuple):
    """A pattern ready to be run, or not: then ``search`` is None. ``size`` counts instructions."""

    search: Callable[[str], object] | None
    size: int = 0
    is_too_large: bool = False


def is_found(pattern: str, name: str) -> bool | None:
    """Tell whether a pattern is found anywhere in a name; None if the pattern cannot be run."""
    search = _program(pattern).search
    return None if search is None else search(name) is not None


def search_price(pattern: str, name: str) -> int:
    """Return the steps that a search may take beyond those of the walk itself."""
    program = _program(pattern)
    if program.is_too_large:
        return TOO_LARGE_STEPS
    passed = program.size * (len(name) + 1) // INSTRUCTIONS_PER_STEP
    return max(0, passed + program.size // INSTRUCTIONS_MADE_PER_STEP - FREE_STEPS)


def _program(pattern: str) -> Program:
    if len(pattern) > LONGEST_PATTERN:
        return Program(None)
    small = _small(pattern)
    return _large(pattern) if small.is_too_large else small


@lru_cache(maxsize=SMALL_REMEMBERED)
def _small(pattern: str) -> Program:
    return _compiled(pattern, SMALL_MEMORY)


@lru_cache(maxsize=LARGE_REMEMBERED)
def _large(pattern: str) -> Program:
    return _compiled(pattern, LARGE_MEMORY)


def _compiled(pattern: str, memory: int) -> Program:
    options = re2.Options()
    options.max_mem = memory
    options.log_errors = False
    try:
        made = re2.compile(CODE_POINT.sub(_code_point, pattern), options)
    except re2.error as problem:
        return Program(None, is_too_large=b"too large" in problem.args[0])
    return Program(made.search, made.programsize)


def _code_point(match: re.Match[str]) -> str:
    digits = match[1] or match[2]
    return f"\\x{{{digits}}}" if digits else match[0]
