"""One schema to be checked, what it is compared with, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.cli.deciding import Decision
    from accord.cli.explaining import Told
    from accord.client import CheckAnswer
    from accord.model import ReferenceResolver, SchemaText


@dataclass(frozen=True, slots=True)
class Source:
    """A schema text, and what people call the place it comes from."""

    name: str
    schema: SchemaText
    resolver: ReferenceResolver | None = None


@dataclass(frozen=True, slots=True)
class Older:
    """A version to compare with; ``label`` names it in sentences."""

    source: Source
    label: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A new schema, the versions before it (oldest first), and what decides.

    ``ask`` gets the word of the registry itself, where that counts too.
    """

    new: Source
    history: tuple[Older, ...]
    decision: Decision
    subject: str = ""
    notes: tuple[str, ...] = ()
    ask: Callable[[], CheckAnswer] | None = None


class Status(StrEnum):
    """What came of a file; ``SKIPPED`` ones were not judged, which hinders nothing."""

    ALLOWED = "allowed"
    BLOCKED = "blocked"
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one file: findings of a case, or words about why there was none."""

    file: str
    status: Status
    case: Case | None = None
    findings: tuple[Told, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
