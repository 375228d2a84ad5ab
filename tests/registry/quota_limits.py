"""What sets limits in tests."""

from __future__ import annotations

from typing import Protocol


class Limit(Protocol):
    """Sets limits of *north*; what was counted before is not what the next change adds."""

    def __call__(self, **wanted: int | None) -> None:
        """Set them by name."""
        ...
