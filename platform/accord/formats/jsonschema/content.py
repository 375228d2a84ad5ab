"""Content models: opening the objects of a schema for consumers, closing them for producers.

Source: json-compat, section 13.3. Objects stand wherever a schema does, except inside ``not``, ``if`` and
``contains``: changing them there would turn the meaning around. Values of ``enum``, ``const``, ``default``
and ``examples`` are no schemas, and a property may be named like a keyword.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from accord.formats.jsonschema.addresses import Addresses, Spot
from accord.formats.jsonschema.bundle import copied
from accord.formats.jsonschema.canonical import canonical_text
from accord.formats.jsonschema.drafts import draft_of
from accord.formats.jsonschema.keywords import inner_schemas, is_object_schema
from accord.formats.jsonschema.schema import JsonSchema
from accord.formats.places import pointer_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from accord.formats.jsonschema.cursor import Cursor
    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsontext import Json
    from accord.formats.parsed import ParsedSchema

TURNED = frozenset(("not", "if", "contains"))
# What another text defines counts only where a reference leads to it.
DEFINITIONS = frozenset(("$defs", "definitions"))
MOST_PLACES = 20
# Of objects that are listed with their models, and of the characters of their places: hostile names are long.
MOST_MODELS = 1_000
MOST_CHARACTERS = 1_000_000
# Of steps to a place that references lead to; beyond, the part of the way that was gone is named.
MOST_STEPS = 200


class Place(NamedTuple):
    """A schema object and the steps that lead to it."""

    steps: tuple[str, ...]
    members: Members


class ContentModel(StrEnum):
    """What an object says about properties that it does not declare."""

    OPEN = "open"
    CLOSED = "closed"
    PARTLY_OPEN = "partly open"


class ObjectModel(NamedTuple):
    """The content model of one object, and its place as a JSON pointer; the root is /."""

    path: str
    model: ContentModel


class ContentModels(NamedTuple):
    """The first objects of a schema with their models, and how many there are of each model in all."""

    objects: tuple[ObjectModel, ...]
    counts: Mapping[ContentModel, int]

    @property
    def left_out(self) -> int:
        """How many objects are not listed."""
        return sum(self.counts.values()) - len(self.objects)


class Consumer(NamedTuple):
    """The schema that a consumer of a producer's data may use; ``relaxed`` are places where oneOf went.

    Opened branches of a ``oneOf`` overlap, and validators would refuse what several of them take.
    The canonical ``text`` stands by itself: what the producer refers to is among its definitions, since the
    originals, which others may share, stay closed. Places are those of the text.
    """

    text: str
    relaxed: tuple[tuple[str, ...], ...]


def opened(schema: ParsedSchema) -> ParsedSchema:
    """Return the schema with open objects; other formats than JSON Schema have no such thing."""
    return schema.remade(_changed(_open)) if isinstance(schema, JsonSchema) else schema


def closed(schema: JsonSchema) -> JsonSchema:
    """Return the schema with its open objects closed; those partly open stay."""
    return schema.remade(_changed(_close))


def content_models(schema: ParsedSchema) -> ContentModels:
    """Return the objects of a schema, and of those it refers to, with their models; other formats have none.

    What stands inside ``not``, ``if`` and ``contains`` describes no data of its own and is left out.
    """
    places = _all_places(schema) if isinstance(schema, JsonSchema) else ()
    counts = dict.fromkeys(ContentModel, 0)
    listed: list[ObjectModel] = []
    room = MOST_CHARACTERS
    for place in places:
        model = _model(place.members)
        counts[model] += 1
        room -= sum(map(len, place.steps))
        if room >= 0 and len(listed) < MOST_MODELS:
            listed.append(ObjectModel(_pointer(place.steps), model))
    return ContentModels(tuple(listed), counts)


def content_models_data(found: ContentModels) -> dict[str, Json]:
    """Return the document that the command line prints and the API answers with."""
    return {
        "objects": [{"path": one.path, "model": str(one.model)} for one in found.objects],
        "left_out": found.left_out,
        "counts": {str(model): count for model, count in found.counts.items()},
    }


def _pointer(steps: tuple[str, ...]) -> str:
    return "/" + "/".join(map(pointer_token, steps))


def _model(members: Members) -> ContentModel:
    if _is_closed(members):
        return ContentModel.CLOSED
    rests = (members.get("additionalProperties"), members.get("unevaluatedProperties"))
    is_partial = "patternProperties" in members or any(isinstance(rest, dict) for rest in rests)
    return ContentModel.PARTLY_OPEN if is_partial else ContentModel.OPEN


def opened_text(schema: JsonSchema) -> str:
    """Return the canonical text with open objects, and what it refers to, open too, among its definitions."""
    return _changed_text(schema, _open)


def closed_text(schema: JsonSchema) -> str:
    """Return the same with the open objects closed; those partly open stay."""
    return _changed_text(schema, _close)


def unclosed(schema: ParsedSchema) -> tuple[tuple[str, ...], ...]:
    """Return the steps to the first objects that permit undeclared properties.

    They are those of the schema's own text, and those that references lead to: the steps go through ``$ref``
    as those of differences do, and end after `MOST_STEPS`.
    """
    if not isinstance(schema, JsonSchema):
        return ()
    places = (place.steps for place in _all_places(schema) if not _is_closed(place.members))
    return tuple(dict.fromkeys(islice(places, MOST_PLACES)))


def consumer(schema: JsonSchema) -> Consumer:
    """Return the schema for consumers of what is written with a schema."""
    relaxed: list[tuple[str, ...]] = []

    def change(place: Place) -> None:
        if _has_closed_choice(place.members) and "anyOf" not in place.members:
            place.members["anyOf"] = place.members.pop("oneOf")
            relaxed.append(place.steps)
        _open(place)

    return Consumer(_changed_text(schema, change), tuple(relaxed))


def _has_closed_choice(members: Members) -> bool:
    branches = members.get("oneOf")
    return isinstance(branches, list) and any(
        isinstance(branch, dict) and ("$ref" in branch or is_object_schema(branch)) for branch in branches
    )


def _changed_text(schema: JsonSchema, change: Callable[[Place], None]) -> str:
    return canonical_text(_changed(change)(schema.whole()))


def _changed(change: Callable[[Place], None]) -> Callable[[Json], Json]:
    def changed(value: Json) -> Json:
        copy = copied(value)
        for place in list(_schemas(copy)):
            change(place)
        return copy

    return changed


def _schemas(value: Json) -> Iterator[Place]:
    """Yield every schema object whose content model may be changed, the outer before the inner."""
    waiting = [Place((), value)] if isinstance(value, dict) else []
    while waiting:
        place = waiting.pop()
        yield place
        inner = [
            Place((*place.steps, *steps), members)
            for keyword, steps, members in inner_schemas(place.members)
            if keyword not in TURNED
        ]
        waiting.extend(reversed(inner))


def _all_places(schema: JsonSchema) -> Iterator[Place]:
    """Yield the objects of a schema's own text, then those in the texts that its references lead to."""
    yield from (place for place in _schemas(schema.document.value) if is_object_schema(place.members))
    if schema.external:
        yield from _referred(schema)


