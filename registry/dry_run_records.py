"""What a dry run of a policy is asked and tells: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from accord.model import SubjectName
    from registry.policy_records import PolicyPlace, PolicyText


@dataclass(frozen=True, slots=True)
class StartDryRun:
    """The command behind a dry run; exactly one of ``policy``, ``text`` and ``level`` is given.

    ``policy`` names a stored one, in ``version`` or its newest; ``text`` is one that is not stored; ``level``
    stands in for the level of every subject concerned, whoever sets that now. Without a ``place`` a policy
    counts where the one of its name is bound, or else, as a level does, in the whole namespace.
    """

    policy: str = ""
    version: int | None = None
    text: PolicyText | None = None
    level: str | Mapping[str, object] | None = None
    place: PolicyPlace | None = None


class ChangeKind(StrEnum):
    """How two verdicts on one version differ: refused or allowed now, or findings of another weight."""

    REFUSED = "refused"
    ALLOWED = "allowed"
    SEVERITY = "severity"


@dataclass(frozen=True, slots=True)
class DryRunRecord:
    """A dry run as its caller follows it.

    ``proposal`` holds the policy's name and version and its document, or a level; ``tally`` counts changes
    by kind, and the comparisons made. ``cut`` names the bound that ended it early, ``failure`` what went
    wrong.
    """

    id: UUID
    state: str
    proposal: Mapping[str, Any]
    places: tuple[PolicyPlace, ...]
    done: int
    total: int
    tally: Mapping[str, int]
    cut: str
    failure: str
    created_at: datetime
    created_by: str

    @property
    def is_over(self) -> bool:
        """True when nothing more will be found."""
        return self.state not in {"queued", "running"}


@dataclass(frozen=True, slots=True)
class Decision:
    """One finding that decides a change: how much it weighs under either policy, None where it is missing.

    ``direction`` and ``version`` are None for what is wrong with the schema itself.
    """

    rule: str
    path: str
    direction: str | None
    version: int | None
    before: str | None
    after: str | None
    message: str


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A version that the two policies judge differently; ``left_out`` decisions are not listed."""

    kind: ChangeKind
    decided_by: tuple[Decision, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class DryRunRow:
    """One row of the result."""

    position: int
    subject: SubjectName
    version: int
    change: VerdictChange = field(repr=False)
