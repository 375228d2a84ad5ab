"""Patterns of file paths: ``*`` and ``?`` inside a name, ``**`` over any number of folders.

They come from a repository that may be hostile, so they are matched by RE2, in linear time.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from accord.policy.patterns import is_match, pattern_flaw

PARTS: Final = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
MEANT: Final = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def glob_flaw(glob: str) -> str | None:
    """What is wrong with a pattern, or None."""
    if glob.startswith("/") or ".." in glob.split("/"):
        return "the pattern leads out of the folder of this file; write one that stays inside"
    return pattern_flaw(_pattern(glob))


def is_covered(glob: str, path: str) -> bool:
    """Tell whether a pattern without flaw covers a path, both written with ``/``."""
    return is_match(_pattern(glob), path)


@cache
def _pattern(glob: str) -> str:
    return "(?s)" + "".join(MEANT.get(part) or re.escape(part) for part in PARTS.findall(glob))