def _referred(schema: JsonSchema) -> Iterator[Place]:
    """Yield the objects that references lead to in other texts, each once, by one of the shortest ways."""
    draft = draft_of(schema.document.value)
    addresses = Addresses(schema.document, schema.external, draft)
    waiting = deque([_Visit(addresses.root, None)])
    seen: set[int] = set()
    while waiting:
        visit = waiting.popleft()
        members, cursor = visit.spot
        if not isinstance(members, dict) or id(members) in seen:
            continue
        seen.add(id(members))
        is_own = cursor.document is schema.document
        if not is_own and is_object_schema(members):
            yield Place(visit.steps(), members)
        text = members.get("$ref")
        found = addresses.find(text, cursor) if isinstance(text, str) else None
        if found is not None and found.cursor.document is not schema.document:
            waiting.append(_Visit(found, visit))
        waiting.extend(
            _Visit(Spot(part, addresses.entered(part, _inner(cursor, steps))), visit, steps)
            for keyword, steps, part in inner_schemas(members)
            if keyword not in TURNED and (is_own or keyword not in DEFINITIONS)
        )


class _Visit(NamedTuple):
    """A schema that was come to, from which one, and by which steps; none where a reference led."""

    spot: Spot
    before: _Visit | None
    taken: tuple[str, ...] = ()

    def steps(self) -> tuple[str, ...]:
        """Return the way from the root, its first steps if it is very long."""
        way: list[tuple[str, ...]] = []
        visit: _Visit | None = self
        while visit is not None:
            way.append(visit.taken)
            visit = visit.before
        return tuple(islice(chain.from_iterable(reversed(way)), MOST_STEPS))


def _inner(cursor: Cursor, steps: tuple[str, ...]) -> Cursor:
    for step in steps:
        cursor = cursor.at(step)
    return cursor


def _is_closed(members: Members) -> bool:
    is_shut = members.get("additionalProperties") is False or members.get("unevaluatedProperties") is False
    return is_shut and "patternProperties" not in members


def _open(place: Place) -> None:
    members = place.members
    if is_object_schema(members):
        if members.get("additionalProperties", True) is not True:
            members["additionalProperties"] = True
        if members.get("unevaluatedProperties", True) is not True:
            del members["unevaluatedProperties"]


def _close(place: Place) -> None:
    members = place.members
    is_open = members.get("additionalProperties", True) is True
    if is_object_schema(members) and is_open and members.get("unevaluatedProperties") is not False:
        members["additionalProperties"] = False
