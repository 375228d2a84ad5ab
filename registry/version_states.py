"""The states of a version, and which may follow which."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


class VersionState(StrEnum):
    """What a version may be used for.

    *Deprecated* ones are served with a warning. *Disabled* ones are never the latest, are not found by
    look-ups, cannot be registered or referred to anew, and nothing is held against them; whoever names one by
    its number or reads its schema by id still gets it, for the data that were written with it.
    """

    ENABLED = "enabled"
    DEPRECATED = "deprecated"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True)
class Life:
    """The state of a version, or of a schema by its best use, and since when; None where it never changed."""

    state: VersionState = VersionState.ENABLED
    since: datetime | None = None


NEWBORN: Final = Life()
# Every state leads to every other; coming back from disabled, a version is judged among those around it.
TRANSITIONS: Final[Mapping[VersionState, tuple[VersionState, ...]]] = {
    one: tuple(other for other in VersionState if other is not one) for one in VersionState
}
