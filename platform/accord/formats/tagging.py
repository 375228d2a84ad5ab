"""Inline tags: what the three formats share, and those of texts that are JSON.

A format says where the parts of a text are and how they are called. A path that is longer than
`LONGEST_PATH` names nothing, so that no text of many parts costs more than its size.
Source: confluent-api, section 2.13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

from accord.model import SchemaTags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from accord.formats.jsontext import Json
    from accord.model import SchemaEntity

TAGS: Final = "confluent:tags"
LONGEST_PATH: Final = 2_000


class Change(NamedTuple):
    """What becomes of the tags of one part: some are added, then some are removed."""

    add: tuple[str, ...] = ()
    remove: frozenset[str] = frozenset()

    def applied(self, tags: tuple[str, ...]) -> tuple[str, ...]:
        """Return what the tags become: known ones first, each once."""
        return tuple(one for one in dict.fromkeys((*tags, *self.add)) if one not in self.remove)


class Retagged(NamedTuple):
    """A text with its tags changed, and the parts that were found in it."""

    text: str
    met: frozenset[SchemaEntity]


class Tagging(Protocol):
    """What a format provides; texts are canonical ones, and paths have no dot in front in ``changes``."""

    def entities(self, text: str) -> Iterator[SchemaTags]:
        """Yield the parts that can be tagged, in the order of the text, with their tags."""
        ...

    def retagged(self, text: str, changes: Mapping[SchemaEntity, Change]) -> Retagged:
        """Return the text with the tags of some parts changed; it is parsed again for its canonical form."""
        ...


class Spot(NamedTuple):
    """A part of a JSON text, and the object that holds its tags."""

    entity: SchemaEntity
    members: dict[str, Json]

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags."""
        return tags_in(self.members)


Changes: TypeAlias = "Mapping[SchemaEntity, Change]"


def tags_in(members: dict[str, Json]) -> tuple[str, ...]:
    """Return the tags of an object of a text; what else somebody wrote in their place counts as none."""
    given = members.get(TAGS)
    return tuple(one for one in given if isinstance(one, str)) if isinstance(given, list) else ()


def tags_at(spots: Iterable[Spot]) -> Iterator[SchemaTags]:
    """Yield the parts with their tags."""
    return (SchemaTags(one.entity, one.tags) for one in spots)


def change_at(spots: Iterable[Spot], changes: Changes) -> frozenset[SchemaEntity]:
    """Change the tags of parts where they stand and return the parts that were met.

    Where two parts share a path, since a name has a dot in it, the first one is meant.
    """
    met: dict[SchemaEntity, Spot] = {}
    for spot in spots:
        if spot.entity in changes:
            met.setdefault(spot.entity, spot)
    for entity, spot in met.items():
        tags = changes[entity].applied(spot.tags)
        spot.members.pop(TAGS, None)
        if tags:
            spot.members[TAGS] = list(tags)
    return frozenset(met)
