"""What the client takes and hands out: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from accord.client.transport import Json
    from accord.model import SchemaText, SubjectName
    from accord.wire import SchemaIdentity


@dataclass(frozen=True, slots=True)
class Bearer:
    """A token sent as ``Authorization: Bearer``."""

    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Basic:
    """A user name and a password (for Accord: any name of the dialect and the token)."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Registered:
    """The answer to a registration; ``version`` and ``guid`` only from registries that tell them."""

    id: int
    version: int | None = None
    guid: UUID | None = None


@dataclass(frozen=True, slots=True)
class RemoteVersion:
    """One version of a subject; ``metadata`` and ``rule_set`` are as the registry wrote them."""

    subject: SubjectName
    number: int
    id: int
    schema: SchemaText
    guid: UUID | None = None
    metadata: Json = field(default=None, repr=False)
    rule_set: Json = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """The registry's verdict on a candidate, with the messages of a refusal."""

    is_compatible: bool
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptFinding:
    """A finding kept with a registration; about the schema itself it has no direction and no version."""

    rule: str
    severity: str
    path: str
    direction: str | None
    version: int | None


@dataclass(frozen=True, slots=True)
class RegistrationPolicy:
    """What was in force besides the level; ``level_origin`` and ``preset_origin`` are words for people.

    ``policies`` are names with versions, the nearest first.
    """

    preset: str
    preset_origin: str
    level_origin: str
    policies: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class KeptWaiver:
    """The waiver that let a version in: its id, who gave it, and why."""

    id: str
    given_by: str
    reason: str


@dataclass(frozen=True, slots=True)
class RegistrationVerdict:
    """How a version was let in.

    ``outcome`` is ``first``, ``allowed``, ``waived``, ``unchecked`` or ``imported``, ``compared`` the number
    of versions it was compared with, ``counts`` how many findings of each severity there were.
    """

    outcome: str
    compared: int
    counts: Mapping[str, int]
    waived_by: KeptWaiver | None = None


@dataclass(frozen=True, slots=True)
class RemoteRegistration:
    """One entry of the history of a subject; times are ISO 8601.

    ``in_force`` is None where policies may not be read, and like ``verdict`` where neither was kept yet.
    ``findings`` are the heaviest; ``document`` is the whole entry as the registry wrote it.
    """

    version: int
    id: int
    created_at: str
    created_by: str
    deleted_at: str | None
    level: str
    in_force: RegistrationPolicy | None
    verdict: RegistrationVerdict | None
    findings: tuple[KeptFinding, ...]
    document: Json = field(repr=False)


@dataclass(frozen=True, slots=True)
class DecodedRecord:
    """A record's value, and the number or GUID of the schema it was written with."""

    identity: SchemaIdentity
    value: object
