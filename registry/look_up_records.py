"""What is asked and told about schemas whose name somebody knows, but not where they are: frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord.model import Format, Reference, SubjectName


class Identity(StrEnum):
    """The ways to name a schema by what it is."""

    DIGEST = "digest"
    GUID = "guid"
    RABIN = "rabin"
    MD5 = "md5"
    SHA256 = "sha256"


@dataclass(frozen=True, slots=True)
class FoundSchema:
    """A schema of a namespace without its text; ``fingerprints`` are in hexadecimal, none outside of Avro."""

    id: int
    context: str
    guid: UUID
    digest: str
    format: Format
    references: tuple[Reference, ...]
    fingerprints: dict[str, str]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Use:
    """A version whose text is a content, somewhere in the tenant."""

    namespace: str
    subject: SubjectName
    version: int
    schema_id: int
    format: Format
    is_deleted: bool


@dataclass(frozen=True, slots=True)
class UsePlace:
    """A place in the list of uses: the last one told."""

    namespace: str
    context: str
    name: str
    version: int
