"""The names of compatibility levels and what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.errors import UnknownLevel
from accord.model.levels import CONFLUENT_LEVELS

if TYPE_CHECKING:
    from accord.model import Level

__all__ = ["CONFLUENT_LEVELS", "parse_level"]


def parse_level(name: str) -> Level:
    """Return the level of a Confluent name, in any case.

    Raises `accord.errors.UnknownLevel`.
    """
    level = CONFLUENT_LEVELS.get(name.upper())
    if level is None:
        raise UnknownLevel(name=name)
    return level
