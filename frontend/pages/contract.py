"""What travels with a version besides its text, and the tags inside that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from accord.model import RuleMode, RuleSet
from registry.services.retagging import found_tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.utils.functional import _StrPromise

    from accord.model import ContractRule, Metadata
    from registry.records import SchemaRecord

# Nobody reads further; the API has more.
MOST_ROWS: Final = 100
EVERY_TAG: Final = ("*",)


WHEN: Final = {
    RuleMode.UPGRADE: _("when older data is read"),
    RuleMode.DOWNGRADE: _("when newer data is read"),
    RuleMode.UPDOWN: _("when older or newer data is read"),
    RuleMode.WRITE: _("when data is written"),
    RuleMode.READ: _("when data is read"),
    RuleMode.WRITEREAD: _("when data is written or read"),
}


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the metadata; the value of a sensitive one is not shown on a screen."""

    name: str
    value: str
    is_sensitive: bool


@dataclass(frozen=True, slots=True)
class TaggedPlace:
    """A part of the schema and its tags; ``is_inside`` where its text says so, and not the metadata."""

    path: str
    tags: tuple[str, ...]
    is_inside: bool


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One contract rule, and when clients run it."""

    rule: ContractRule
    when: _StrPromise


@dataclass(frozen=True, slots=True)
class ContractPanels:
    """The first of each, and how many more there are."""

    properties: tuple[Property, ...]
    places: tuple[TaggedPlace, ...]
    places_left_out: int
    rules: tuple[RuleRow, ...]
    rules_left_out: int


def contract_panels(schema: SchemaRecord) -> ContractPanels:
    """Return what there is to show of a schema."""
    metadata, rule_set = schema.contract.metadata, schema.contract.rule_set or RuleSet()
    places = list(_places(schema, metadata))
    rules = list(_rules(rule_set))
    return ContractPanels(
        properties=() if metadata is None else tuple(_properties(metadata)),
        places=tuple(places[:MOST_ROWS]),
        places_left_out=len(places[MOST_ROWS:]),
        rules=tuple(rules[:MOST_ROWS]),
        rules_left_out=len(rules[MOST_ROWS:]),
    )


def _properties(metadata: Metadata) -> Iterator[Property]:
    for name, value in metadata.properties[:MOST_ROWS]:
        is_sensitive = name in metadata.sensitive
        yield Property(name, "" if is_sensitive else value, is_sensitive)


def _places(schema: SchemaRecord, metadata: Metadata | None) -> Iterator[TaggedPlace]:
    for one in found_tags(schema, EVERY_TAG).tags:
        yield TaggedPlace(one.entity.path, one.tags, is_inside=True)
    for path, tags in () if metadata is None else metadata.tags:
        yield TaggedPlace(path, tags, is_inside=False)


def _rules(rule_set: RuleSet) -> Iterator[RuleRow]:
    """Yield the rules with the words of their mode, migrations first, as clients look for them."""
    for rule in rule_set.rules:
        yield RuleRow(rule, _("never: it is switched off") if rule.disabled else WHEN[rule.mode])
