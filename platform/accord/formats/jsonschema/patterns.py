"""Running the regular expressions of users: by RE2 alone, whose time grows with the text and no faster.

RE2 knows no look-around and no back-references. Whoever asks about such a pattern is told so.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import re2

if TYPE_CHECKING:
    from collections.abc import Callable

REMEMBERED = 4_096
MEMORY = 1 << 20
LONGEST_PATTERN = 10_000
# An escape of JSON Schema's dialect that RE2 spells differently; pairs of backslashes stand for one.
CODE_POINT = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\}|(.))", re.DOTALL)


def is_found(pattern: str, name: str) -> bool | None:
    """Tell whether a pattern is found anywhere in a name; None if the pattern cannot be run."""
    search = _search(pattern)
    return None if search is None else search(name) is not None


@lru_cache(maxsize=REMEMBERED)
def _search(pattern: str) -> Callable[[str], object] | None:
    if len(pattern) > LONGEST_PATTERN:
        return None
    options = re2.Options()
    options.max_mem = MEMORY
    options.log_errors = False
    try:
        return re2.compile(CODE_POINT.sub(_code_point, pattern), options).search  # type: ignore[no-any-return]  # the package has no types
    except re2.error:
        return None


def _code_point(match: re.Match[str]) -> str:
    digits = match[1] or match[2]
    return f"\\x{{{digits}}}" if digits else match[0]
