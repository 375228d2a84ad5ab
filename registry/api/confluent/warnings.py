"""How an answer says that what it holds should not be used much longer.

``Deprecation`` is that of RFC 9745, the moment since when as a structured date; ``Warning`` has the same in
words, with the code 299 of warnings that stay. Both are kept with the answers of the hot path, and end with
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from registry.api.confluent.calls import WithHeaders
from registry.version_states import VersionState

if TYPE_CHECKING:
    from registry.version_states import Life

V = TypeVar("V")
WORDS: Final = {
    VersionState.DEPRECATED: "this version is deprecated since {day}: write with a newer one",
    VersionState.DISABLED: "this version is disabled since {day}: read old data with it, and write none",
}


def warned(value: V, life: Life) -> V | WithHeaders:
    """Return an answer, with a warning unless what it holds is enabled."""
    if life.state is VersionState.ENABLED or life.since is None:
        return value
    words = WORDS[life.state].format(day=life.since.date().isoformat())
    headers = {"Deprecation": f"@{int(life.since.timestamp())}", "Warning": f'299 accord "{words}"'}
    return WithHeaders(value, headers)
