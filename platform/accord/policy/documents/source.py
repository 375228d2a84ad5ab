"""A policy text, YAML or JSON, to one tree of values with their places.

YAML is read below its own types: a plain scalar stays the word that was written, and whoever needs a
number or a flag reads it as one. So ``off``, ``no`` and ``on``, which YAML 1.1 takes for true or
false, are words like any other, and ``010`` or ``1:30`` are never silently something else.

Anchors, aliases, tags and merge keys are refused: with them a text of a few lines can stand for
gigabytes, or for objects of the program that reads it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import yaml

from accord.formats import jsontext
from accord.formats.positions import Items, Members, TextPlaces, pointer_tokens
from accord.policy.documents.problems import Place, shown

if TYPE_CHECKING:
    from accord.formats.positions import Spot
    from accord.policy.documents.problems import Problems

LARGEST_TEXT = 65_536
DEEPEST = 12
# Reading YAML takes about a tenth of a millisecond for each.
MOST_VALUES = 5_000
NULLS = frozenset(("", "~", "null", "Null", "NULL"))
WORD = re.compile(r"[^\s\[\]{},:\"/]+")
TOO_DEEP = f"the text nests deeper than {DEEPEST} levels; no policy does"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A word or a text; ``is_quoted`` tells a text in quotes, ``is_literal`` a JSON number or constant."""

    place: Place
    text: str
    is_quoted: bool = False
    is_literal: bool = False

    @property
    def is_null(self) -> bool:
        """True where nothing is given: an empty value, ``~`` or null."""
        return not self.is_quoted and self.text in NULLS


@dataclass(frozen=True, slots=True)
class Listed:
    """A list."""

    place: Place
    items: list[Value]


@dataclass(frozen=True, slots=True)
class Mapped:
    """An object: its members, and the places of their keys."""

    place: Place
    members: dict[str, Value]
    keys: dict[str, Place]


Value: TypeAlias = Scalar | Listed | Mapped


def read_source(text: str, *, is_json: bool, problems: Problems) -> Value | None:
    """Return the tree of a text, or None where it has none; what is wrong is noted in ``problems``."""
    start = Place(1, 1)
    if len(text) > LARGEST_TEXT or len(text.encode(errors="replace")) > LARGEST_TEXT:
        problems.add(start, f"a policy has at most {LARGEST_TEXT} bytes; write a shorter one")
        return None
    return _JsonReader(text, problems).read() if is_json else _YamlReader(problems).read(text)


class _JsonReader:
    """One JSON text: checked as the schemas of the registry are, then read with its places."""

    def __init__(self, text: str, problems: Problems) -> None:
        self.text, self.problems = text, problems
        self.places = TextPlaces(text)

    def read(self) -> Value | None:
        try:
            jsontext.read(self.text, depth=DEEPEST, unique=True)
        except jsontext.JsonError as error:
            self.problems.add(self._place(error), TOO_DEEP if error.flaw.is_size else error.flaw.sentence)
            return None
        return self._value(self.places.root, "")

    def _place(self, error: jsontext.JsonError) -> Place:
        pointer = error.flaw.pointer
        if not pointer:
            try:
                json.loads(self.text)
            except json.JSONDecodeError as syntax:
                return Place(syntax.lineno, syntax.colno)
        found = self.places.locate(pointer)
        return Place(found.line, found.column, ".".join(pointer_tokens(pointer)))

    def _value(self, spot: Spot, path: str) -> Value:
        place = Place(*self.places.position(spot), path)
        if isinstance(spot, Members):
            inner = {key: self._value(value, joined(path, key)) for key, value in spot.members.items()}
            keys = {key: Place(*self.places.at(spot.keys[key]), joined(path, key)) for key in inner}
            return Mapped(place, inner, keys)
        if isinstance(spot, Items):
            return Listed(place, [self._value(item, f"{path}[{at}]") for at, item in enumerate(spot.items)])
        if spot.text is not None:
            return Scalar(place, spot.text, is_quoted=True)
        word = WORD.match(self.text, spot.offset)
        return Scalar(place, word[0] if word else "", is_literal=True)


