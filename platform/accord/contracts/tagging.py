"""Tags inside the text of a schema: listed, added, removed, and carried over from another version.

All of this needs nothing but the canonical text, so what it refers to is never read.
Source: confluent-api, sections 1.9, 2.3 (step 4) and 2.13.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from accord.errors import InvalidSchema
from accord.formats.avro import tags as avro_tags
from accord.formats.jsonschema import tags as json_tags
from accord.formats.places import shown
from accord.formats.protobuf import tags as protobuf_tags
from accord.formats.tagging import Change
from accord.model import EntityType, Format, SchemaEntity, SchemaText

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from accord.formats.tagging import Tagging
    from accord.model import SchemaTags

TAGGING: Final[Mapping[Format, Tagging]] = {
    Format.AVRO: avro_tags,
    Format.JSON: json_tags,
    Format.PROTOBUF: protobuf_tags,
}
ANY: Final = "*"
KINDS: Final = {EntityType.RECORD: "record", EntityType.FIELD: "field"}
FEW: Final = 3


def schema_tags(
    source: SchemaText, wanted: Collection[str] = (ANY,), most: int | None = None
) -> tuple[SchemaTags, ...]:
    """Return the parts of a canonical text that have one of the tags, with all of theirs; ``most`` of them.

    ``*`` stands for any tag.
    """
    tagged = (one for one in TAGGING[source.format].entities(source.text) if one.tags)
    found = (one for one in tagged if ANY in wanted or not set(wanted).isdisjoint(one.tags))
    return tuple(islice(found, most))


def retagged(
    source: SchemaText,
    *,
    add: Iterable[SchemaTags] = (),
    remove: Iterable[SchemaTags] = (),
    carried: Iterable[SchemaTags] = (),
) -> SchemaText:
    """Return a canonical text with tags added, then others removed; parse it for its canonical form.

    ``carried`` are those of another version, which are added first, where the text has the parts that they
    belong to.

    Raises:
        InvalidSchema: Tags are to be added to a part that the text does not have, or removed from one.
    """
    asked = _changes(add, remove)
    changes = _merged(_changes(carried, ()), asked)
    if not changes:
        return source
    found = TAGGING[source.format].retagged(source.text, changes)
    for entity in asked:
        if entity not in found.met:
            raise InvalidSchema(source.format, _missing(source, entity))
    return replace(source, text=found.text)


def _changes(add: Iterable[SchemaTags], remove: Iterable[SchemaTags]) -> dict[SchemaEntity, Change]:
    changes: dict[SchemaEntity, Change] = {}
    for one in add:
        known = changes.get(_plain(one.entity), Change())
        changes[_plain(one.entity)] = known._replace(add=(*known.add, *one.tags))
    for one in remove:
        known = changes.get(_plain(one.entity), Change())
        changes[_plain(one.entity)] = known._replace(remove=known.remove.union(one.tags))
    return changes


def _merged(
    first: Mapping[SchemaEntity, Change], then: Mapping[SchemaEntity, Change]
) -> dict[SchemaEntity, Change]:
    merged = dict(first)
    for entity, change in then.items():
        before = first.get(entity, Change())
        merged[entity] = Change((*before.add, *change.add), change.remove)
    return merged


def _plain(entity: SchemaEntity) -> SchemaEntity:
    """Return the part by its path without the dot in front, which only paths of Protobuf are shown with."""
    return replace(entity, path=entity.path.removeprefix("."))


def _missing(source: SchemaText, entity: SchemaEntity) -> str:
    kind = KINDS[entity.type]
    known = (
        one.entity.path
        for one in TAGGING[source.format].entities(source.text)
        if one.entity.type == entity.type
    )
    few = ", ".join(shown(path) for path in islice(known, FEW))
    others = f"its first {kind}s are {few}" if few else f"it has no {kind}s"
    return f"there is no {kind} {shown(entity.path)} that tags could belong to; {others}"
