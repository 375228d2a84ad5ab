"""The fields and types of a JSON Schema as people look for them; see `accord.formats.listing`.

A property is a field. An object is a type where it has a name: the one of its definition, or its title.
References into the text itself are followed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from accord.formats import jsontext
from accord.formats.jsonschema.keywords import inner_schemas, is_object_schema
from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.listing import DEEPEST, Listed, Listing, RowKind, Told, gathered, joined
from accord.formats.tagging import tags_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsontext import Json

DEFINITIONS: Final = frozenset(("$defs", "definitions"))
CHOICES: Final = ("anyOf", "oneOf")
# Where values are that a schema holds without names of their own, and further conditions on it itself.
SAME: Final = frozenset(
    ("additionalProperties", "allOf", "anyOf", "else", "items", "oneOf", "prefixItems", "then")
)
NULL: Final = "null"
# A reference that leads to a reference, and so on.
MOST_LEAPS: Final = 20


class _Place(NamedTuple):
    """A schema and the way to it; ``above`` are the objects on the way."""

    way: str
    members: Members
    above: tuple[int, ...] = ()


class _Text(NamedTuple):
    """What is known of a text: where its references lead, and the rows of its properties."""

    root: Members
    targets: dict[int, Members]
    told: Told

    def seen_through(self, members: Members) -> Members:
        """Return the schema that references into the text lead to; one that leads elsewhere, as it is."""
        known = self.targets.get(id(members))
        if known is None:
            known = self.targets[id(members)] = _seen_through(self.root, members)
        return known


class _Named(NamedTuple):
    name: str
    members: Members


def listing(text: str) -> Listing:
    """Return the fields and types of a canonical text; see `accord.formats.listing`."""
    root = jsontext.read(text, depth=DEFAULT_LIMITS.depth, unique=False, exact=True)
    if not isinstance(root, dict):
        return Listing(())
    known = _Text(root, {}, Told())
    found = gathered([_Place("", root)], lambda place: _step(known, place))
    types = gathered(_types(root), _told)
    return Listing((*found.rows, *types.rows), found.is_cut)


def _types(root: Members) -> Iterator[_Named]:
    waiting = [_Named("", root)]
    while waiting:
        one = waiting.pop()
        title = one.members.get("title")
        name = one.name or (title if isinstance(title, str) else "")
        if name and (is_object_schema(one.members) or "enum" in one.members):
            yield _Named(name, one.members)
        inner = [
            _Named(steps[-1] if keyword in DEFINITIONS else "", members)
            for keyword, steps, members in inner_schemas(one.members)
        ]
        waiting.extend(reversed(inner))


def _told(one: _Named) -> Iterator[Listed]:
    kind = "object" if is_object_schema(one.members) else "enum"
    yield Listed(RowKind.TYPE, one.name, one.name, kind, doc=_doc(one.members), tags=tags_in(one.members))


def _step(text: _Text, place: _Place) -> Iterator[Listed | _Place]:
    """Yield the properties of a schema, each with its own schema to go on from."""
    members = text.seen_through(place.members)
    if id(members) in place.above or len(place.above) >= DEEPEST:
        return
    above = (*place.above, id(members))
    required = members.get("required")
    needed = {one for one in required if isinstance(one, str)} if isinstance(required, list) else set()
    for keyword, steps, inner in inner_schemas(members):
        if keyword == "properties":
            way = joined(place.way, steps[-1])
            row = text.told.row(inner, way, partial(_field, text, inner))
            yield row._replace(name=steps[-1], is_required=steps[-1] in needed)
            yield _Place(way, inner, above)
        elif keyword in SAME:
            yield _Place(place.way, inner, above)


def _field(text: _Text, written: Members) -> Listed:
    members = text.seen_through(written)
    format_ = members.get("format")
    return Listed(
        RowKind.FIELD,
        "",
        "",
        _words(written),
        logical=format_ if isinstance(format_, str) else "",
        doc=_doc(written) or _doc(members),
        tags=(*tags_in(written), *tags_in(members)),
        is_nullable=_is_nullable(members),
        has_default="default" in written,
    )


def _doc(members: Members) -> str:
    text = members.get("description", members.get("title"))
    return text if isinstance(text, str) else ""


def _is_nullable(members: Members) -> bool:
    choices = [one for word in CHOICES for one in _listed(members.get(word))]
    given = _listed(members.get("type")) + [one.get("type") for one in choices if isinstance(one, dict)]
    return NULL in given


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _words(members: Members) -> str:
    """Return a type in words; null, which the row tells apart, is left out of choices."""
    reference = members.get("$ref")
    if isinstance(reference, str):
        return reference.rpartition("/")[2].rpartition("#")[2] or "#"
    kinds = [str(one) for one in _listed(members.get("type")) if one not in (None, NULL)]
    inner = members.get("items")
    if kinds == ["array"] and isinstance(inner, dict):
        return f"array of {_words(inner)}"
    if kinds:
        return kinds[0] if len(kinds) == 1 else f"union of {', '.join(kinds)}"
    return _unsaid(members)


def _unsaid(members: Members) -> str:
    """Return in words what a schema without a type of its own takes."""
    branches = [one for word in CHOICES for one in _listed(members.get(word)) if isinstance(one, dict)]
    words = [_words(one) for one in branches if one.get("type") != NULL]
    if words:
        return words[0] if len(words) == 1 else f"union of {', '.join(words)}"
    if "enum" in members:
        return "enum"
    if is_object_schema(members):
        return "object"
    return NULL if members.get("type") == NULL else "any"


def _seen_through(root: Members, members: Members) -> Members:
    for _ in range(MOST_LEAPS):
        reference = members.get("$ref")
        target = _target(root, reference) if isinstance(reference, str) else None
        if target is None:
            break
        members = target
    return members


def _target(root: Members, reference: str) -> Members | None:
    if not reference.startswith("#"):
        return None
    value: Json = root
    for token in unquote(reference[1:]).split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step[:9]) < len(value):
            value = value[int(step[:9])]
        else:
            return None
    return value if isinstance(value, dict) else None
