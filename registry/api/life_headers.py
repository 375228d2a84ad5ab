"""How an answer says that what it holds should not be used much longer, in every dialect.

``Deprecation`` is that of RFC 9745, the moment since when as a structured date; ``Warning`` has the same in
words, with the code 299 of warnings that stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from registry.version_states import VersionState

if TYPE_CHECKING:
    from registry.version_states import Life

DEPRECATION: Final = "Deprecation"
WARNING: Final = "Warning"
WORDS: Final = {
    VersionState.DEPRECATED: "this version is deprecated since {day}: write with a newer one",
    VersionState.DISABLED: "this version is disabled since {day}: read old data with it, and write none",
}


def life_headers(life: Life) -> dict[str, str]:
    """Return what warns of a version; nothing while it is enabled."""
    if life.state is VersionState.ENABLED or life.since is None:
        return {}
    words = WORDS[life.state].format(day=life.since.date().isoformat())
    return {DEPRECATION: f"@{int(life.since.timestamp())}", WARNING: f'299 accord "{words}"'}
