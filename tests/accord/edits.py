"""Hypothesis strategies: an Avro schema, and versions made of it by the edits that people make.

Two schemas drawn apart are nearly always at odds both ways. Here one is drawn and each next version is its
predecessor edited once or twice, so that many pairs are allowed in one direction alone. All are valid, all
named types have a namespace, and aliases are full names.
"""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import assume
from hypothesis import strategies as st

from accord.errors import InvalidSchema
from tests.accord.avro_texts import avro
from tests.accord.strategies import DEFAULTS, PRIMITIVES, Scene, Written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Owner: TypeAlias = "dict[str, Any] | list[Any]"
Slot: TypeAlias = "tuple[Owner, Any]"  # what holds a type, and under which key
Edit: TypeAlias = "Callable[[st.DrawFn, Any], Any]"  # gives the type that an edit makes of one, or None

ROOT = "root"
FIELD_NAMES = "abcdefg"
SYMBOLS = "ABCDE"
NEIGHBOURS = {
    "int": ("long", "float", "double", "string"),
    "long": ("int", "float", "double"),
    "float": ("int", "long", "double"),
    "double": ("long", "float"),
    "string": ("bytes", "int"),
    "bytes": ("string",),
}


def slots(owner: Owner, key: Any) -> Iterator[Slot]:
    """Every place of a type, from the one given inwards."""
    yield owner, key
    match owner[key]:
        case {"fields": fields}:
            for field in fields:
                yield from slots(field, "type")
        case {"items": _} as array:
            yield from slots(array, "items")
        case {"values": _} as mapping:
            yield from slots(mapping, "values")
        case list() as branches:
            for position in range(len(branches)):
                yield from slots(branches, position)


def kind_of(written: Written) -> str:
    """What a type is; a reference by its name is none of the kinds that can be edited."""
    if isinstance(written, list):
        return "union"
    kind = written if isinstance(written, str) else str(written["type"])
    return "primitive" if kind in NEIGHBOURS else kind


def full_name(named: Mapping[str, Any]) -> str:
    """The full name of a definition, both ways of spelling it."""
    space = named.get("namespace")
    return f"{space}.{named['name']}" if space else str(named["name"])


def drop_field(draw: st.DrawFn, record: dict[str, Any]) -> Written | None:
    """Take a field out."""
    if not record["fields"]:
        return None
    record["fields"].remove(draw(st.sampled_from(record["fields"])))
    return record


def add_field(draw: st.DrawFn, record: dict[str, Any]) -> Written | None:
    """Put a field in, with or without default."""
    free = sorted(set(FIELD_NAMES) - {field["name"] for field in record["fields"]})
    kind = draw(st.sampled_from(PRIMITIVES))
    added: dict[str, Any] = {"name": draw(st.sampled_from(free)), "type": kind}
    if draw(st.booleans()):
        added["default"] = draw(DEFAULTS[kind])
    record["fields"].insert(draw(st.integers(0, len(record["fields"]))), added)
    return record


def rename_field(draw: st.DrawFn, record: dict[str, Any]) -> Written | None:
    """Give a field another name, with or without an alias for the old one."""
    free = sorted(set(FIELD_NAMES) - {field["name"] for field in record["fields"]})
    if not record["fields"]:
        return None
    field = draw(st.sampled_from(record["fields"]))
    if draw(st.booleans()):
        field["aliases"] = [field["name"]]
    field["name"] = draw(st.sampled_from(free))
    return record


def change_default(draw: st.DrawFn, record: dict[str, Any]) -> Written | None:
    """Give a field of a plain type a default, or take it away."""
    plain = [field for field in record["fields"] if field["type"] in PRIMITIVES]
    if not plain:
        return None
    field = draw(st.sampled_from(plain))
    if "default" in field:
        del field["default"]
    else:
        field["default"] = draw(DEFAULTS[field["type"]])
    return record


def rename(draw: st.DrawFn, named: dict[str, Any]) -> Written | None:
    """Give a type another name or namespace, with or without an alias for the old one."""
    old = full_name(named)
    space, _, simple = old.rpartition(".")
    named["name"] = draw(st.sampled_from(("New", simple)))
    named["namespace"] = draw(st.sampled_from((space, "z")))
    if draw(st.booleans()):
        named["aliases"] = [old]
    return named


