"""Regular expressions written by tenants: RE2 syntax, matched in linear time.

Python's own engine can be made to run for ever by a short pattern; RE2 cannot. What only a
backtracking engine understands (looking around, references to groups) is refused when the pattern is
read, never passed over in silence.
"""

from __future__ import annotations

import re2

LONGEST_PATTERN = 300
# What one compiled pattern may take in memory; beyond it RE2 works more slowly, still in linear time.
MEMORY = 1 << 20


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
        re2.compile(pattern, OPTIONS)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace")
        return f"the pattern is not RE2 syntax ({reason}); mend it, without look-around and back references"
    return None


def is_match(pattern: str, text: str) -> bool:
    """Tell whether a pattern without flaw matches the whole of a text."""
    return re2.fullmatch(pattern, text, OPTIONS) is not None
