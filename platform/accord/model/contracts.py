"""What travels with a schema: metadata, the rules that clients run, and tags inside its text.

Everything is kept in one order, so that two that mean the same are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RuleKind(StrEnum):
    """What a contract rule does: change a message, or say whether it is good."""

    TRANSFORM = "TRANSFORM"
    CONDITION = "CONDITION"


class RuleMode(StrEnum):
    """When clients run a contract rule."""

    UPGRADE = "UPGRADE"
    DOWNGRADE = "DOWNGRADE"
    UPDOWN = "UPDOWN"
    WRITE = "WRITE"
    READ = "READ"
    WRITEREAD = "WRITEREAD"


class RulesEnabledAt(StrEnum):
    """Who runs the contract rules of a rule set."""

    ALL = "ALL"
    CLIENT = "CLIENT"
    GATEWAY = "GATEWAY"
    SERVER = "SERVER"
    NONE = "NONE"


class EntityType(StrEnum):
    """What can be tagged inside a schema; objects and messages are records, properties are fields."""

    RECORD = "sr_record"
    FIELD = "sr_field"


@dataclass(frozen=True, slots=True)
class SchemaEntity:
    """A part of a schema that can be tagged, by its path: ``com.x.Rec.f``, ``object.f``, ``.pkg.Msg.f``."""

    path: str
    type: EntityType


@dataclass(frozen=True, slots=True)
class SchemaTags:
    """The tags of one part of a schema, in the order of the text."""

    entity: SchemaEntity
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Metadata:
    """Tags by path pattern, properties, and the names of properties that are sensitive; each sorted."""

    tags: tuple[tuple[str, tuple[str, ...]], ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    sensitive: tuple[str, ...] = ()

    def value(self, name: str) -> str | None:
        """Return the value of a property; None without it."""
        return dict(self.properties).get(name)


@dataclass(frozen=True, slots=True)
class ContractRule:
    """One contract rule; texts that were not given are empty, tags and parameters are sorted."""

    name: str
    type: str
    kind: RuleKind = RuleKind.TRANSFORM
    mode: RuleMode = RuleMode.WRITEREAD
    doc: str = ""
    tags: tuple[str, ...] = ()
    params: tuple[tuple[str, str], ...] = ()
    expr: str = ""
    on_success: str = ""
    on_failure: str = ""
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The contract rules of a schema by what they are for, each list in the order it was given in."""

    migration: tuple[ContractRule, ...] = ()
    domain: tuple[ContractRule, ...] = ()
    encoding: tuple[ContractRule, ...] = ()
    enable_at: RulesEnabledAt | None = None

    @property
    def rules(self) -> tuple[ContractRule, ...]:
        """All of them: those for migrations, for domains, for encodings."""
        return (*self.migration, *self.domain, *self.encoding)


@dataclass(frozen=True, slots=True)
class Contract:
    """What is part of a schema's identity beside text and references; None is not the same as empty."""

    metadata: Metadata | None = None
    rule_set: RuleSet | None = None

    @property
    def properties(self) -> dict[str, str]:
        """The properties of the metadata: none without metadata."""
        return {} if self.metadata is None else dict(self.metadata.properties)


NO_CONTRACT = Contract()