def change_symbols(draw: st.DrawFn, enum: dict[str, Any]) -> Written | None:
    """Add a symbol or drop one; a default may come or go."""
    symbol = draw(st.sampled_from(SYMBOLS))
    if symbol in enum["symbols"]:
        enum["symbols"].remove(symbol)
    else:
        enum["symbols"].append(symbol)
    enum.pop("default", None)
    if enum["symbols"] and draw(st.booleans()):
        enum["default"] = enum["symbols"][0]
    return enum


def resize(draw: st.DrawFn, fixed: dict[str, Any]) -> Written | None:
    """Give a fixed another size."""
    return {**fixed, "size": fixed["size"] + draw(st.integers(1, 4))}


def change_kind(draw: st.DrawFn, primitive: Written) -> Written | None:
    """Give a plain type a neighbour's: wider, narrower or out of reach."""
    name = primitive["type"] if isinstance(primitive, dict) else primitive
    kind = draw(st.sampled_from(NEIGHBOURS[str(name)]))
    return {**primitive, "type": kind} if isinstance(primitive, dict) else kind


def add_branch(draw: st.DrawFn, union: list[Any]) -> Written | None:
    """Let a union hold one more type."""
    return [*union, draw(st.sampled_from(PRIMITIVES))]


def drop_branch(draw: st.DrawFn, union: list[Any]) -> Written | None:
    """Take a branch out of a union."""
    if not union:
        return None
    del union[draw(st.integers(0, len(union) - 1))]
    return union


def make_optional(_draw: st.DrawFn, inner: Written) -> Written | None:
    """Put a type into a union with null; first, since a default is one of the first branch."""
    return [inner, "null"]


EDITS: Mapping[str, tuple[Edit, ...]] = {
    "record": (drop_field, add_field, add_field, rename_field, change_default, rename),
    "enum": (change_symbols, rename),
    "fixed": (resize, rename),
    "primitive": (change_kind, make_optional),
    "union": (add_branch, drop_branch),
    "array": (make_optional,),
    "map": (make_optional,),
}


def edit(draw: st.DrawFn, schema: Written) -> Written:
    """Make the next version of a schema by one edit; whoever names a renamed type follows."""
    holder = {ROOT: copy.deepcopy(schema)}
    places = [(*slot, one) for slot in slots(holder, ROOT) for one in EDITS.get(kind_of(at(slot)), ())]
    owner, key, chosen = draw(st.sampled_from(places))
    before = full_name(owner[key]) if chosen is rename else ""
    made = chosen(draw, owner[key])
    assume(made is not None)
    owner[key] = made
    if chosen is rename:
        follow(holder, before, full_name(made))
    return holder[ROOT]


def follow(holder: dict[str, Any], before: str, after: str) -> None:
    """Let whoever names a type name it anew."""
    for owner, key in slots(holder, ROOT):
        if owner[key] == before:
            owner[key] = after


def at(slot: Slot) -> Any:
    """The type at a place."""
    owner, key = slot
    return owner[key]


def is_valid(schema: Written) -> bool:
    """Tell whether an edit left a schema that can be registered."""
    try:
        avro(json.dumps(schema))
    except InvalidSchema:
        return False
    return True


def first_version(draw: st.DrawFn) -> Written:
    """A record with a few fields of any type, in a namespace, without aliases."""
    scene = Scene(draw, is_plain=True)
    names = draw(st.lists(st.sampled_from("abcde"), unique=True, min_size=1, max_size=3))
    fields = [{"name": name, "type": scene.type(1)} for name in names]
    holder = {ROOT: {"type": "record", "name": "x.Root", "fields": fields}}
    for slot in slots(holder, ROOT):
        match at(slot):
            case {"name": _} as named:
                named.pop("aliases", None)
                named["type"] = named["type"].replace("error", "record")
    return holder[ROOT]


@st.composite
def versions(draw: st.DrawFn, *, count: int = 2) -> list[Written]:
    """A schema and the versions that follow it, each valid; edits are as often taken back as made."""
    made = [first_version(draw)]
    while len(made) < count:
        schema = made[-1]
        for _ in range(draw(st.integers(1, 2))):
            schema = edit(draw, schema)
        assume(is_valid(schema))
        made.append(schema)
    return made if draw(st.booleans()) else made[::-1]
