"""Metadata, rule sets and tags out of JSON values, whatever is sent in their place.

Members that nobody knows are ignored; null is what is not given. Source: confluent-api, sections 1.1 and
2.13.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar
from unicodedata import category

from accord.contracts.limits import DEFAULT_LIMITS, NO_LIMITS
from accord.contracts.rule_sets import require_valid
from accord.contracts.writing import metadata_data, rule_set_data
from accord.errors import ContractTooLarge, InvalidContract, InvalidRuleSet
from accord.model import (
    Contract,
    ContractRule,
    EntityType,
    Metadata,
    RuleKind,
    RuleMode,
    RulesEnabledAt,
    RuleSet,
    SchemaEntity,
    SchemaTags,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord.contracts.limits import ContractLimits

Choice = TypeVar("Choice", bound=StrEnum)

# Control characters and halves of characters, of which no text of a database can hold all.
UNFIT = frozenset({"Cc", "Cs"})
LINE_ENDS = "\t\n\r"
METADATA = "metadata"
RULE_SET = "ruleSet"


def read_metadata(
    value: object, place: str = METADATA, limits: ContractLimits = DEFAULT_LIMITS
) -> Metadata | None:
    """Return the metadata that a JSON value stands for; None for null. ``place`` is what refusals call it.

    Raises:
        InvalidContract: It has another shape, or holds a character that cannot be stored.
        ContractTooLarge: It is above a limit.
    """
    if value is None:
        return None
    reader = _Reader(limits, place)
    members = reader.members(value, place)
    return Metadata(
        tags=reader.mapped(members, "tags", place, reader.text_set),
        properties=reader.mapped(members, "properties", place, reader.scalar),
        sensitive=reader.text_set(members.get("sensitive"), f"{place}.sensitive"),
    )


def read_rule_set(
    value: object, place: str = RULE_SET, limits: ContractLimits = DEFAULT_LIMITS
) -> RuleSet | None:
    """Return the rule set that a JSON value stands for, checked; None for null.

    Raises:
        InvalidContract: It has another shape, or holds a character that cannot be stored.
        ContractTooLarge: It is above a limit.
        InvalidRuleSet: It breaks one of the rules for rule sets.
    """
    found = _rule_set(value, place, limits)
    if found is not None:
        require_valid(found)
    return found


def read_schema_tags(
    value: object, place: str, limits: ContractLimits = DEFAULT_LIMITS
) -> tuple[SchemaTags, ...]:
    """Return the tags that a JSON value lists for parts of a schema; none for null.

    Raises:
        InvalidContract: It has another shape, lacks a member, or holds a character that cannot be stored.
        ContractTooLarge: It is above a limit.
    """
    reader = _Reader(limits, place)
    return tuple(reader.schema_tags(value, place))


def read_names(value: object, place: str, limits: ContractLimits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return the names that a JSON value lists, sorted; none for null.

    Raises:
        InvalidContract, ContractTooLarge: As `read_schema_tags` does.
    """
    return _Reader(limits, place).text_set(value, place)


def stored_contract(metadata: object, rule_set: object) -> Contract:
    """Return the contract whose parts were written by `accord.contracts.writing` and accepted before."""
    return Contract(read_metadata(metadata, METADATA, NO_LIMITS), _rule_set(rule_set, RULE_SET, NO_LIMITS))


def require_sound(contract: Contract) -> None:
    """Hold a contract that was put together of several against what a single one must keep to.

    Raises:
        ContractTooLarge: Together they are above a limit.
        InvalidRuleSet: Their rules do not go together.
    """
    if contract.metadata is not None:
        read_metadata(metadata_data(contract.metadata))
    if contract.rule_set is not None:
        read_rule_set(rule_set_data(contract.rule_set))


def _rule_set(value: object, place: str, limits: ContractLimits) -> RuleSet | None:
    if value is None:
        return None
    reader = _Reader(limits, place)
    members = reader.members(value, place)
    return RuleSet(
        migration=tuple(reader.rules(members, "migrationRules", place)),
        domain=tuple(reader.rules(members, "domainRules", place)),
        encoding=tuple(reader.rules(members, "encodingRules", place)),
        enable_at=reader.choice(RulesEnabledAt, members, "enableAt", place),
    )


