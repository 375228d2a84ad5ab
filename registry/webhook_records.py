"""Webhooks as commands and as they are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class WebhookDetails:
    """What can be said of a webhook; None leaves it as it is."""

    url: str | None = None
    events: tuple[str, ...] | None = None
    description: str | None = None
    is_enabled: bool | None = None


@dataclass(frozen=True, slots=True)
class WebhookRecord:
    """A webhook as those see it who may read it; its secret is not part of it."""

    id: UUID
    url: str
    events: tuple[str, ...]
    description: str
    is_enabled: bool
    disabled_because: str
    revision: int
    created_at: datetime
    created_by: str
    roll_ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """A message to a webhook; ``due_at`` is when it is sent next, ``ended_at`` when that was over."""

    id: int
    event: str
    state: str
    attempts: int
    created_at: datetime
    due_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One attempt: the status that came back, or why none did."""

    number: int
    at: datetime
    status: int | None
    error: str
    milliseconds: int


@dataclass(frozen=True, slots=True)
class MessageDetails:
    """A message with what is sent and every attempt at that."""

    message: MessageRecord
    body: Mapping[str, object]
    attempts: tuple[AttemptRecord, ...]
