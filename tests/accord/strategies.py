"""Hypothesis strategies: valid Avro schemas, whole, with everything the format knows.

Names come from small pools, so that two schemas drawn apart meet often enough to be interesting.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
# Drawing a schema takes many choices, and the machine may be busy.
SLOW_MACHINE = settings(
    max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
Written: TypeAlias = "str | list[Any] | dict[str, Any]"

PRIMITIVES = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")
NAMESPACES = (None, None, "x", "x.y")
DEEPEST = 3

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=3,
)
props: st.SearchStrategy[dict[str, Any]] = st.just({}) | st.dictionaries(
    st.sampled_from(["p", "q", "ü"]), values, max_size=2
)
aliases = st.lists(st.sampled_from(["K", "x.L", ".M", "V"]), max_size=2)
field_aliases = st.lists(st.sampled_from("fgh"), max_size=2)
symbols = st.lists(st.sampled_from("ABCDE"), unique=True, max_size=4)

DEFAULTS = {
    "null": st.none(),
    "boolean": st.booleans(),
    "int": st.integers(-(2**31), 2**31 - 1),
    "long": st.integers(-(2**63), 2**63 - 1),
    "float": numbers,
    "double": numbers,
    "bytes": st.text(st.characters(max_codepoint=255), max_size=4),
    "string": texts,
}


@dataclass
class Scene:
    """What one drawing knows: the draw function and the named types met so far."""

    draw: st.DrawFn
    is_plain: bool = False
    defined: dict[str, dict[str, Any]] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)

    def pick(self, choices: Sequence[T]) -> T:
        """One of several."""
        return self.draw(st.sampled_from(choices))

    def type(self, depth: int, *, in_union: bool = False) -> Written:
        """Any type: plain, named, a name met before, or one with types inside."""
        kinds = ["plain", "plain", "annotated", "enum", "fixed"]
        kinds += ["reference"] if self.defined else []
        if depth < DEEPEST:
            kinds += ["record", "record", "array", "map"]
            kinds += [] if in_union else ["union"]
        drawn: Written = getattr(self, f"_{self.pick(kinds)}")(depth)
        return drawn

    def _plain(self, _depth: int) -> Written:
        return self.pick(PRIMITIVES)

    def _annotated(self, _depth: int) -> Written:
        return {"type": self.pick(PRIMITIVES), **self.draw(props), **self._logical()}

    def _logical(self) -> dict[str, Any]:
        if self.is_plain:
            return {}
        name = self.pick((None, None, "date", "timestamp-millis", "decimal", "uuid"))
        extra = {"scale": 0, "precision": 9} if name == "decimal" else {}
        return extra | ({"logicalType": name} if name else {})

    def _reference(self, _depth: int) -> Written:
        return self.pick(list(self.defined))

    def _array(self, depth: int) -> Written:
        return {"type": "array", "items": self.type(depth + 1), **self.draw(props)}

    def _map(self, depth: int) -> Written:
        return {"values": self.type(depth + 1), **self.draw(props), "type": "map"}

    def _union(self, depth: int) -> Written:
        branches: dict[str, Written] = {}
        for _ in range(self.draw(st.integers(0, 4))):
            before = dict(self.defined)
            branch = self.type(depth + 1, in_union=True)
            if branch_key(branch) in branches:
                self.defined = before
            else:
                branches[branch_key(branch)] = branch
        return list(branches.values())

    def _name(self) -> dict[str, Any] | None:
        simple, namespace = self.pick("KLMNO"), self.pick(("x", "x.y") if self.is_plain else NAMESPACES)
        full = f"{namespace}.{simple}" if namespace else simple
        if full in self.defined or full in self.open:
            return None
        spelled = {"name": full} if namespace and self.draw(st.booleans()) else None
        members: dict[str, Any] = spelled or {"name": simple, "namespace": namespace or ""}
        members |= self.draw(props)
        if self.draw(st.booleans()):
            members["doc"] = self.draw(texts)
        if self.draw(st.booleans()):
            members["aliases"] = self.draw(aliases)
        return {"full": full, **members}

    def _named(self, kind: str, **members: Any) -> Written:
        name = self._name()
        if name is None:
            return "string"
        full = name.pop("full")
        self.defined[full] = {"type": kind, **name, **members}
        return self.defined[full]

    def _enum(self, _depth: int) -> Written:
        chosen = self.draw(symbols)
        has_default = bool(chosen) and self.draw(st.booleans())
        default = {"default": chosen[0]} if has_default else {}
        return self._named("enum", symbols=chosen, **default)

    def _fixed(self, _depth: int) -> Written:
        return self._named("fixed", size=self.pick((0, 4, 16)), **self._logical())

    def _record(self, depth: int) -> Written:
        name = self._name()
        if name is None:
            return "bytes"
        full = name.pop("full")
        written: dict[str, Any] = {"type": self.pick(("record", "record", "error")), **name}
        self.open.add(full)
        names = self.draw(st.lists(st.sampled_from("abcde"), unique=True, max_size=4))
        written["fields"] = [self._field(one, full, depth) for one in names]
        self.defined[full] = written
        return written

    def _field(self, name: str, owner: str, depth: int) -> dict[str, Any]:
        is_recursive = "." in owner and self.draw(st.integers(0, 5)) == 0
        inner = ["null", owner] if is_recursive else self.type(depth + 1)
        written: dict[str, Any] = {"name": name, "type": inner, **self.draw(props)}
        if is_recursive or self.draw(st.booleans()):
            written |= self._default(inner)
        if self.draw(st.booleans()):
            written["aliases"] = self.draw(field_aliases)
        if self.draw(st.booleans()):
            written["order"] = self.pick(("ascending", "descending", "ignore"))
        return written

    def _default(self, inner: Any) -> dict[str, Any]:
        """A default that fits, for the types where one is easy to find."""
        match inner:
            case str() if inner in DEFAULTS:
                return {"default": self.draw(DEFAULTS[inner])}
            case {"type": "array"}:
                return {"default": []}
            case {"type": "map"}:
                return {"default": {}}
            case ["null", *_]:
                return {"default": None}
            case {"type": "fixed"}:
                return {"default": "\x00" * inner["size"]}
            case _:
                return {}


def branch_key(branch: Written) -> str:
    """What must be unique in a union."""
    if isinstance(branch, str):
        return branch
    assert isinstance(branch, dict), "unions do not nest"
    name = branch.get("name", branch["type"])
    space = branch.get("namespace")
    return f"{space}.{name}" if space else str(name)


@st.composite
def avro_schemas(draw: st.DrawFn, *, is_plain: bool = False) -> Written:
    """A valid Avro schema as a JSON value; a plain one has no null namespace and no logical types."""
    return Scene(draw, is_plain).type(0)


def inner_types(schema: Any) -> list[Written]:
    """Every object of a schema, itself first."""
    found: list[Written] = [schema]
    match schema:
        case {"items": inner} | {"values": inner}:
            found += inner_types(inner)
        case {"fields": fields}:
            found += [inner for one in fields for inner in inner_types(one["type"])]
        case list():
            found += [inner for branch in schema for inner in inner_types(branch)]
    return found


@st.composite
def related_schemas(draw: st.DrawFn) -> tuple[Written, Written]:
    """A schema, and one made of it by changes such as people make; the latter may be invalid."""
    schema = draw(avro_schemas())
    other = copy.deepcopy(schema)
    for _ in range(draw(st.integers(1, 2))):
        change(draw(st.sampled_from(inner_types(other))), draw)
    return schema, other


def change(part: Any, draw: st.DrawFn) -> None:
    """Take a field out, give an enum other symbols, or give a field or branch another plain type."""
    match part:
        case {"symbols": _}:
            part["symbols"] = draw(symbols)
            part.pop("default", None)
        case {"fields": [*_, last]} if draw(st.booleans()):
            last["type"] = draw(st.sampled_from(PRIMITIVES))
        case {"fields": [_, *_]}:
            del part["fields"][0]
        case {"items": _}:
            part["items"] = draw(st.sampled_from(PRIMITIVES))
        case [*_, _]:
            part[-1] = draw(st.sampled_from(PRIMITIVES))
