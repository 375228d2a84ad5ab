"""Where the values of a policy in force come from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from accord.model import SubjectName

T_co = TypeVar("T_co", covariant=True)


class Reach(IntEnum):
    """What a policy is bound to; the larger, the nearer to the subject."""

    TENANT = 1
    NAMESPACE = 2
    PREFIX = 3
    SUBJECT = 4


@dataclass(frozen=True, slots=True)
class BindingPlace:
    """Where a policy is bound. ``name`` is a prefix or a qualified subject, else for people only."""

    reach: Reach
    name: str = ""

    def covers(self, subject: SubjectName) -> bool:
        """Tell whether the place counts for a subject of its namespace.

        A prefix without context means subjects of the default context.
        """
        if self.reach is Reach.PREFIX:
            return subject.qualified.startswith(self.name)
        return self.reach is not Reach.SUBJECT or subject.qualified == self.name

    def __str__(self) -> str:
        what = "subject prefix" if self.reach is Reach.PREFIX else self.reach.name.lower()
        return f"{what} {self.name}".strip()


class OriginKind(StrEnum):
    """Who set a value."""

    POLICY = "policy"
    CONFIG = "config"
    INSTALLATION = "installation"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from: a section of a bound policy, a config record, or the installation."""

    kind: OriginKind
    policy: str = ""
    version: int | None = None
    place: BindingPlace | None = None
    section: str = ""
    scope: str = ""

    def __str__(self) -> str:
        if self.kind is OriginKind.POLICY:
            return f"policy {self.policy}, version {self.version}, {self.section}, bound to {self.place}"
        return f"Confluent config, {self.scope}" if self.scope else "installation default"


@dataclass(frozen=True, slots=True)
class Valued(Generic[T_co]):
    """A value and where it comes from."""

    value: T_co
    origin: Origin


INSTALLED = Origin(OriginKind.INSTALLATION)
