"""Regular expressions written by tenants: RE2 syntax, matched in linear time.

Python's own engine can be made to run for ever by a short pattern; RE2 cannot. What only a
backtracking engine understands (looking around, references to groups) is refused when the pattern is
read, never passed over in silence.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import re2

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_PATTERN = 300
# What one compiled pattern may take in memory; beyond it RE2 works more slowly, still in linear time.
MEMORY = 1 << 20
REMEMBERED = 64


def _options() -> re2.Options:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MEMORY
    return options


OPTIONS = _options()


def pattern_flaw(pattern: str) -> str | None:
    """Return what is wrong with a pattern as a sentence that says what to change, or None."""
    if len(pattern) > LONGEST_PATTERN:
        return f"the pattern is longer than {LONGEST_PATTERN} characters; write a shorter one"
    try:
        _program(pattern)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace")
        return f"the pattern is not RE2 syntax ({reason}); mend it, without look-around and back references"
    return None


def is_match(pattern: str, text: str) -> bool:
    """Tell whether a pattern without flaw matches the whole of a text."""
    return _program(pattern).fullmatch(text) is not None


def matcher(pattern: str) -> Callable[[str], bool]:
    """Return what tells whether a pattern without flaw matches the whole of a text."""
    program = re2.compile(pattern, OPTIONS)
    return lambda text: program.fullmatch(text) is not None


def match_price(pattern: str, text: str) -> int:
    """Return the most instructions that RE2 passes to match a text, about 150 in a microsecond.

    Few patterns come near: RE2 passes one state for each byte as long as it can remember the states.
    """
    size: int = _program(pattern).programsize
    return size * (len(text) + 1)


@lru_cache(maxsize=REMEMBERED)
def _program(pattern: str) -> re2._Regexp:
    return re2.compile(pattern, OPTIONS)
