"""Answers that come with a warning; it is kept with the answers of the hot path, and ends with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from registry.api.confluent.calls import WithHeaders
from registry.api.life_headers import life_headers

if TYPE_CHECKING:
    from registry.version_states import Life

V = TypeVar("V")


def warned(value: V, life: Life) -> V | WithHeaders:
    """Return an answer, with a warning unless what it holds is enabled."""
    headers = life_headers(life)
    return WithHeaders(value, headers) if headers else value
