"""What metadata and a rule set may cost: every bound that hostile input could push against."""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ContractLimits:
    """Upper bounds on metadata, and on a rule set.

    ``characters`` counts those of all names and values together, ``entries`` the tags, properties, rules,
    parameters and whatever else is listed in either.
    """

    characters: int = 100_000
    entries: int = 1_000


DEFAULT_LIMITS = ContractLimits()
# For what was accepted before, whatever the limits were then.
NO_LIMITS = ContractLimits(characters=sys.maxsize, entries=sys.maxsize)
