"""The spellings of levels: Confluent's seven names, what other products say, and two forms of our own.

A level is two directions with a depth each (`accord.model.Level`), so there are more levels than
names. Besides the seven names a level may be written as

* a bounded name, ``BACKWARD_TILL(3)``: every version from 3 on, and the latest in any case;
* two sides joined, ``BACKWARD_TILL(3)_AND_FORWARD``, where the directions look differently deep;
* a mapping, ``{backward: {till: 3}, forward: latest}``, whose values are ``latest``, ``all`` or a bound;
* ``FROZEN``, which refuses every change.

Case, ``_``, ``-`` and spaces do not count. `spell_level` gives the one spelling that is stored.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from accord.errors import InvalidPolicy, UnknownLevel
from accord.model import Bound, Level
from accord.model.levels import ALL, CONFLUENT_LEVELS, LATEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    WrittenBound: TypeAlias = "str | Mapping[str, object] | None"

FROZEN = Level(frozen=True)
FROZEN_NAME = "FROZEN"
# What other products call a level; the names are compared without case and without `_` and `-`.
ALIASES: Mapping[str, tuple[str, ...]] = {
    "NONE": ("ALLOW_ALL", "ALLOW_ANY", "ALWAYS_COMPATIBLE"),
    FROZEN_NAME: ("DENY_ALL", "DISABLED", "ALWAYS_INCOMPATIBLE"),
    "BACKWARD_TRANSITIVE": ("BACKWARD_ALL",),
    "FORWARD_TRANSITIVE": ("FORWARD_ALL",),
    "FULL": ("BOTH",),
    "FULL_TRANSITIVE": ("FULL_ALL", "BOTH_ALL", "BOTH_TRANSITIVE"),
}
LARGEST_VERSION = 2**31 - 1
LONGEST_TEXT = 100
FILLERS = re.compile(r"[-_\s]+")
TILL = re.compile(r"(BACKWARD|FORWARD|FULL|BOTH)TILL\(([0-9]{1,10})\)")
ADVICE = (
    "write one of the seven names of Confluent, FROZEN, a bounded name such as BACKWARD_TILL(3),"
    " or two sides such as BACKWARD_TRANSITIVE_AND_FORWARD"
)


def _folded(text: str) -> str:
    return FILLERS.sub("", text).upper()


NAMED: Mapping[str, Level] = {FROZEN_NAME: FROZEN, **CONFLUENT_LEVELS}
FOLDED: Mapping[str, Level] = {
    _folded(spelled): level for name, level in NAMED.items() for spelled in (name, *ALIASES.get(name, ()))
}


def read_level(written: str | Mapping[str, object]) -> Level:
    """Return the level that a text or a mapping stands for.

    Raises `accord.errors.InvalidPolicy`, whose sentence says what to write.
    """
    return _from_text(written) if isinstance(written, str) else _from_mapping(written)


def parse_level(name: str) -> Level:
    """Return the level of one of Confluent's seven names, in any case: the words of its own interface.

    Raises `accord.errors.UnknownLevel`.
    """
    level = CONFLUENT_LEVELS.get(name.upper())
    if level is None:
        raise UnknownLevel(name=name)
    return level


def _from_text(text: str) -> Level:
    if len(text) <= LONGEST_TEXT:
        folded = _folded(text)
        one = _single(folded)
        if one is not None:
            return one
        # No name holds AND between two sides, so the first one parts them.
        first, joined, second = folded.partition("AND")
        if joined:
            return _joined(text, _single(first), _single(second))
    raise InvalidPolicy(details=f"there is no level {text[:LONGEST_TEXT]!a}; {ADVICE}")


def _single(folded: str) -> Level | None:
    bounded = TILL.fullmatch(folded)
    if bounded is None:
        return FOLDED.get(folded)
    bound = _till(int(bounded[2]))
    return Level(
        backward=None if bounded[1] == "FORWARD" else bound,
        forward=None if bounded[1] == "BACKWARD" else bound,
    )


def _till(version: int) -> Bound:
    if not 1 <= version <= LARGEST_VERSION:
        raise InvalidPolicy(details=f"a level looks back to a version from 1 to {LARGEST_VERSION}; write one")
    return Bound(version)


def _joined(text: str, first: Level | None, second: Level | None) -> Level:
    one_sided = [
        level for level in (first, second) if level and (level.backward is None) != (level.forward is None)
    ]
    backward = [level.backward for level in one_sided if level.backward is not None]
    forward = [level.forward for level in one_sided if level.forward is not None]
    if len(backward) != 1 or len(forward) != 1:
        raise InvalidPolicy(
            details=f"{text!a} does not join one backward and one forward side;"
            " write for example BACKWARD_TILL(3)_AND_FORWARD"
        )
    return Level(backward=backward[0], forward=forward[0])


def _from_mapping(written: Mapping[str, object]) -> Level:
    unknown = sorted(written.keys() - {"backward", "forward"})
    if unknown:
        raise InvalidPolicy(
            details=f"a level has no side {unknown[0][:LONGEST_TEXT]!a}; write backward, forward or both"
        )
    level = Level(backward=_bound(written.get("backward")), forward=_bound(written.get("forward")))
    if level == Level():
        raise InvalidPolicy(details="the level has no side; give backward or forward, or write NONE")
    return level


def _bound(written: object) -> Bound | None:
    match written:
        case None:
            return None
        case str() if written.lower() == "latest":
            return LATEST
        case str() if written.lower() == "all":
            return ALL
        case {"till": int(version), **rest} if not rest and not isinstance(version, bool):
            return _till(version)
    raise InvalidPolicy(details="a side of a level is latest, all or {till: VERSION}; write one of them")


def spell_level(level: Level) -> str:
    """Return the one spelling of a level that is stored; `read_level` reads it back."""
    if level.frozen:
        return FROZEN_NAME
    known = {named: name for name, named in CONFLUENT_LEVELS.items()}.get(level)
    if known is not None:
        return known
    if level.backward == level.forward:
        return _side("FULL", level.backward)
    sides = (("BACKWARD", level.backward), ("FORWARD", level.forward))
    return "_AND_".join(_side(name, bound) for name, bound in sides if bound is not None)


def _side(name: str, bound: Bound | None) -> str:
    match bound:
        case Bound(oldest=int(oldest)) if oldest > 1:
            return f"{name}_TILL({oldest})"
        case Bound(oldest=1):
            return f"{name}_TRANSITIVE"
    return name


def nearest_confluent(level: Level) -> str:
    """Return the name of Confluent's that a level shows as where only those seven exist.

    The name shown never promises more than holds: a bounded direction shows as its latest version
    alone, and where two directions reach differently deep, both show at the smaller depth. Two
    directions are never shown as one. A frozen level lets nothing through that any level would
    refuse, so it shows as FULL_TRANSITIVE.
    """
    if level.frozen:
        return "FULL_TRANSITIVE"
    sides = [bound for bound in (level.backward, level.forward) if bound is not None]
    depth = ALL if all(bound == ALL for bound in sides) else LATEST
    shown = Level(backward=level.backward and depth, forward=level.forward and depth)
    return next(name for name, named in CONFLUENT_LEVELS.items() if named == shown)


def level_after(level: Level, name: str) -> Level:
    """Return the level in force after a Confluent client sends a name while ``level`` is in force.

    Sending back the name that is shown changes nothing, so a client that reads and writes the whole
    record does not lose a level that it cannot see. Raises `accord.errors.UnknownLevel`.
    """
    wanted = parse_level(name)
    return level if nearest_confluent(level) == name.upper() else wanted
