"""Line and column of places in a JSON text, from one pass over it.

A text is read once into a tree of places; after that each JSON pointer costs its own length. The
text is taken as it was written, comments and odd spacing included. It is assumed to have parsed;
of anything else the tree holds what could be made out, and nothing is raised.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from accord.model.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

LINE_BREAK = re.compile(r"\r\n|\r|\n")
TOKEN = re.compile(
    r'(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z))|(?P<open>[\[{])|(?P<close>[\]}])|(?P<comma>,)|'
    r"(?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*+)|(?P<word>[^\s\[\]{},:\"/]++)",
    re.DOTALL,
)


class Position(NamedTuple):
    """A place in a text; both numbers count from 1, the column in characters (code points)."""

    line: int
    column: int


@frozen
class Leaf:
    """A string, number or constant: where it begins, and for a string what it says."""

    offset: int
    text: str | None = None


@frozen
class Items:
    """A list: where it begins, and its items."""

    offset: int
    items: list[Spot]


@frozen
class Members:
    """An object: where it begins, its members and where their keys are.

    Of a member given twice the last counts.
    """

    offset: int
    members: dict[str, Spot]
    keys: dict[str, int]


Spot: TypeAlias = Leaf | Items | Members
NOWHERE = Leaf(0)


class TextPlaces:
    """The places of one text; ``root`` is the tree, for those who know what it means."""

    def __init__(self, text: str) -> None:
        self.root = _tree(text)
        self.starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]

    def position(self, spot: Spot) -> Position:
        """Return line and column of a place in the tree."""
        return self.at(spot.offset)

    def at(self, offset: int) -> Position:
        """Return line and column of a character."""
        line = bisect_right(self.starts, offset)
        return Position(line, offset - self.starts[line - 1] + 1)

    def locate(self, pointer: str) -> Position:
        """Return where a JSON pointer leads; of a place that is not there, what would hold it."""
        spot = self.root
        for token in pointer_tokens(pointer):
            inner = step(spot, token)
            if inner is None:
                break
            spot = inner
        return self.position(spot)


def locate(text: str, pointer: str) -> Position:
    """Return line and column of one pointer; for many in one text see `TextPlaces`."""
    return TextPlaces(text).locate(pointer)


def pointer_tokens(pointer: str) -> list[str]:
    """Return the tokens of a JSON pointer, unescaped; a leading ``#`` (a fragment) is left out."""
    tokens = pointer.removeprefix("#").split("/")[1:]
    return [token.replace("~1", "/").replace("~0", "~") for token in tokens]


def step(spot: Spot, token: str) -> Spot | None:
    """Return the member or the item that a token names, or None."""
    if isinstance(spot, Members):
        return spot.members.get(token)
    if isinstance(spot, Items) and token.isascii() and token.isdigit():
        # The longest list has fewer items than a number of twenty digits counts.
        return next(iter(spot.items[int(token[:20]) :][:1]), None)
    return None


def _tree(text: str) -> Spot:
    builder = _Builder()
    for token in TOKEN.finditer(text):
        builder.take(token)
    return next(iter(builder.top.items), NOWHERE)


class _Builder:
    """The open brackets, innermost last, and the key whose value is due in each open object."""

    def __init__(self) -> None:
        self.top = Items(0, [])
        self.open: list[Items | Members] = [self.top]
        self.keys: list[str | None] = [None]

    def take(self, token: re.Match[str]) -> None:
        match token.lastgroup:
            case "open":
                opened = Members(token.start(), {}, {}) if token[0] == "{" else Items(token.start(), [])
                self._add(opened)
                self.open.append(opened)
                self.keys.append(None)
            case "close" if len(self.open) > 1:
                self.open.pop()
                self.keys.pop()
            case "comma":
                self.keys[-1] = None
            case "string":
                self._take_string(token)
            case "word":
                self._add(Leaf(token.start()))

    def _take_string(self, token: re.Match[str]) -> None:
        spelled = unquoted(token[0])
        holder = self.open[-1]
        if isinstance(holder, Members) and self.keys[-1] is None:
            self.keys[-1] = spelled
            holder.keys[spelled] = token.start()
        else:
            self._add(Leaf(token.start(), spelled))

    def _add(self, spot: Spot) -> None:
        holder = self.open[-1]
        if isinstance(holder, Items):
            holder.items.append(spot)
        else:
            holder.members[self.keys[-1] or ""] = spot


def unquoted(spelled: str) -> str:
    """Return what a string in quotes says; of one that is no string, what is written."""
    if "\\" not in spelled:
        return spelled[1:-1]
    try:
        return str(json.loads(spelled, strict=False))
    except json.JSONDecodeError:
        return spelled


def positions(text: str, pointers: Iterable[str]) -> dict[str, Position]:
    """Return line and column of many pointers in one text."""
    places = TextPlaces(text)
    return {pointer: places.locate(pointer) for pointer in pointers}
