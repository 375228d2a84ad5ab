"""When two contracts are as good as one: for look-ups, and for checks that stay within a group.

Source: confluent-api, sections 2.4 and 5.5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.contracts.merging import VERSION
from accord.model import Metadata, RuleSet

if TYPE_CHECKING:
    from accord.model import Contract


def stands_for(new: Contract, known: Contract, number: int) -> bool:
    """Tell whether a look-up with one contract may be answered with version ``number``, which has another.

    A version that the new one names must be that one; what the known one says of its version does not
    count otherwise. Empty metadata are none here, and so is an empty rule set.
    """
    wanted, stored = (one.properties.get(VERSION) for one in (new, known))
    if wanted is not None and wanted not in {str(number), stored}:
        return False
    return _meaning(new) == _meaning(known)


def is_same_group(one: Contract, other: Contract, group: str) -> bool:
    """Tell whether two schemas belong to one group: they agree in the property, or both lack it."""
    return one.properties.get(group) == other.properties.get(group)


def _meaning(contract: Contract) -> tuple[Metadata, RuleSet]:
    metadata = contract.metadata or Metadata()
    properties = tuple(one for one in metadata.properties if one[0] != VERSION)
    return replace(metadata, properties=properties), contract.rule_set or RuleSet()
