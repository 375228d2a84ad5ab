"""Lifetimes as people write them: ``30m``, ``12h``, ``90d``."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}
FORM: Final = "30m, 12h or 90d"
_lifetime = re.compile(r"([0-9]{1,6})([mhd])")


def read_lifetime(text: str) -> timedelta | None:
    """Read a number with its unit; None for anything else."""
    found = _lifetime.fullmatch(text)
    return None if found is None else timedelta(**{UNITS[found[2]]: int(found[1])})


def write_lifetime(lifetime: timedelta) -> str:
    """Write it in the largest unit that it is a whole number of, in minutes where there is none."""
    for letter, unit in reversed(UNITS.items()):
        number, rest = divmod(lifetime, timedelta(**{unit: 1}))
        if not rest:
            return f"{number}{letter}"
    return f"{lifetime // timedelta(minutes=1)}m"
