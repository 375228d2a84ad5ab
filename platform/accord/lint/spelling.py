"""Names in the cases that lint rules ask for.

Source: the functions ``ToSnakeCase`` and ``ToPascalCase`` of Buf, whose rules these conversions decide.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

DELIMITERS: Final = frozenset(".-_ \t\n\r")
BLANKS: Final = " \t\n\r\v\f"
REMEMBERED: Final = 4_096


@lru_cache(maxsize=REMEMBERED)
def pascal_case(name: str) -> str:
    """Return ``ListUsers`` for ``list_users``; runs of capitals stay, digits begin no word."""
    made: list[str] = []
    is_first = True
    for char in name.strip(BLANKS):
        if char in DELIMITERS:
            is_first = True
            continue
        made.append(char.upper() if is_first or char.isupper() else char.lower())
        is_first = False
    return "".join(made)


@lru_cache(maxsize=REMEMBERED)
def snake_case(name: str) -> str:
    """Return ``list_users`` for ``ListUsers``; digits begin no word, so ``a1`` and ``a_1`` both stay."""
    return _words(name).lower()


def upper_snake_case(name: str) -> str:
    """Return ``LIST_USERS`` for ``ListUsers``."""
    return snake_case(name).upper()


def camel_case(name: str) -> str:
    """Return ``listUsers`` for ``list_users`` and ``ListUsers``."""
    made = pascal_case(name)
    return made[:1].lower() + made[1:]


def _words(name: str) -> str:
    """Return a name with ``_`` between its words, in the case it had."""
    bare = name.strip("".join(DELIMITERS))
    made: list[str] = []
    for at, char in enumerate(bare):
        if char in DELIMITERS:
            if made[-1] != "_":
                made.append("_")
        elif made and made[-1] != "_" and char.isupper() and _begins_word(bare, at):
            made += ("_", char)
        else:
            made.append(char)
    return "".join(made)


def _begins_word(name: str, at: int) -> bool:
    following = name[at + 1 : at + 2]
    goes_on = bool(following) and not (
        following.isupper() or following.isdecimal() or following in DELIMITERS
    )
    return goes_on or name[at - 1].islower()