class _Reader:
    """Reads one value, and counts what it holds."""

    def __init__(self, limits: ContractLimits, place: str) -> None:
        self._limits = limits
        self._place = place
        self._characters = 0
        self._entries = 0

    def members(self, value: object, place: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise InvalidContract(place, "must be an object")
        return value

    def mapped(
        self, members: dict[str, Any], name: str, place: str, read: Callable[[object, str], Any]
    ) -> tuple[tuple[str, Any], ...]:
        """Return an object as sorted pairs, each value read in its own way."""
        at = f"{place}.{name}"
        given = members.get(name)
        if given is None:
            return ()
        held = self.members(given, at)
        self._count(len(held))
        return tuple(
            sorted((self.text(key, at), read(value, f"{at}.{key[:80]}")) for key, value in held.items())
        )

    def text_set(self, value: object, place: str) -> tuple[str, ...]:
        return tuple(sorted({self.text(one, place) for one in self._listed(value, place)}))

    def scalar(self, value: object, place: str) -> str:
        """Return a text; numbers and flags are taken for theirs."""
        if isinstance(value, bool):
            return str(value).lower()
        return str(value) if isinstance(value, int) else self.text(value, place)

    def text(self, value: object, place: str) -> str:
        if not isinstance(value, str):
            raise InvalidContract(place, "must be a string")
        self._characters += len(value)
        if self._characters > self._limits.characters:
            raise ContractTooLarge(self._place, f"more than {self._limits.characters} characters")
        if any(category(one) in UNFIT for one in value if one not in LINE_ENDS):
            raise InvalidContract(place, "holds a control character or half a character")
        return value

    def choice(self, choices: type[Choice], members: dict[str, Any], name: str, place: str) -> Choice | None:
        value = members.get(name)
        if value is None:
            return None
        known = next((one for one in choices if one == value), None)
        if known is None:
            raise InvalidContract(f"{place}.{name}", f"must be one of {', '.join(choices)}")
        return known

    def rules(self, members: dict[str, Any], name: str, place: str) -> Iterator[ContractRule]:
        at = f"{place}.{name}"
        for position, one in enumerate(self._listed(members.get(name), at)):
            yield self._rule(one, f"{at}[{position}]")

    def schema_tags(self, value: object, place: str) -> Iterator[SchemaTags]:
        for position, one in enumerate(self._listed(value, place)):
            at = f"{place}[{position}]"
            given = self.members(one, at)
            named = self.members(given.get("schemaEntity"), f"{at}.schemaEntity")
            kind = self.choice(EntityType, named, "entityType", f"{at}.schemaEntity")
            if kind is None:
                raise InvalidContract(
                    f"{at}.schemaEntity.entityType", f"must be one of {', '.join(EntityType)}"
                )
            path = self.text(named.get("entityPath"), f"{at}.schemaEntity.entityPath")
            tags = [self.text(tag, f"{at}.tags") for tag in self._listed(given.get("tags"), f"{at}.tags")]
            yield SchemaTags(SchemaEntity(path, kind), tuple(tags))

    def _rule(self, value: object, place: str) -> ContractRule:
        given = self.members(value, place)
        name, kind = self._optional(given, "name", place), self._optional(given, "type", place)
        if name is None:
            raise InvalidRuleSet("Missing rule name")
        disabled = given.get("disabled")
        if disabled is not None and not isinstance(disabled, bool):
            raise InvalidContract(f"{place}.disabled", "must be true or false")
        return ContractRule(
            name=name,
            type=kind or "",
            kind=self.choice(RuleKind, given, "kind", place) or RuleKind.TRANSFORM,
            mode=self.choice(RuleMode, given, "mode", place) or RuleMode.WRITEREAD,
            doc=self._optional(given, "doc", place) or "",
            tags=self.text_set(given.get("tags"), f"{place}.tags"),
            params=self.mapped(given, "params", place, self.scalar),
            expr=self._optional(given, "expr", place) or "",
            on_success=self._optional(given, "onSuccess", place) or "",
            on_failure=self._optional(given, "onFailure", place) or "",
            disabled=bool(disabled),
        )

    def _optional(self, members: dict[str, Any], name: str, place: str) -> str | None:
        value = members.get(name)
        return None if value is None else self.text(value, f"{place}.{name}")

    def _listed(self, value: object, place: str) -> list[object]:
        if value is None:
            return []
        if not isinstance(value, list):
            raise InvalidContract(place, "must be an array")
        self._count(len(value))
        return value

    def _count(self, entries: int) -> None:
        self._entries += entries
        if self._entries > self._limits.entries:
            raise ContractTooLarge(self._place, f"more than {self._limits.entries} entries")
