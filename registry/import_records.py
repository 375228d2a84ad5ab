"""What an import is asked and tells: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from accord.errors import AccordError
    from accord.model import SubjectName
    from registry.records import RegisterVersion


class VersionKey(NamedTuple):
    """A version by its place."""

    subject: SubjectName
    number: int


@dataclass(frozen=True, slots=True)
class ImportedVersion:
    """One version to be stored under its own id and number; ``is_deleted`` says that it will be deleted."""

    command: RegisterVersion
    schema_id: int
    is_deleted: bool

    @property
    def key(self) -> VersionKey:
        """Where it goes."""
        return VersionKey(self.command.subject, self.command.number)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One version that was not taken, and why: the code and the sentence of the error."""

    key: VersionKey
    code: str
    message: str

    @classmethod
    def of(cls, key: VersionKey, error: AccordError) -> Self:
        """Return what an error says of a version."""
        return cls(key, error.code, error.message)


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """What became of a batch: how many were stored or deleted, were so already, or were refused."""

    registered: int = 0
    deleted: int = 0
    present: int = 0
    refused: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class StartImport:
    """The command behind an import: where it comes from, and how many of each kind are to come."""

    source: str
    planned: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What whoever brought it found at the end: the checksums of both sides, and how much differs."""

    source_sha256: str
    target_sha256: str
    differences: int


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """An import as its caller follows it; ``result`` once it is done."""

    id: UUID
    state: str
    source: str
    planned: Mapping[str, int]
    registered: int
    deleted: int
    present: int
    refused: int
    result: ImportResult | None
    created_at: datetime
    created_by: str
    heard_at: datetime

    @property
    def is_over(self) -> bool:
        """True when nothing more will come."""
        return self.state != "running"


@dataclass(frozen=True, slots=True)
class IssueRow:
    """One row of what was refused."""

    position: int
    refusal: Refusal
