"""Where in an Avro text a finding is: through names to the types they stand for.

The paths of findings follow the meaning of a schema, not its text: a named type is entered where it
is used, and ``{"type": {"type": "int"}}`` is one type. So a path is walked over the text as the
parser would read it, and a name leads to its definition. What a reference brings is in another text;
the place is then where its name is used.

A path follows the reader, but in unions it counts the writer's branches. Therefore both texts are
walked at once, and the reader's branch is the one that its comparison would take first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.formats.avro.model import PRIMITIVES
from accord.formats.avro.names import Name, split_alias, split_name
from accord.formats.positions import Items, Leaf, Position, Spot, TextPlaces, pointer_tokens, step

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMED = frozenset(("record", "error", "enum", "fixed"))
INNER = {"array": "items", "map": "values"}


class Place(NamedTuple):
    """A place in the tree of a text, and the namespace around it."""

    spot: Spot
    namespace: str | None = None

    def text(self, key: str) -> str | None:
        """Return a member that is a string."""
        found = step(self.spot, key)
        return found.text if isinstance(found, Leaf) else None

    def at(self, token: str) -> Place | None:
        """Return the place one step further in."""
        found = step(self.spot, token)
        return None if found is None else Place(found, self.namespace)

    @property
    def name(self) -> Name | None:
        """The name of the named type defined here."""
        text = self.text("name")
        if text is None or self.text("type") not in NAMED:
            return None
        space = self.text("namespace")
        return split_name(text, self.namespace if space is None else space or None)

    @property
    def kind(self) -> str | None:
        """The Avro type written here; None for a union and for what is no type."""
        return self.spot.text if isinstance(self.spot, Leaf) else self.text("type")

    def aliases(self) -> tuple[str, ...]:
        """The spelled aliases of a type or a field."""
        found = step(self.spot, "aliases")
        items = found.items if isinstance(found, Items) else []
        return tuple(item.text for item in items if isinstance(item, Leaf) and item.text is not None)


class AvroText:
    """One Avro text: its places, and the named types it defines."""

    def __init__(self, text: str) -> None:
        self.places = TextPlaces(text)
        self.root = Place(self.places.root)
        self.types: dict[str, Place] = {}
        self.known_fields: dict[int, dict[str, Place]] = {}
        waiting = [self.root]
        while waiting:
            place = waiting.pop()
            if place.name is not None:
                self.types.setdefault(place.name.full, place)
            waiting.extend(_inner_types(place))

    def position(self, place: Place) -> Position:
        """Return line and column of a place."""
        return self.places.position(place.spot)

    def locate(self, path: str) -> Position:
        """Return where a path of this schema's own leads, such as that of a missing doc."""
        return locate_pair(self, self, path)[1]

    def fields_by_name(self, record: Place) -> dict[str, Place]:
        """Return the fields of a record; remembered, since many findings are about one record."""
        found = self.known_fields.get(record.spot.offset)
        if found is None:
            found = {field.text("name") or "": field for field in reversed(_fields(record))}
            self.known_fields[record.spot.offset] = found
        return found

    def meant(self, place: Place) -> Place:
        """Return the type that is meant at a place: behind wrapping objects, and behind a name."""
        inner = step(place.spot, "type")
        while inner is not None and (not isinstance(inner, Leaf) or self._is_name(inner.text)):
            place = Place(inner, place.namespace)
            inner = step(place.spot, "type")
        return (self._named(place) or place) if isinstance(place.spot, Leaf) else place

    def _is_name(self, text: str | None) -> bool:
        return text is not None and text not in PRIMITIVES and text not in NAMED and text not in INNER

    def _named(self, place: Place) -> Place | None:
        text = place.kind
        if text is None or not self._is_name(text):
            return None
        own = self.types.get(split_name(text, place.namespace).full)
        return own or self.types.get(text)


