"""Line and column of findings, in the text of the reader and in that of the writer.

Texts are taken as they were written, so places are those that a person sees in an editor. Each text
is read once; a finding then costs the length of its path.
"""

from __future__ import annotations

from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.avro.positions import AvroText, locate_pair
from accord.formats.jsonschema.positions import SchemaText
from accord.formats.protobuf.paths import OWN_PATH
from accord.formats.protobuf.positions import ProtoText
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from accord.formats.positions import Position
    from accord.formats.protobuf.positions import ProtoPlaces

    # From the paths in the texts of the reader and of the writer to both places.
    Both: TypeAlias = "partial[tuple[Place, Place]]"

NOTHING: Final[Mapping[str, ProtoPlaces]] = MappingProxyType({})


class Place(NamedTuple):
    """A place in a text.

    ``pointer`` leads there in a JSON Schema, the root is empty; ``wanted`` leads to what was looked for,
    which may not be there. For the other formats both are missing.
    """

    position: Position
    pointer: str | None = None
    wanted: str | None = None


class Reading:
    """Reads texts for many comparisons in turn: the candidate once, each version once for both ways.

    ``path`` is what findings call the file, where it is Protobuf; ``known`` holds the places of Protobuf
    texts that need not be read, by text.
    """

    def __init__(self, path: str = OWN_PATH, known: Mapping[str, ProtoPlaces] = NOTHING) -> None:
        self.avro = lru_cache(maxsize=2)(AvroText)
        self.json = lru_cache(maxsize=2)(SchemaText)
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

    def locate(
        self, path: str, *, held: str = "", lost: str = "", is_turned: bool = False
    ) -> tuple[Place, Place]:
        """Return the place of a finding's path in both texts.

        ``held`` and ``lost`` lead there in the first and in the second, where the path is another one. For a
        finding that ``is_turned`` the second text is the reader, and comes first.
        """
        both = partial(self._both.func, *reversed(self._both.args)) if is_turned else self._both
        return both(held or path, lost or path)


def _avro(reader: AvroText, writer: AvroText, path: str, _other: str) -> tuple[Place, Place]:
    is_, was = locate_pair(reader, writer, path)
    return Place(is_), Place(was)


def _json(reader: SchemaText, writer: SchemaText, held: str, lost: str) -> tuple[Place, Place]:
    return Place(*reader.locate(held)), Place(*writer.locate(lost))


def _protobuf(reader: ProtoPlaces, writer: ProtoPlaces, held: str, lost: str) -> tuple[Place, Place]:
    return Place(reader.locate(held)), Place(writer.locate(lost))
