"""Line and column of findings, in the text of the reader and in that of the writer.

Texts are taken as they were written, so places are those that a person sees in an editor. Each text
is read once; a finding then costs the length of its path.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from accord.formats.avro.positions import AvroText, locate_pair
from accord.formats.positions import Leaf, Members, TextPlaces, pointer_tokens, step
from accord.model import Format

if TYPE_CHECKING:
    from accord.formats.positions import Position, Spot

# A chain of references that leads on and on, or in a circle, is not followed further.
MOST_REFERENCES = 32


class Reading:
    """Reads texts for many comparisons in turn: the candidate once, each version once for both ways."""

    def __init__(self) -> None:
        self.avro = lru_cache(maxsize=2)(AvroText)
        self.json = lru_cache(maxsize=2)(TextPlaces)


class FindingPlaces:
    """The places of the findings of one comparison.

    Looking backward the reader is the candidate, looking forward it is the stored version. What a path
    names and a text lacks (an added field, in the older text) has the place of what would hold it.
    """

    def __init__(self, format_: Format, *, reader: str, writer: str, by: Reading | None = None) -> None:
        by = by or Reading()
        self.avro: tuple[AvroText, AvroText] | None = None
        self.json: tuple[TextPlaces, TextPlaces] | None = None
        if format_ is Format.AVRO:
            self.avro = by.avro(reader), by.avro(writer)
        elif format_ is Format.JSON:
            self.json = by.json(reader), by.json(writer)

    def locate(self, path: str) -> tuple[Position, Position] | None:
        """Return the place of a finding's path in both texts; None for a format without places."""
        if self.avro is not None:
            return locate_pair(*self.avro, path)
        if self.json is not None:
            reader, writer = self.json
            return locate_schema(reader, path), locate_schema(writer, path)
        return None


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
    if not isinstance(reference, Leaf) or reference.text is None or not reference.text.startswith("#"):
        return None
    found: Spot | None = root
    for token in pointer_tokens(unquote(reference.text)):
        found = None if found is None else step(found, token)
    return found
