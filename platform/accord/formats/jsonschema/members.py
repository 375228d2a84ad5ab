"""The members of a schema object, read as the types their keywords want."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias

from accord.formats.jsonschema.addresses import Spot
from accord.formats.jsonschema.model import NO_NOTES, Notes
from accord.formats.jsonschema.values import value_key
from accord.formats.places import shown

if TYPE_CHECKING:
    from collections.abc import Generator

    from accord.formats.jsonschema.cursor import Cursor
    from accord.formats.jsonschema.drafts import Draft
    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsonschema.model import Node, Number
    from accord.formats.jsontext import Json

    # Inner schemas are asked for, so that no depth of schemas is a depth of Python calls.
    Build: TypeAlias = Generator[Spot, Node, Node]
    Nodes: TypeAlias = Generator[Spot, Node, list[Node]]
    NamedNodes: TypeAlias = Generator[Spot, Node, dict[str, Node]]

MARK_OF_DECIMALS = ("connect.type", "bytes")
FORMATS = ("format", "contentEncoding", "contentMediaType")
NOTED = ("id", "$id", "title", "description", "default", MARK_OF_DECIMALS[0], *FORMATS)


def text(members: Members, key: str, cursor: Cursor) -> str | None:
    """Return a member that must be a string."""
    value = members.get(key)
    if key in members and not isinstance(value, str):
        raise cursor.at(key).refusal(f"'{key}' must be a string; write one in quotes or leave it out")
    return value if isinstance(value, str) else None


def number(members: Members, key: str, cursor: Cursor) -> Number | None:
    """Return a member that must be a number."""
    if key not in members:
        return None
    value = members[key]
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise cursor.at(key).refusal(f"'{key}' must be a number; write one without quotes")
    return value


def count(members: Members, key: str, cursor: Cursor) -> int | None:
    """Return a member that must be a whole number."""
    value = number(members, key, cursor)
    if value is None:
        return None
    if value != int(value):
        raise cursor.at(key).refusal(f"'{key}' must be a whole number; write one")
    return int(value)


def flag(members: Members, key: str, cursor: Cursor) -> bool:
    """Return a member that must be true or false; absent is false."""
    value = members.get(key, False)
    if not isinstance(value, bool):
        raise cursor.at(key).refusal(f"'{key}' must be true or false; write one of them")
    return value


def texts(value: Json, cursor: Cursor) -> frozenset[str]:
    """Return a value that must be a list of strings."""
    items = value if isinstance(value, list) else [None]
    found = frozenset(item for item in items if isinstance(item, str))
    if not all(isinstance(item, str) for item in items):
        raise cursor.refusal(f"'{cursor.step}' must be a list of strings; write it so")
    return found


def items(members: Members, key: str, cursor: Cursor) -> list[Json]:
    """Return a member that must be a list."""
    value = members[key]
    if not isinstance(value, list):
        raise cursor.at(key).refusal(f"'{key}' must be a list; write it in square brackets")
    return value


def named(members: Members, key: str, cursor: Cursor) -> Members:
    """Return a member that must be an object."""
    value = members[key]
    if not isinstance(value, dict):
        raise cursor.at(key).refusal(f"'{key}' must be an object; write it in braces")
    return value


def schema_list(members: Members, key: str, cursor: Cursor) -> Nodes:
    """Build the schemas of a list."""
    nodes: list[Node] = []
    for position, item in enumerate(items(members, key, cursor)):
        nodes.append((yield spot(item, cursor.at(key).at(position))))
    return nodes


def schema_map(members: Members, key: str, cursor: Cursor) -> NamedNodes:
    """Build the schemas of an object's members; an absent one has none."""
    nodes: dict[str, Node] = {}
    if key in members:
        for name, item in named(members, key, cursor).items():
            nodes[name] = yield spot(item, cursor.at(key).at(name))
    return nodes


def spot(value: Json, cursor: Cursor) -> Spot:
    """Return a place where a schema must stand."""
    if not isinstance(value, dict | bool):
        raise cursor.refusal("A schema must be an object, true or false; write one of them")
    return Spot(value, cursor)


def notes_of(members: Members, cursor: Cursor, draft: Draft) -> Notes:
    """Return what a schema says about itself; the modern drafts lose id and a default of null."""
    if members.keys().isdisjoint(NOTED):
        return NO_NOTES
    default = members.get("default")
    has_default = default is not None if draft.is_modern else "default" in members
    return Notes(
        id=None if draft.is_modern else text(members, draft.id_keyword, cursor),
        title=text(members, "title", cursor),
        description=text(members, "description", cursor),
        default=value_key(default) if has_default else None,
        format=", ".join(one for key in FORMATS if isinstance(one := members.get(key), str)) or None,
        is_decimal=members.get(MARK_OF_DECIMALS[0]) == MARK_OF_DECIMALS[1],
    )


def unknown_type(name: Json, cursor: Cursor) -> Exception:
    """Return the error for a type that JSON Schema does not have."""
    spelled = shown(name) if isinstance(name, str) else "This"
    return cursor.refusal(
        f"{spelled} is not a type; write array, boolean, integer, null, number, object or string"
    )
