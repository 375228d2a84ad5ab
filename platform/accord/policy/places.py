"""Line and column of findings, in the text of the reader and in that of the writer.

Texts are taken as they were written, so places are those that a person sees in an editor. Each text
is read once; a finding then costs the length of its path.
"""

from __future__ import annotations

from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from accord.formats.avro.positions import AvroText, locate_pair
from accord.formats.jsonschema.addresses import MOST_REFERENCES, local_steps
from accord.formats.positions import Leaf, Members, TextPlaces, pointer_tokens, step
from accord.formats.protobuf.paths import OWN_PATH
from accord.formats.protobuf.positions import ProtoText
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from accord.formats.positions import Position, Spot
    from accord.formats.protobuf.positions import ProtoPlaces

    # From a path, and the one in the writer's text where that differs, to both places.
    Both: TypeAlias = partial[tuple[Position, Position]]

NOTHING: Final[Mapping[str, ProtoPlaces]] = MappingProxyType({})


class Reading:
    """Reads texts for many comparisons in turn: the candidate once, each version once for both ways.

    ``path`` is what findings call the file, where it is Protobuf; ``known`` holds the places of Protobuf
    texts that need not be read, by text.
    """

    def __init__(self, path: str = OWN_PATH, known: Mapping[str, ProtoPlaces] = NOTHING) -> None:
        self.avro = lru_cache(maxsize=2)(AvroText)
        self.json = lru_cache(maxsize=2)(TextPlaces)
        self._known = known
        self._read = lru_cache(maxsize=2)(partial(ProtoText, path=path))

    def protobuf(self, text: str) -> ProtoPlaces:
        """Return the places of a Protobuf text."""
        return self._known.get(text) or self._read(text)


class FindingPlaces:
    """The places of the findings of one comparison.

    Looking backward the reader is the candidate, looking forward it is the stored version. What a path
    names and a text lacks (an added field, in the older text) has the place of what would hold it.
    """

    def __init__(self, format_: Format, *, reader: str, writer: str, by: Reading | None = None) -> None:
        by = by or Reading()
        self._both: Both
        match format_:
            case Format.AVRO:
                self._both = partial(_avro, by.avro(reader), by.avro(writer))
            case Format.JSON:
                self._both = partial(_json, by.json(reader), by.json(writer))
            case _:
                self._both = partial(_protobuf, by.protobuf(reader), by.protobuf(writer))

    def locate(self, path: str, *, lost: str = "", is_turned: bool = False) -> tuple[Position, Position]:
        """Return the place of a finding's path in both texts; ``lost`` leads to what the second has lost.

        For one that ``is_turned`` the second text is the reader, and comes first.
        """
        both = partial(self._both.func, *reversed(self._both.args)) if is_turned else self._both
        return both(path, lost)


def _avro(reader: AvroText, writer: AvroText, path: str, _lost: str) -> tuple[Position, Position]:
    return locate_pair(reader, writer, path)


def _json(reader: TextPlaces, writer: TextPlaces, path: str, _lost: str) -> tuple[Position, Position]:
    return locate_schema(reader, path), locate_schema(writer, path)


def _protobuf(reader: ProtoPlaces, writer: ProtoPlaces, path: str, lost: str) -> tuple[Position, Position]:
    return reader.locate(path), writer.locate(lost or path)


def locate_schema(places: TextPlaces, path: str) -> Position:
    """Return where a path leads in a JSON Schema, whose paths pass through ``$ref`` as if it were not there.

    References to other texts are not followed; the place is then the reference itself.
    """
    spot = places.root
    for token in pointer_tokens(path):
        holder = spot if step(spot, token) is not None else _meant(places.root, spot)
        inner = step(holder, token)
        if inner is None:
            return places.position(holder)
        spot = inner
    return places.position(spot)


def _meant(root: Spot, spot: Spot) -> Spot:
    """Return what a schema that refers within its own text stands for."""
    for _ in range(MOST_REFERENCES):
        target = _target(root, spot)
        if target is None:
            break
        spot = target
    return spot


def _target(root: Spot, spot: Spot) -> Spot | None:
    reference = spot.members.get("$ref") if isinstance(spot, Members) else None
    steps = local_steps(reference.text) if isinstance(reference, Leaf) and reference.text else None
    if steps is None:
        return None
    found: Spot | None = root
    for token in steps:
        found = None if found is None else step(found, token)
    return found
