"""What a copy of a registry holds: versions, and the settings of places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.model import DEFAULT_CONTEXT, Reference, SubjectName
from accord.naming import GLOBAL_CONTEXT, split_subject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.client.transport import Json

TOP_LEVEL: Final = SubjectName("", DEFAULT_CONTEXT)
ABOVE_ALL: Final = SubjectName("", GLOBAL_CONTEXT)


class Key(NamedTuple):
    """A version by its place: subject and number."""

    subject: SubjectName
    number: int

    def __str__(self) -> str:
        return f"{self.subject} version {self.number}"


@dataclass(frozen=True, slots=True)
class CopiedVersion:
    """A version with everything that makes it; ``format`` is whatever the registry calls it.

    ``metadata`` and ``rule_set`` are the objects as they came. ``guid`` is None where a registry tells none.
    """

    key: Key
    id: int
    guid: str | None
    format: str
    text: str
    references: tuple[Reference, ...]
    metadata: Mapping[str, Json] | None
    rule_set: Mapping[str, Json] | None
    is_deleted: bool

    @property
    def targets(self) -> tuple[Key, ...]:
        """The versions that the references name."""
        home = self.key.subject.context
        return tuple(Key(split_subject(one.subject, context=home), one.version) for one in self.references)


@dataclass(frozen=True, slots=True)
class CopiedPlace:
    """A context (no name), a subject, or what is above all contexts, with settings of its own.

    ``config`` has the members of ``GET /config``; None where the place has none, like ``mode``.
    """

    place: SubjectName
    config: Mapping[str, Json] | None = None
    mode: str | None = None

    def __str__(self) -> str:
        return str(self.place) or "the top level"


def in_order(place: SubjectName) -> tuple[bool, bool, str, str]:
    """The order of places: above all, the default context, the others by name; then subjects by name."""
    return place != ABOVE_ALL, place.context != DEFAULT_CONTEXT, place.context, place.name
