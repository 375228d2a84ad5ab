"""Content models: opening the objects of a schema for consumers, closing them for producers.

Source: json-compat, section 13.3. Objects stand wherever a schema does, except inside ``not``, ``if`` and
``contains``: changing them there would turn the meaning around. Values of ``enum``, ``const``, ``default``
and ``examples`` are no schemas, and a property may be named like a keyword.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from accord.formats.jsonschema.bundle import copied
from accord.formats.jsonschema.canonical import canonical_text
from accord.formats.jsonschema.keywords import inner_schemas, is_object_schema
from accord.formats.jsonschema.schema import JsonSchema
from accord.formats.jsontext import indented
from accord.formats.places import pointer_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsontext import Json
    from accord.formats.parsed import ParsedSchema

TURNED = frozenset(("not", "if", "contains"))
MOST_PLACES = 20


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


class Consumer(NamedTuple):
    """The schema that a consumer of a producer's data may use; ``relaxed`` are places where oneOf went.

    Opened branches of a ``oneOf`` overlap, and validators would refuse what several of them take.
    """

    schema: JsonSchema
    relaxed: tuple[tuple[str, ...], ...]


def opened(schema: ParsedSchema) -> ParsedSchema:
    """Return the schema with open objects; other formats than JSON Schema have no such thing."""
    return schema.remade(_changed(_open)) if isinstance(schema, JsonSchema) else schema


def closed(schema: JsonSchema) -> JsonSchema:
    """Return the schema with its open objects closed; those partly open stay."""
    return schema.remade(_changed(_close))


def content_models(schema: ParsedSchema) -> Iterator[ObjectModel]:
    """Yield the objects of a schema's own text with their content models; other formats have none.

    What stands inside ``not``, ``if`` and ``contains`` describes no data of its own and is left out.
    """
    if isinstance(schema, JsonSchema):
        for place in _places(schema.document.value):
            yield ObjectModel("/" + "/".join(map(pointer_token, place.steps)), _model(place.members))


def _model(members: Members) -> ContentModel:
    if _is_closed(members):
        return ContentModel.CLOSED
    rests = (members.get("additionalProperties"), members.get("unevaluatedProperties"))
    is_partial = "patternProperties" in members or any(isinstance(rest, dict) for rest in rests)
    return ContentModel.PARTLY_OPEN if is_partial else ContentModel.OPEN


def with_model(schema: JsonSchema, model: ContentModel) -> str:
    """Return the text of a schema, opened or closed, indented for people; keys and numbers stay as written.

    Closing leaves objects that are partly open as they are. Raises ``ValueError`` for PARTLY_OPEN.
    """
    changes = {ContentModel.OPEN: _open, ContentModel.CLOSED: _close}
    if model not in changes:
        raise ValueError(f"a schema cannot be made {model}; choose open or closed")
    return indented(canonical_text(_changed(changes[model])(schema.document.value)))


def unclosed(schema: ParsedSchema) -> tuple[tuple[str, ...], ...]:
    """Return the steps to the first objects of a schema's own text that permit undeclared properties."""
    if not isinstance(schema, JsonSchema):
        return ()
    places = (place.steps for place in _places(schema.document.value) if not _is_closed(place.members))
    return tuple(steps for steps, _ in zip(places, range(MOST_PLACES), strict=False))


def consumer(schema: JsonSchema) -> Consumer:
    """Return the schema for consumers of what is written with a schema."""
    relaxed: list[tuple[str, ...]] = []

    def change(place: Place) -> None:
        if _has_closed_choice(place.members) and "anyOf" not in place.members:
            place.members["anyOf"] = place.members.pop("oneOf")
            relaxed.append(place.steps)
        _open(place)

    return Consumer(schema.remade(_changed(change)), tuple(relaxed))


def _has_closed_choice(members: Members) -> bool:
    branches = members.get("oneOf")
    return isinstance(branches, list) and any(
        isinstance(branch, dict) and ("$ref" in branch or is_object_schema(branch)) for branch in branches
    )


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


def _places(value: Json) -> Iterator[Place]:
    return (place for place in _schemas(value) if is_object_schema(place.members))


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
