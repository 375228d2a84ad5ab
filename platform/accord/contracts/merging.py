"""What a new schema carries: defaults, what was sent or inherited, overrides; and the version it names.

Source: confluent-api, sections 2.3 (step 4) and 2.4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from accord.model import NO_CONTRACT, Contract, Metadata, RuleSet

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from accord.model import ContractRule

T = TypeVar("T")

# The property that the registry keeps: the number of the version it belongs to.
VERSION = "confluent:version"


@dataclass(frozen=True, slots=True)
class ContractSettings:
    """What a config adds to every new schema: below what it carries itself, and above that."""

    defaults: Contract = NO_CONTRACT
    overrides: Contract = NO_CONTRACT

    @property
    def is_empty(self) -> bool:
        """True when it adds nothing."""
        return self == NO_SETTINGS


NO_SETTINGS = ContractSettings()


def inherited(sent: Contract, latest: Contract) -> Contract:
    """Return what was sent, with the latest version's metadata or rule set where none was."""
    return Contract(
        latest.metadata if sent.metadata is None else sent.metadata,
        latest.rule_set if sent.rule_set is None else sent.rule_set,
    )


def completed(sent: Contract, latest: Contract, settings: ContractSettings = NO_SETTINGS) -> Contract:
    """Return all that a new schema carries, before it is told its version."""
    found = settings.defaults
    for later in (inherited(sent, latest), settings.overrides):
        found = Contract(
            _merged(found.metadata, later.metadata, merge_metadata),
            _merged(found.rule_set, later.rule_set, merge_rule_sets),
        )
    return found


def with_version(contract: Contract, number: int) -> Contract:
    """Return a contract whose metadata names a version."""
    known = contract.metadata or Metadata()
    properties = {**dict(known.properties), VERSION: str(number)}
    return replace(contract, metadata=replace(known, properties=tuple(sorted(properties.items()))))


def merge_metadata(older: Metadata, newer: Metadata) -> Metadata:
    """Return the members of both; where both have a path or a property, the newer one's."""
    return Metadata(
        tags=tuple(sorted({**dict(older.tags), **dict(newer.tags)}.items())),
        properties=tuple(sorted({**dict(older.properties), **dict(newer.properties)}.items())),
        sensitive=tuple(sorted({*older.sensitive, *newer.sensitive})),
    )


def merge_rule_sets(older: RuleSet, newer: RuleSet) -> RuleSet:
    """Return the rules of both, each list by itself; newer ones follow, and replace those of their name."""
    return RuleSet(
        migration=merge_rules(older.migration, newer.migration),
        domain=merge_rules(older.domain, newer.domain),
        encoding=merge_rules(older.encoding, newer.encoding),
        enable_at=newer.enable_at or older.enable_at,
    )


def merge_rules(older: tuple[ContractRule, ...], newer: tuple[ContractRule, ...]) -> tuple[ContractRule, ...]:
    """Return the older rules that no newer one replaces, then the newer ones."""
    replaced = {rule.name for rule in newer}
    return (*(rule for rule in older if rule.name not in replaced), *newer)


def without_rules(rule_set: RuleSet, names: Collection[str]) -> RuleSet:
    """Return a rule set without the rules of some names, whichever list they are in."""
    migration, domain, encoding = (
        tuple(rule for rule in rules if rule.name not in names)
        for rules in (rule_set.migration, rule_set.domain, rule_set.encoding)
    )
    return replace(rule_set, migration=migration, domain=domain, encoding=encoding)


def _merged(older: T | None, newer: T | None, merge: Callable[[T, T], T]) -> T | None:
    if older is None or newer is None:
        return older if newer is None else newer
    return merge(older, newer)
