"""The fields and types of an Avro schema as people look for them; see `accord.formats.listing`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats import jsontext
from accord.formats.avro.names import split_name
from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.listing import DEEPEST, Listed, Listing, RowKind, Told, gathered, joined
from accord.formats.tagging import tags_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.jsontext import Json

RECORDS: Final = frozenset(("record", "error"))
NAMED: Final = RECORDS | {"enum", "fixed"}
NULL: Final = "null"


class _Type(NamedTuple):
    """A named type that the text writes."""

    name: str
    namespace: str | None
    members: dict[str, Json]


class _Text(NamedTuple):
    """What is known of a text: its named types by full name, and the rows of its fields."""

    types: dict[str, _Type]
    told: Told


class _Place(NamedTuple):
    """A type, where it is and what is around it; ``above`` are the records on the way."""

    way: str
    value: Json
    namespace: str | None
    above: frozenset[str] = frozenset()


def listing(text: str) -> Listing:
    """Return the fields and types of a canonical text; see `accord.formats.listing`."""
    root = jsontext.read(text, depth=DEFAULT_LIMITS.depth, unique=False)
    types = _types(root)
    known = _Text(types, Told())
    found = gathered([_Place("", root, None)], lambda place: _step(known, place))
    rows = (*found.rows, *gathered(types.values(), _told).rows)
    return Listing(rows, found.is_cut)


def _types(root: Json) -> dict[str, _Type]:
    """Return the named types that a text writes, by full name."""
    found: dict[str, _Type] = {}
    waiting: list[tuple[Json, str | None]] = [(root, None)]
    while waiting:
        value, namespace = waiting.pop()
        if isinstance(value, list):
            waiting.extend((branch, namespace) for branch in reversed(value))
        elif isinstance(value, dict):
            kind = value.get("type")
            if isinstance(kind, str) and kind in NAMED:
                given = value.get("namespace", namespace)
                name = split_name(str(value["name"]), str(given) if given else None)
                namespace = name.namespace
                found.setdefault(name.full, _Type(name.full, namespace, value))
            inner = [value[part] for part in ("items", "values") if part in value]
            inner += [kind] if isinstance(kind, list | dict) else []
            inner += [field["type"] for field in _fields(value)]
            waiting.extend((one, namespace) for one in reversed(inner))
    return found


def _fields(members: dict[str, Json]) -> list[dict[str, Json]]:
    fields = members.get("fields")
    return [one for one in fields if isinstance(one, dict)] if isinstance(fields, list) else []


def _told(one: _Type) -> Iterator[Listed]:
    doc = one.members.get("doc")
    yield Listed(
        RowKind.TYPE,
        one.name,
        one.name.rpartition(".")[2],
        str(one.members["type"]),
        logical=_logical(one.members),
        doc=doc if isinstance(doc, str) else "",
        tags=tags_in(one.members),
    )


def _step(text: _Text, place: _Place) -> Iterator[Listed | _Place]:
    """Yield the fields of a record, each with its type to go on from; of any other type what it holds."""
    value = place.value
    match value:
        case list():
            yield from (place._replace(value=branch) for branch in value)
        case str():
            known = text.types.get(split_name(value, place.namespace).full)
            if known is not None:
                yield from _record(text, known, place)
        case {"type": "array", "items": inner} | {"type": "map", "values": inner}:
            yield place._replace(value=inner)
        case {"type": str(kind), "name": str(name)} if kind in RECORDS and isinstance(value, dict):
            given = value.get("namespace", place.namespace)
            known = text.types[split_name(name, str(given) if given else None).full]
            yield from _record(text, known, place)
        case {"type": (list() | dict()) as inner}:
            yield place._replace(value=inner)


def _record(text: _Text, known: _Type, place: _Place) -> Iterator[Listed | _Place]:
    if known.name in place.above or len(place.above) >= DEEPEST:
        return
    above = place.above | {known.name}
    for field in _fields(known.members):
        way = joined(place.way, str(field["name"]))
        yield text.told.row(field, way, partial(_field, field))
        yield _Place(way, field["type"], known.namespace, above)


def _field(field: dict[str, Json]) -> Listed:
    doc = field.get("doc")
    return Listed(
        RowKind.FIELD,
        "",
        str(field["name"]),
        _words(field["type"]),
        logical=_logical(field["type"]),
        doc=doc if isinstance(doc, str) else "",
        tags=tags_in(field),
        is_required="default" not in field,
        is_nullable=NULL in _branches(field["type"]),
        has_default="default" in field,
    )


def _branches(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _words(value: Json) -> str:
    """Return a type in words; null, which the row tells apart, is left out of unions."""
    if isinstance(value, list):
        branches = [one for one in value if one != NULL] or [NULL]
        words = ", ".join(map(_words, branches))
        return words if len(branches) == 1 else f"union of {words}"
    match value:
        case {"type": "array", "items": inner}:
            return f"array of {_words(inner)}"
        case {"type": "map", "values": inner}:
            return f"map to {_words(inner)}"
        case {"type": str(kind), "name": str(name)} if kind in NAMED:
            return name.rpartition(".")[2]
        case {"type": inner}:
            return _words(inner)
    return str(value).rpartition(".")[2]


def _logical(value: Json) -> str:
    for one in _branches(value):
        if isinstance(one, dict) and isinstance(one.get("logicalType"), str):
            return str(one["logicalType"])
    return ""
