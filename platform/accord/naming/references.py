"""References as people write them: ``NAME=SUBJECT@VERSION``."""

from __future__ import annotations

from typing import Final

from accord.errors import InvalidReference
from accord.model import Reference

# No version is higher than 2**31 - 1.
MAX_DIGITS: Final = 10
LONGEST_SHOWN: Final = 200


def parse_reference(text: str) -> Reference:
    """Read ``NAME=SUBJECT@VERSION``; a subject may hold any of these characters.

    Raises `accord.errors.InvalidReference` for anything else.
    """
    name, _, target = text.partition("=")
    subject, _, version = target.rpartition("@")
    if (
        not name
        or not subject
        or not (version.isascii() and version.isdecimal())
        or len(version) > MAX_DIGITS
    ):
        raise InvalidReference(f"{text[:LONGEST_SHOWN]!r} is not NAME=SUBJECT@VERSION")
    return Reference(name, subject, int(version))
