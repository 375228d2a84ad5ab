"""What the life of versions is told in: frozen values, never model instances."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from accord.model import SubjectName
    from registry.version_states import Life, VersionState


@dataclass(frozen=True, slots=True)
class ChangeState:
    """The command that changes the state of a version; ``expected`` is its revision, None for whichever."""

    number: int
    state: VersionState
    reason: str
    expected: int | None = None


@dataclass(frozen=True, slots=True)
class StateStep:
    """One change of state: from what, to what, why, when and by whom."""

    before: VersionState
    after: VersionState
    reason: str
    changed_at: datetime
    changed_by: str


@dataclass(frozen=True, slots=True)
class VersionLife:
    """The state of a version and how it came to it, newest first; ``revision`` counts from one."""

    subject: SubjectName
    number: int
    life: Life
    revision: int
    steps: tuple[StateStep, ...]


@dataclass(frozen=True, slots=True)
class RollBack:
    """The command that registers the schema of an older version anew."""

    number: int
    skips_check: bool = False


@dataclass(frozen=True, slots=True)
class Comment:
    """What somebody said about a version; ``revision`` counts from one."""

    id: UUID
    text: str
    author: str
    created_at: datetime
    edited_at: datetime | None
    revision: int


@dataclass(frozen=True, slots=True)
class Described:
    """What is said of a subject or a version; ``revision`` is 1 as long as nothing was."""

    description: str = ""
    labels: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    revision: int = 1
    changed_at: datetime | None = None
    changed_by: str = ""


@dataclass(frozen=True, slots=True)
class Describe:
    """The command that changes what is said; what is None stays as it is."""

    description: str | None = None
    labels: tuple[str, ...] | None = None
    properties: Mapping[str, str] | None = None
    expected: int | None = None


class Deletion(StrEnum):
    """The two kinds of deletion."""

    SOFT = "soft"
    PERMANENT = "permanent"


@dataclass(frozen=True, slots=True)
class DeletionSwitches:
    """What a tenant or a namespace forbids by itself; ``in_force`` says who forbids which kind.

    ``revision`` is 1 as long as nobody said anything.
    """

    forbids_soft: bool = False
    forbids_permanent: bool = False
    revision: int = 1
    in_force: Mapping[Deletion, str] = field(default_factory=dict)