class _YamlReader:
    """One YAML text: its events, made into values without ever recursing.

    ``open`` are the lists and objects being read, ``keys`` the key whose value is due in each.
    """

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.root: Value | None = None
        self.open: list[Listed | Mapped] = []
        self.keys: list[str | None] = []
        self.values = 0

    def read(self, text: str) -> Value | None:
        try:
            for event in yaml.parse(text, Loader=yaml.SafeLoader):
                if not self._take(event):
                    return None
        except yaml.reader.ReaderError as error:
            self._note_character(text, error.position)
            return None
        except yaml.MarkedYAMLError as error:
            self._note_syntax(error)
            return None
        if self.root is None:
            self.problems.add(Place(1, 1), "the text is empty; write a policy with a name")
        return self.root

    def _note_character(self, text: str, offset: int) -> None:
        begin = text.rfind("\n", 0, offset) + 1
        place = Place(text.count("\n", 0, offset) + 1, offset - begin + 1)
        self.problems.add(place, f"the character U+{ord(text[offset]):04X} may not stand in YAML; remove it")

    def _note_syntax(self, error: yaml.MarkedYAMLError) -> None:
        place = _marked(error.problem_mark)
        self.problems.add(place, f"the text is not YAML: {error.problem}; mend it there")

    def _take(self, event: yaml.Event) -> bool:
        """Take one event; False where reading on makes no sense."""
        place = self._place(event)
        if isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
            self.problems.add(place, "a second document begins; write one policy to a text")
            return False
        if isinstance(event, yaml.NodeEvent):
            return self._node(event, place)
        if isinstance(event, yaml.CollectionEndEvent):
            self.open.pop()
            self.keys.pop()
        return True

    def _node(self, event: yaml.NodeEvent, place: Place) -> bool:
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            self.problems.add(place, "anchors and aliases are not taken; write the value out")
            return False
        tag: str | None = getattr(event, "tag", None)
        if tag is not None:
            self.problems.add(place, f"the tag {shown(tag)} is not taken; leave it out")
            return False
        self.values += 1
        if len(self.open) >= DEEPEST or self.values > MOST_VALUES:
            message = TOO_DEEP if len(self.open) >= DEEPEST else f"a policy has at most {MOST_VALUES} words"
            self.problems.add(place, message)
            return False
        return self._value(event, place)

    def _value(self, event: yaml.NodeEvent, place: Place) -> bool:
        value: Value
        if isinstance(event, yaml.ScalarEvent):
            value = Scalar(place, event.value, is_quoted=event.style is not None)
        elif isinstance(event, yaml.MappingStartEvent):
            value = Mapped(place, {}, {})
        else:
            value = Listed(place, [])
        if not self._add(value):
            return False
        if not isinstance(value, Scalar):
            self.open.append(value)
            self.keys.append(None)
        return True

    def _add(self, value: Value) -> bool:
        holder = self.open[-1] if self.open else None
        match holder:
            case None:
                self.root = value
            case Listed():
                holder.items.append(value)
            case _:
                key = self.keys[-1]
                if key is None:
                    return self._key(holder, value)
                holder.members.setdefault(key, value)
                self.keys[-1] = None
        return True

    def _key(self, holder: Mapped, value: Value) -> bool:
        if not isinstance(value, Scalar):
            self.problems.add(value.place, "a member's name must be a word; write one")
            return False
        if value.text == "<<" and not value.is_quoted:
            self.problems.add(value.place, "merge keys are not taken; write the members out")
            return False
        place = Place(value.place.line, value.place.column, joined(holder.place.path, value.text))
        if value.text in holder.members:
            self.problems.add(place, f"the member {shown(value.text)} is given twice; keep one of them")
        self.keys[-1] = value.text
        holder.keys.setdefault(value.text, place)
        return True

    def _place(self, event: yaml.Event) -> Place:
        path = ""
        match self.open[-1:]:
            case [Listed(place, items)]:
                path = f"{place.path}[{len(items)}]"
            case [Mapped(place)]:
                path = joined(place.path, self.keys[-1] or "")
        return _marked(event.start_mark, path)


class Mark(Protocol):
    """A place as YAML counts it: line and column from 0."""

    @property
    def line(self) -> int:
        """Lines before."""
        ...

    @property
    def column(self) -> int:
        """Characters before in the line."""
        ...


def _marked(mark: Mark | None, path: str = "") -> Place:
    """Return a place of YAML's; where it names none, the beginning."""
    return Place(1, 1, path) if mark is None else Place(mark.line + 1, mark.column + 1, path)


def joined(path: str, key: str) -> str:
    """Return the path of a member."""
    if not key:
        return path
    return f"{path}.{key[:100]}" if path else key[:100]
