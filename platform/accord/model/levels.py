"""Compatibility levels as directions and depth."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Direction(StrEnum):
    """Which side reads: BACKWARD = new reads old, FORWARD = old reads new."""

    BACKWARD = "backward"
    FORWARD = "forward"


@dataclass(frozen=True, slots=True)
class Bound:
    """How deep one direction looks into the history, newest first.

    ``oldest`` is None for the latest version alone, 1 for all, n for "down to version n".
    """

    oldest: int | None = None

    @property
    def is_transitive(self) -> bool:
        """True when more than the latest version is compared."""
        return self.oldest is not None

    def reaches(self, number: int | None, *, age: int) -> bool:
        """Tell whether it looks at a version, whose number may be unknown; the latest is of age 0."""
        return age == 0 or (self.oldest is not None and (number is None or number >= self.oldest))


LATEST = Bound()
ALL = Bound(oldest=1)


@dataclass(frozen=True, slots=True)
class Level:
    """What a candidate is compared with; ``frozen`` refuses every change."""

    backward: Bound | None = None
    forward: Bound | None = None
    frozen: bool = False

    @property
    def is_transitive(self) -> bool:
        """True when one of the directions looks further than the latest version."""
        return any(bound is not None and bound.is_transitive for bound in (self.backward, self.forward))


# The seven names of the Confluent dialect.
CONFLUENT_LEVELS: dict[str, Level] = {
    "NONE": Level(),
    "BACKWARD": Level(backward=LATEST),
    "BACKWARD_TRANSITIVE": Level(backward=ALL),
    "FORWARD": Level(forward=LATEST),
    "FORWARD_TRANSITIVE": Level(forward=ALL),
    "FULL": Level(backward=LATEST, forward=LATEST),
    "FULL_TRANSITIVE": Level(backward=ALL, forward=ALL),
}
