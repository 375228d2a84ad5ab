"""May a reader with this schema read a subject? One answer, and a verdict on each version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.model import Direction, Format, Level
from accord.policy.comparison import Budget
from accord.policy.consumers import Consumption, Grounds, check_consumer
from accord.policy.judgement import Trials
from accord.policy.policies import Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.formats import ParsedSchema
    from accord.model import Comparison
    from accord.policy.judgement import HistoryEntry


@dataclass(frozen=True, slots=True)
class Reading:
    """The answer: its grounds, None where the reader may not read, and every version by itself.

    ``version`` is the one the grounds name, if they name one. A consumer of JSON Schema may be allowed though
    single versions as registered are not read: its schema can be a view of what producers of one version
    promise to keep.
    """

    grounds: Grounds | None
    version: int | None
    versions: tuple[Comparison, ...]

    @property
    def is_allowed(self) -> bool:
        """True when the reader may read the subject."""
        return self.grounds is not None

    @property
    def unread(self) -> tuple[int | None, ...]:
        """The versions that the reader, taken alone, cannot read."""
        return tuple(one.version for one in self.versions if one.is_blocked)


def can_read(
    reader: ParsedSchema,
    versions: Sequence[HistoryEntry],
    *,
    policy: Policy | None = None,
    budget: Budget | None = None,
) -> Reading:
    """Tell whether a reader's schema reads every live version, given oldest first.

    ``policy`` weighs what is found, Confluent's preset if not given; its level does not count. For JSON
    Schema the tests of `check_consumer` count as well.
    """
    shared = budget or Budget()
    trials = Trials(reader, versions, budget=shared)
    weighed = policy or Policy(Level())
    made = tuple(trials.comparison(weighed, Direction.BACKWARD, entry) for entry in versions)
    found = _consumption(reader, versions, made, shared)
    return Reading(found.grounds, found.version, made)


def _consumption(
    reader: ParsedSchema, versions: Sequence[HistoryEntry], made: Sequence[Comparison], budget: Budget
) -> Consumption:
    if reader.format is Format.JSON:
        return check_consumer(reader, versions, budget=budget)
    is_read = bool(made) and not any(one.is_blocked for one in made)
    return Consumption(Grounds.ALL_VERSIONS if is_read else None)