def _inner_types(place: Place) -> Iterator[Place]:
    """Yield the types written inside a type; each with the namespace around it."""
    spot = place.spot
    if isinstance(spot, Items):
        yield from (Place(item, place.namespace) for item in spot.items)
        return
    kind = place.text("type")
    if kind in ("record", "error"):
        yield from (field_type for field in _fields(place) if (field_type := field.at("type")) is not None)
    else:
        inner = place.at(INNER.get(kind or "", "type"))
        if inner is not None:
            yield inner


def _inner_namespace(record: Place) -> str | None:
    name = record.name
    return record.namespace if name is None else name.namespace


def _fields(record: Place) -> list[Place]:
    fields, namespace = step(record.spot, "fields"), _inner_namespace(record)
    return [Place(item, namespace) for item in fields.items] if isinstance(fields, Items) else []


def locate_pair(reader: AvroText, writer: AvroText, path: str) -> tuple[Position, Position]:
    """Return where the path of a finding is in the reader's and in the writer's text.

    What is missing in a text has the place of what would hold it.
    """
    walk = _Walk(reader, writer)
    tokens = pointer_tokens(path)
    while tokens:
        tokens = walk.advance(tokens)
    return reader.position(walk.reader), writer.position(walk.writer)


class _Walk:
    """Both sides of a path walked so far; a side that ends earlier stays where it is."""

    def __init__(self, reader: AvroText, writer: AvroText) -> None:
        self.texts = (reader, writer)
        self.reader, self.writer = reader.root, writer.root
        self.is_writer_lost = False

    def advance(self, tokens: list[str]) -> list[str]:
        """Take one or two tokens; return those that are left."""
        written = self.texts[1].meant(self.writer)
        if tokens[0].isdecimal():
            self._write(written.at(tokens[0]), written)
            return tokens[1:]
        read = self._branch(self.texts[0].meant(self.reader), written)
        if tokens[0] == "fields" and len(tokens) > 1:
            return self._field(read, written, tokens[1:])
        self.reader = read.at(tokens[0]) or read
        self._write(written.at(tokens[0]), written)
        return tokens[1:]

    def _write(self, inner: Place | None, holder: Place) -> None:
        """Go on in the writer, or stay for good at what would hold the place."""
        if not self.is_writer_lost:
            self.writer = inner or holder
            self.is_writer_lost = inner is None

    def _field(self, read: Place, written: Place, tokens: list[str]) -> list[str]:
        """Enter a field: the reader's by its position, the writer's by a name of that one."""
        fields = step(read.spot, "fields")
        spot = None if fields is None else step(fields, tokens[0])
        if spot is None:
            # What only the writer has goes by its name; in the reader it would be in the record.
            self.reader = read
            self._write(self.texts[1].fields_by_name(written).get(tokens[0]), written)
            return []
        field = Place(spot, _inner_namespace(read))
        others = self.texts[1].fields_by_name(written)
        names = (field.text("name") or "", *field.aliases())
        match = next((others[name] for name in names if name in others), None)
        self._write(match, written)
        self.reader = field
        if tokens[1:]:
            # Only what a field says of itself ends here; its type goes on.
            self.reader = field.at(tokens[1]) or field
            self._write(self.writer.at(tokens[1]), self.writer)
        return tokens[2:]

    def _branch(self, read: Place, written: Place) -> Place:
        """Return the branch of the reader's union that the writer's type is compared with."""
        if not isinstance(read.spot, Items):
            return read
        branches = [self.texts[0].meant(Place(item, read.namespace)) for item in read.spot.items]
        alike = [branch for branch in branches if _kind(branch) == _kind(written)]
        name = written.name
        if name is not None:
            same = [branch for branch in alike if branch.name == name]
            close = [branch for branch in alike if _goes_by(branch, name)]
            alike = same or close or alike
        return alike[0] if alike else read


def _kind(place: Place) -> str | None:
    return "record" if place.kind == "error" else place.kind


def _goes_by(branch: Place, name: Name) -> bool:
    own = branch.name
    if own is None:
        return False
    aliases = {split_alias(text, own.namespace).full for text in branch.aliases()}
    return own.simple == name.simple or name.full in aliases
