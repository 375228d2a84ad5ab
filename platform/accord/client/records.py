"""What the client takes and hands out: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

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
    """One version of a subject as the registry shows it."""

    subject: SubjectName
    number: int
    id: int
    schema: SchemaText
    guid: UUID | None = None


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """The registry's verdict on a candidate, with the messages of a refusal."""

    is_compatible: bool
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecodedRecord:
    """A record's value, and the number or GUID of the schema it was written with."""

    identity: SchemaIdentity
    value: object
