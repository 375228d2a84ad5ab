"""What the registry tells of policies and is asked to do with them: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from accord.model import Format, SubjectName
    from accord.policy.advice import Advice
    from accord.policy.effective import EffectivePolicy
    from accord.policy.origins import BindingPlace
    from accord_server.kit.scope import NamespaceRef
    from registry.records import BoundPolicy

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class PolicyText:
    """A policy as it is written, and why it is as it is."""

    text: str
    is_json: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PolicyVersionRecord:
    """One version of a policy; ``reverted_from`` is the version whose content it brought back."""

    policy: str
    number: int
    document: Mapping[str, Any] = field(repr=False)
    source: str = field(repr=False)
    syntax: str
    created_at: datetime
    created_by: str
    reason: str
    reverted_from: int | None


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """One row of the list of policies."""

    name: str
    version: int
    description: str
    changed_at: datetime
    changed_by: str


@dataclass(frozen=True, slots=True)
class PolicyPlace:
    """Where a policy is bound: the tenant, a namespace, or in it a subject or what begins like one."""

    namespace: NamespaceRef | None = None
    subject: SubjectName | None = None
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class BindingRecord:
    """A policy bound to a place; ``namespace`` is the slug of the place's."""

    policy: str
    version: int
    namespace: str | None
    place: BindingPlace
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class Batch(Generic[Row]):
    """Rows of a list after a place in it; ``after`` is the place where the next batch begins, if any."""

    rows: tuple[Row, ...]
    after: str | None


@dataclass(frozen=True, slots=True)
class PolicyInForce:
    """The policy in force for a subject, with what it means; ``bound`` are the policies it is made of."""

    subject: SubjectName
    format: Format
    found: EffectivePolicy
    bound: tuple[BoundPolicy, ...]
    advice: Advice


@dataclass(frozen=True, slots=True)
class ReadPolicy:
    """What became of a policy text: its pinned form and what it means for each format, or its problems."""

    document: Mapping[str, Any] | None
    problems: tuple[Any, ...] = ()
    advice: Mapping[str, Advice] = field(default_factory=dict)
