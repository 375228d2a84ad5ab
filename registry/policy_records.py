"""What the registry tells of policies and is asked to do with them: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from accord.model import Format, SubjectName
    from accord.policy.advice import Advice
    from accord.policy.effective import EffectivePolicy
    from accord.policy.origins import BindingPlace
    from accord_server.kit.scope import NamespaceRef
    from registry.records import BoundPolicy


@dataclass(frozen=True, slots=True)
class PolicyText:
    """A policy as it is written, and why it is as it is.

    ``is_object`` tells that it came as an object inside of a body, of which nobody knows the lines.
    """

    text: str
    is_json: bool = False
    reason: str = ""
    is_object: bool = False


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
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PolicyPlace:
    """Where a policy is bound: the tenant, a namespace, or in it a subject or what begins like one."""

    namespace: NamespaceRef | None = None
    subject: SubjectName | None = None
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class TriedPolicy:
    """A policy to see what it would do: a text, or a stored one by name.

    Its newest version is meant unless one is named.
    """

    name: str = ""
    version: int | None = None
    text: PolicyText | None = None


@dataclass(frozen=True, slots=True)
class BindingRecord:
    """A policy bound to a place; ``namespace`` is the slug of the place's.

    ``number`` is that of the change that bound it.
    """

    policy: str
    version: int
    namespace: str | None
    place: BindingPlace
    created_at: datetime
    created_by: str
    number: int


@dataclass(frozen=True, slots=True)
class BindPolicy:
    """The command behind a binding.

    ``expected`` is the number of the change that the caller knows as the newest of the place, 0 for a place
    that is taken to be free, None for whatever is bound there.
    """

    policy: str
    expected: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BindingChangeRecord:
    """One change of what is bound to a place; ``policy`` is None where it was taken off."""

    number: int
    policy: str | None
    created_at: datetime
    created_by: str
    reason: str


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
    advice: Mapping[Format, Advice] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bound:
    """A policy that was just bound, and for each format what is in force at the place now, in words.

    There is no advice for who may not read policies there.
    """

    binding: BindingRecord
    advice: Mapping[Format, Advice]
