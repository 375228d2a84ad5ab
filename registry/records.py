"""What the registry hands to other rooms: frozen values, never model instances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord.model import Format, Reference, SchemaText, SubjectName, Verdict


@dataclass(frozen=True, slots=True)
class SchemaRecord:
    """One stored schema of a context: immutable."""

    id: int
    guid: UUID
    context: str
    format: Format
    text: str
    references: tuple[Reference, ...]
    max_id: int | None = None


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One version of a subject and the schema it points to."""

    subject: SubjectName
    number: int
    schema: SchemaRecord
    is_deleted: bool
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """One row of the subjects list: enough to draw it without another query."""

    subject: SubjectName
    format: Format
    latest: int
    versions: int
    latest_schema_id: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Page:
    """One page of subject rows, with what paging needs."""

    rows: tuple[SubjectRow, ...]
    total: int
    number: int
    size: int


@dataclass(frozen=True, slots=True)
class LevelInForce:
    """The level in force for a subject and where it comes from.

    ``origin`` is one of ``subject``, ``context``, ``namespace``, ``server``.
    """

    name: str
    origin: str


@dataclass(frozen=True, slots=True)
class RegisterVersion:
    """The command behind ``POST /subjects/{s}/versions``.

    ``number`` and ``schema_id`` are the optional explicit version and id (imports).
    """

    subject: SubjectName
    schema: SchemaText | None
    normalize: bool = False
    number: int = 0
    schema_id: int | None = None


@dataclass(frozen=True, slots=True)
class RegisteredVersion:
    """The outcome of a registration: what is stored, and whether this call stored it."""

    version: VersionRecord
    is_new: bool
    verdict: Verdict | None = None
