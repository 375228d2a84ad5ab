"""Emptying the memories of this process, so that a test finds nothing that was there before."""

from __future__ import annotations

from registry.queries.standing import HISTORIES
from registry.services.memory import MODELS, PAIRS, SIZES, VERDICTS


def forget_verdicts() -> None:
    """Forget what was judged."""
    PAIRS.clear()
    VERDICTS.clear()


def forget_everything() -> None:
    """Forget what was judged, parsed and read."""
    forget_verdicts()
    MODELS.clear()
    SIZES.clear()
    HISTORIES.clear()
