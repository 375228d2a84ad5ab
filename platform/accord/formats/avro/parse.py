"""Avro text to typed nodes: the parser and every check of a schema's own validity.

*Strict* is for new schemas: names, namespaces, defaults and enum defaults must be right and no JSON
member may be given twice. Otherwise the schema is one that is already stored: only what a reader
could not work with is refused, as registries do that must go on serving what they once accepted.

The parser accepts what Avro Java 1.12 accepts, with these deliberate differences, all strict only:
the default of an enum field must be one of the symbols, that of a fixed must have its size, that of
bytes holds only the characters U+0000 to U+00FF. Java lets them through and readers fail on them later.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from accord.formats import jsontext
from accord.formats.avro.cursor import Cursor, refusal, too_large
from accord.formats.avro.defaults import DefaultCheck, DefaultChecker
from accord.formats.avro.model import (
    PRIMITIVES,
    Array,
    Enum,
    Field,
    Fixed,
    Kind,
    Map,
    Order,
    Primitive,
    Record,
    Union,
    branch_name,
)
from accord.formats.avro.names import (
    Name,
    is_namespace,
    is_simple_name,
    split_alias,
    split_name,
)
from accord.formats.places import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.avro.model import Named, Node, Props
    from accord.formats.jsontext import Json
    from accord.formats.limits import Limits

    Members = dict[str, Json]

PRIMITIVE_KINDS = {str(kind): kind for kind in PRIMITIVES}
SCHEMA_MEMBERS = frozenset(
    ("doc", "fields", "items", "name", "namespace", "size", "symbols", "values", "type", "aliases")
)
ENUM_MEMBERS = SCHEMA_MEMBERS | {"default"}
FIELD_MEMBERS = frozenset(("default", "doc", "name", "order", "type", "aliases"))
LARGEST_SIZE = 2**31 - 1
NUMBER_TEXT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)
FLOATING = frozenset((Kind.FLOAT, Kind.DOUBLE))
NAME_ADVICE = "use letters, digits and _ only and do not begin with a digit"


def parse_text(text: str, *, known: Mapping[str, Named], strict: bool, limits: Limits) -> Node:
    """Return the root node of an Avro text; ``known`` are types by full name it may refer to.

    Raises `accord.errors.InvalidSchema` or `accord.errors.SchemaTooLarge`, naming the place.
    """
    _check_size(text, limits)
    try:
        value = jsontext.read(text, depth=limits.depth, unique=strict)
    except jsontext.JsonError as error:
        if error.flaw.is_size:
            raise too_large(error.flaw.pointer, error.flaw.sentence) from None
        raise refusal(error.flaw.pointer, error.flaw.sentence) from None
    return _Parser(known, strict=strict, limits=limits).parse(value)


def defined_types(root: Node) -> dict[str, Named]:
    """Return every named type that a root node leads to, by full name."""
    found: dict[str, Named] = {}
    waiting: list[Node] = [root]
    while waiting:
        node = waiting.pop()
        match node:
            case Array():
                waiting.append(node.items)
            case Map():
                waiting.append(node.values)
            case Union():
                waiting.extend(node.branches)
            case Record() if node.name.full not in found:
                waiting.extend(field.type for field in node.fields)
        if isinstance(node, Record | Enum | Fixed):
            found[node.name.full] = node
    return found


def _check_size(text: str, limits: Limits) -> None:
    try:
        size = len(text) if len(text) > limits.text_bytes else len(text.encode())
    except UnicodeEncodeError as error:
        sentence = f"Character {error.start} is one half of a surrogate pair; write the whole one"
        raise refusal("", sentence) from None
    if size > limits.text_bytes:
        raise too_large(
            "",
            f"The text has more than {limits.text_bytes} bytes;"
            " split it into schemas that refer to each other",
        )
    if "\0" in text:
        raise refusal("", f"Character {text.index(chr(0))} is a NUL character; remove it")


class _Parser:
    """One text being read: the types known so far, what was counted, the defaults to check."""

    def __init__(self, known: Mapping[str, Named], *, strict: bool, limits: Limits) -> None:
        self.types = dict(known)
        self.strict = strict
        self.limits = limits
        self.nodes = 0
        self.fields = 0
        self.defaults: list[DefaultCheck] = []
        self.makers = {
            "array": self._array,
            "map": self._map,
            "record": self._record,
            "error": self._record,
            "enum": self._enum,
            "fixed": self._fixed,
        }

    def parse(self, value: Json) -> Node:
        root = self._type(value, Cursor())
        if self.strict:
            DefaultChecker(self.limits.default_steps).check_all(self.defaults)
        return root

    def _inner(self, value: Json, holder: Cursor, step: str | int) -> Node:
        """Read the type one step from a place; most are primitives, for which no place is made."""
        kind = PRIMITIVE_KINDS.get(value) if isinstance(value, str) else None
        if kind is None or self.nodes >= self.limits.nodes:
            return self._type(value, holder.at(step))
        self.nodes += 1
        return Primitive(kind, {})

    def _type(self, value: Json, cursor: Cursor) -> Node:
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            raise cursor.too_large(f"The schema has more than {self.limits.nodes} types; split it")
        match value:
            case dict():
                return self._object(value, cursor)
            case list():
                return self._union(value, cursor)
            case str() if value in PRIMITIVE_KINDS:
                return Primitive(PRIMITIVE_KINDS[value], {})
            case str():
                return self._reference(value, cursor)
        raise cursor.refusal("A type must be a name, an object or a list of types; write one of them")

    def _reference(self, text: str, cursor: Cursor) -> Node:
        # A bare name that the enclosing namespace does not know is looked up in the null namespace.
        for namespace in (cursor.namespace, None):
            found = self.types.get(split_name(text, namespace).full)
            if found is not None:
                return found
        raise cursor.refusal(
            f"{shown(text)} is not a defined name; define the type before it is used,"
            " write its namespace, or add a reference to its schema"
        )

    def _object(self, members: Members, cursor: Cursor) -> Node:
        match members.get("type"):
            case str(text) if text in self.makers:
                return self.makers[text](members, cursor)
            case str(text) if text in PRIMITIVE_KINDS:
                return Primitive(PRIMITIVE_KINDS[text], _props(members, SCHEMA_MEMBERS))
            case str(text):
                return self._reference(text, cursor.at("type"))
            case dict() | list() as inner:
                return self._type(inner, cursor.at("type"))
        raise cursor.refusal("The type has no 'type' that is a name; add one, for example \"string\"")

    def _array(self, members: Members, cursor: Cursor) -> Node:
        if "items" not in members:
            raise cursor.refusal("The array has no 'items'; add the type of its items")
        return Array(self._inner(members["items"], cursor, "items"), _props(members, SCHEMA_MEMBERS))

    def _map(self, members: Members, cursor: Cursor) -> Node:
        if "values" not in members:
            raise cursor.refusal("The map has no 'values'; add the type of its values")
        return Map(self._inner(members["values"], cursor, "values"), _props(members, SCHEMA_MEMBERS))

    def _union(self, items: list[Json], cursor: Cursor) -> Node:
        branches: dict[str, Node] = {}
        for position, item in enumerate(items):
            branch = self._inner(item, cursor, position)
            if isinstance(branch, Union):
                raise cursor.at(position).refusal(
                    "A union stands directly inside a union; merge the two lists"
                )
            name = branch_name(branch)
            if name in branches:
                raise cursor.at(position).refusal(f"The union has {shown(name)} twice; keep one of them")
            branches[name] = branch
        return Union(tuple(branches.values()))

    def _record(self, members: Members, cursor: Cursor) -> Node:
        name = self._name(members, cursor)
        record = Record(
            name=name,
            doc=_text(members, "doc"),
            aliases=self._type_aliases(members, cursor, name=name),
            props=_props(members, SCHEMA_MEMBERS),
            is_error=members["type"] == "error",
        )
        self.types[name.full] = record
        fields = members.get("fields")
        if not isinstance(fields, list):
            raise cursor.refusal(f"The record {shown(name.full)} has no list 'fields'; add one")
        record.complete(self._fields(fields, cursor.inside(name.namespace).at("fields")))
        return record

    def _fields(self, items: list[Json], cursor: Cursor) -> tuple[Field, ...]:
        fields: dict[str, Field] = {}
        for position, item in enumerate(items):
            place = cursor.at(position)
            self.fields += 1
            if self.fields > self.limits.fields:
                raise place.too_large(
                    f"The schema has more than {self.limits.fields} fields; split its records"
                )
            field = self._field(item, place)
            if field.name in fields:
                raise place.refusal(f"The field {shown(field.name)} is there twice; rename one of them")
            fields[field.name] = field
        return tuple(fields.values())

    def _field(self, members: Json, cursor: Cursor) -> Field:
        name = _text(members, "name") if isinstance(members, dict) else None
        if not isinstance(members, dict) or name is None:
            raise cursor.refusal("A field must be an object with a 'name' that is a string; add it")
        self._check_simple_name(name, cursor, "name")
        if "type" not in members:
            raise cursor.refusal(f"The field {shown(name)} has no 'type'; add one")
        node = self._inner(members["type"], cursor, "type")
        field = Field(
            name,
            node,
            doc=_text(members, "doc"),
            has_default="default" in members,
            default=_default(members, node),
            order=_order(members, cursor),
            aliases=_alias_texts(members, cursor),
            props=_props(members, FIELD_MEMBERS),
        )
        if field.has_default:
            self.defaults.append(DefaultCheck(field, cursor))
        return field

    def _enum(self, members: Members, cursor: Cursor) -> Node:
        name = self._name(members, cursor)
        default = _text(members, "default")
        enum = Enum(
            name=name,
            doc=_text(members, "doc"),
            aliases=self._type_aliases(members, cursor, name=name),
            props=_props(members, ENUM_MEMBERS),
            symbols=self._symbols(members, cursor),
            default=default,
        )
        if self.strict and default is not None and default not in enum.symbols:
            raise cursor.at("default").refusal(
                f"The default {shown(default)} is not a symbol of the enum; add it or change it"
            )
        self.types[name.full] = enum
        return enum

    def _symbols(self, members: Members, cursor: Cursor) -> tuple[str, ...]:
        items = members.get("symbols")
        if not isinstance(items, list):
            raise cursor.refusal("The enum has no list 'symbols'; add one")
        place = cursor.at("symbols")
        symbols: dict[str, None] = {}
        for position, item in enumerate(items):
            if not isinstance(item, str):
                raise place.at(position).refusal("A symbol must be a string; write it in quotes")
            self._check_simple_name(item, place, position)
            if item in symbols:
                sentence = f"The symbol {shown(item)} is there twice; keep one of them"
                raise place.at(position).refusal(sentence)
            symbols[item] = None
        return tuple(symbols)

    def _fixed(self, members: Members, cursor: Cursor) -> Node:
        name = self._name(members, cursor)
        size = members.get("size")
        if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= LARGEST_SIZE:
            raise cursor.refusal(f"The fixed needs a 'size' from 0 to {LARGEST_SIZE}; write its bytes")
        fixed = Fixed(
            name=name,
            doc=_text(members, "doc"),
            aliases=self._type_aliases(members, cursor, name=name),
            props=_props(members, SCHEMA_MEMBERS),
            size=size,
        )
        self.types[name.full] = fixed
        return fixed

    def _name(self, members: Members, cursor: Cursor) -> Name:
        text = _text(members, "name")
        if text is None:
            raise cursor.refusal("The named type has no 'name' that is a string; add one")
        space = _text(members, "namespace")
        name = split_name(text, cursor.namespace if space is None else space or None)
        self._check_name(name, cursor, "name")
        if name.full in PRIMITIVE_KINDS:
            raise cursor.at("name").refusal(
                f"{shown(text)} is the name of a primitive type; rename it or add a namespace"
            )
        if name.full in self.types:
            raise cursor.at("name").refusal(
                f"The name {shown(name.full)} is defined twice; write the name alone the second time"
            )
        return name

    def _type_aliases(self, members: Members, cursor: Cursor, *, name: Name) -> tuple[Name, ...]:
        texts = _alias_texts(members, cursor)
        aliases = tuple(split_alias(text, name.namespace) for text in texts)
        for alias in aliases:
            self._check_name(alias, cursor, "aliases")
        return aliases

    def _check_name(self, name: Name, holder: Cursor, step: str) -> None:
        self._check_simple_name(name.simple, holder, step)
        if len(name.full) > self.limits.name_length:
            limit = f"A full name has more than {self.limits.name_length} characters"
            raise holder.at(step).too_large(limit)
        if self.strict and not is_namespace(name.namespace or ""):
            sentence = f"{shown(str(name.namespace))} is not a namespace; {NAME_ADVICE}"
            raise holder.at(step).refusal(sentence)

    def _check_simple_name(self, name: str, holder: Cursor, step: str | int) -> None:
        if len(name) > self.limits.name_length:
            raise holder.at(step).too_large(f"A name has more than {self.limits.name_length} characters")
        if not is_simple_name(name):
            raise holder.at(step).refusal(f"{shown(name)} is not a name; {NAME_ADVICE}")


def _text(members: Members, key: str) -> str | None:
    """Return a member that is a string; anything else counts as absent, as in Avro Java."""
    value = members.get(key)
    return value if isinstance(value, str) else None


def _props(members: Members, known: frozenset[str]) -> Props:
    if known.issuperset(members):
        return {}
    return {key: item for key, item in members.items() if key not in known}


def _alias_texts(members: Members, cursor: Cursor) -> tuple[str, ...]:
    if "aliases" not in members:
        return ()
    aliases = members["aliases"]
    texts = aliases if isinstance(aliases, list) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise cursor.at("aliases").refusal("'aliases' must be a list of strings; write it so or leave it out")
    return tuple(dict.fromkeys(str(text) for text in texts))


def _order(members: Members, cursor: Cursor) -> Order:
    if "order" not in members:
        return Order.ASCENDING
    text = _text(members, "order") or ""
    if text.lower() not in set(Order):
        raise cursor.at("order").refusal("'order' must be ascending, descending or ignore; write one of them")
    return Order(text.lower())


def _default(members: Members, node: Node) -> Json:
    default = members.get("default")
    if isinstance(default, str) and node.kind in FLOATING:
        return _number(default)
    return default


def _number(text: str) -> Json:
    """Return the double that Avro Java makes of a quoted default; NaN and infinities stay text."""
    value = float(text) if NUMBER_TEXT.fullmatch(text) else math.inf
    return text if math.isinf(value) else value
