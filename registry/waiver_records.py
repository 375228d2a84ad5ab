"""Waivers: recorded permissions to register one schema once, despite what blocks it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from accord.model import NO_CONTRACT

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord.model import Contract, Format, SchemaText, SubjectName

# Rule, path and direction of a finding.
WaivedFinding = tuple[str, str, str]


class WaiverState(StrEnum):
    """The life of a waiver; only an open one waives anything."""

    OPEN = "open"
    USED = "used"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class GiveWaiver:
    """The command behind a new waiver.

    ``rules`` names what is waived; without any it is exactly what blocks the schema just now.
    """

    subject: SubjectName
    schema: SchemaText
    reason: str
    expires_at: datetime
    rules: tuple[str, ...] = ()
    normalize: bool = False
    contract: Contract = NO_CONTRACT


@dataclass(frozen=True, slots=True)
class WaiverRecord:
    """A waiver as those see it who may read it; ``digest`` names the schema with its references, in hex.

    ``ended_at`` and ``ended_by`` tell of its use or its revocation, ``version`` which one it let in.
    """

    id: UUID
    subject: SubjectName
    format: Format
    digest: str
    rules: tuple[str, ...]
    findings: tuple[WaivedFinding, ...]
    reason: str
    state: WaiverState
    created_at: datetime
    created_by: str
    expires_at: datetime
    ended_at: datetime | None
    ended_by: str
    version: int | None
