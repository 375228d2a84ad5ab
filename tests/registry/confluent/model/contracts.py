"""Metadata and rule sets, for the model: how they are shown, merged, and told apart (1.1, 2.3, 2.10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

VERSION: Final = "confluent:version"
RESERVED: Final = "confluent:reserved"


@dataclass(frozen=True)
class Metadata:
    """All of it in order, as it is kept."""

    properties: tuple[tuple[str, str], ...] = ()
    tags: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sensitive: tuple[str, ...] = ()

    @property
    def shown(self) -> dict[str, Any]:
        """What is sent and answered: nothing empty."""
        tags = {path: list(names) for path, names in self.tags}
        members = {"properties": dict(self.properties), "tags": tags, "sensitive": list(self.sensitive)}
        return {name: value for name, value in members.items() if value}

    @property
    def hashed(self) -> str:
        """What goes into the GUID."""
        parts = [part for path, names in self.tags for part in (path, *names)]
        return "\x01" + "".join(
            [*parts, *(part for pair in self.properties for part in pair), *self.sensitive]
        )

    def over(self, older: Metadata) -> Metadata:
        """Return the union of both; what this one says wins."""
        return Metadata(
            tuple(sorted({**dict(older.properties), **dict(self.properties)}.items())),
            tuple(sorted({**dict(older.tags), **dict(self.tags)}.items())),
            tuple(sorted({*older.sensitive, *self.sensitive})),
        )

    def named(self, number: int) -> Metadata:
        """Return the same with the property that the server keeps."""
        return Metadata(((VERSION, str(number)),)).over(self)


@dataclass(frozen=True)
class Rule:
    """One rule; only what differs from the defaults needs to be sent."""

    name: str
    mode: str = "WRITEREAD"
    kind: str = "TRANSFORM"
    type: str = "CEL"
    tags: tuple[str, ...] = ()
    params: tuple[tuple[str, str], ...] = ()
    expr: str = ""
    on_failure: str = ""
    disabled: bool = False

    @property
    def shown(self) -> dict[str, Any]:
        """What is answered."""
        members = {
            "name": self.name,
            "kind": self.kind,
            "mode": self.mode,
            "type": self.type,
            "tags": list(self.tags),
            "params": dict(self.params),
            "expr": self.expr,
            "onFailure": self.on_failure,
        }
        return {**{name: value for name, value in members.items() if value}, "disabled": self.disabled}

    @property
    def hashed(self) -> str:
        """What goes into the GUID."""
        params = (part for pair in self.params for part in pair)
        parts = [self.name, self.kind, self.mode, self.type, *self.tags, *params, self.expr, self.on_failure]
        return "".join(parts) + ("\x01" if self.disabled else "")


@dataclass(frozen=True)
class RuleSet:
    """The three lists, and where the rules run."""

    migration: tuple[Rule, ...] = ()
    domain: tuple[Rule, ...] = ()
    encoding: tuple[Rule, ...] = ()
    enable_at: str = ""

    @property
    def shown(self) -> dict[str, Any]:
        """What is sent and answered: nothing empty."""
        members = {
            "migrationRules": [one.shown for one in self.migration],
            "domainRules": [one.shown for one in self.domain],
            "encodingRules": [one.shown for one in self.encoding],
            "enableAt": self.enable_at,
        }
        return {name: value for name, value in members.items() if value}

    @property
    def hashed(self) -> str:
        """What goes into the GUID."""
        rules = (*self.migration, *self.domain, *self.encoding)
        return "\x01" + "".join(one.hashed for one in rules) + self.enable_at

    @property
    def types(self) -> set[str]:
        """The types of all rules."""
        return {one.type for one in (*self.migration, *self.domain, *self.encoding)}

    def over(self, older: RuleSet) -> RuleSet:
        """Return both, list by list: a rule replaces the one of its name and is appended."""
        return RuleSet(
            _merged(older.migration, self.migration),
            _merged(older.domain, self.domain),
            _merged(older.encoding, self.encoding),
            self.enable_at or older.enable_at,
        )

    def without(self, names: tuple[str, ...]) -> RuleSet:
        """Return the rules of other names."""
        migration, domain, encoding = (
            tuple(one for one in rules if one.name not in names)
            for rules in (self.migration, self.domain, self.encoding)
        )
        return RuleSet(migration, domain, encoding, self.enable_at)

    @property
    def is_sound(self) -> bool:
        """Names are unique across all lists (2.13)."""
        names = [one.name for one in (*self.migration, *self.domain, *self.encoding)]
        return len(names) == len(set(names))


def _merged(older: tuple[Rule, ...], newer: tuple[Rule, ...]) -> tuple[Rule, ...]:
    replaced = {one.name for one in newer}
    return (*(one for one in older if one.name not in replaced), *newer)


def merged(older: Any, newer: Any) -> Any:
    """Return what one of both adds to the other, where either may be missing."""
    if older is None or newer is None:
        return older if newer is None else newer
    return newer.over(older)
