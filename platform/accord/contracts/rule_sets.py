"""What a rule set must keep to, in the words of the dialect. Source: confluent-api, section 2.13."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.errors import InvalidRuleSet
from accord.model import RuleMode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import ContractRule, RuleSet

LONGEST_NAME = 256
MIGRATION_MODES = (RuleMode.UPGRADE, RuleMode.DOWNGRADE, RuleMode.UPDOWN)
EXCHANGE_MODES = (RuleMode.WRITE, RuleMode.READ, RuleMode.WRITEREAD)
# An action each for the two ways a rule runs in.
TWO_WAYS = frozenset({RuleMode.WRITEREAD, RuleMode.UPDOWN})


def require_valid(rule_set: RuleSet) -> None:
    """Refuse a rule set that clients could not run.

    Raises:
        InvalidRuleSet: Two rules share a name, or one has a name, a type, a mode or an action it may not.
    """
    _require_unique(rule_set.rules)
    _require_modes(rule_set.migration, MIGRATION_MODES, "Migration")
    _require_modes(rule_set.domain, EXCHANGE_MODES, "Domain")
    _require_modes(rule_set.encoding, EXCHANGE_MODES, "Encoding")
    for rule in rule_set.rules:
        _require_name(rule.name)
        if not rule.type:
            raise InvalidRuleSet("Missing rule type")
        if rule.mode not in TWO_WAYS and any("," in one for one in (rule.on_success, rule.on_failure)):
            raise InvalidRuleSet("Multiple actions only valid with WRITEREAD and UPDOWN")


def _require_unique(rules: Iterable[ContractRule]) -> None:
    seen: set[str] = set()
    for rule in rules:
        if rule.name in seen:
            raise InvalidRuleSet(f"Found rule with duplicate name '{rule.name}'")
        seen.add(rule.name)


def _require_modes(rules: Iterable[ContractRule], modes: tuple[RuleMode, ...], which: str) -> None:
    if any(rule.mode not in modes for rule in rules):
        raise InvalidRuleSet(f"{which} rules can only be {', '.join(modes)}")


def _require_name(name: str) -> None:
    if not name:
        raise InvalidRuleSet("Empty rule name")
    if len(name) > LONGEST_NAME:
        raise InvalidRuleSet("Rule name too long")
    if not (name[0].isalpha() or name[0] == "_"):
        raise InvalidRuleSet(f"Illegal initial character in rule name: {name}")
    if not all(one.isalnum() or one in "_-" for one in name):
        raise InvalidRuleSet(f"Illegal character in rule name: {name}")
