"""One schema to be checked, what it is compared with, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from accord.cli.deciding import Decision
    from accord.client import CheckAnswer
    from accord.client.verdicts import RemoteVerdict
    from accord.model import ReferenceResolver, SchemaText
    from accord.policy.explanation import Explanation
    from accord.policy.verdict_words import LevelWord

    Levels: TypeAlias = Mapping[str, LevelWord]


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

    ``ask`` gets the word of the registry itself, where that counts too. ``verdict`` is that of an Accord
    registry, after which nothing is judged here; the texts of the history are empty then.
    """

    new: Source
    history: tuple[Older, ...]
    decision: Decision
    subject: str = ""
    notes: tuple[str, ...] = ()
    ask: Callable[[], CheckAnswer] | None = None
    verdict: RemoteVerdict | None = None


class Status(StrEnum):
    """What came of a file; ``SKIPPED`` ones were not judged, which hinders nothing."""

    ALLOWED = "allowed"
    BLOCKED = "blocked"
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one file: an explained verdict on a case, or words about why there was none.

    ``levels`` judges under every level of Confluent's, which costs more than the verdict did.
    ``has_warnings`` counts what the explanation leaves out too.
    """

    file: str
    status: Status
    case: Case | None = None
    explanation: Explanation | None = None
    notes: tuple[str, ...] = ()
    problem: str = ""
    has_warnings: bool = False
    levels: Callable[[], Levels] | None = None
