"""Hypothesis strategies: JSON Schemas of any sort, closed producers with their history, and documents.

Names come from small pools, so that two schemas drawn apart meet often enough to be interesting.
"""

from __future__ import annotations

import copy
from typing import Any, TypeAlias

from hypothesis import strategies as st

from tests.accord.json_texts import MODERN

Written: TypeAlias = "bool | dict[str, Any]"

NAMES = "abcd"
small = st.integers(0, 4)
scalars = st.sampled_from([None, True, False, 0, 1, 1.0, 2.5, "a", "b", "ab"])
strings = st.fixed_dictionaries(
    {"type": st.just("string")}, optional={"maxLength": small, "minLength": small, "pattern": st.just("^a")}
)
numbers = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional={"minimum": small, "maximum": small, "exclusiveMinimum": small, "multipleOf": st.integers(1, 4)},
)
plain = st.one_of(
    st.booleans(),
    st.just({}),
    strings,
    numbers,
    st.sampled_from([{"type": "null"}, {"type": "boolean"}, {"type": ["string", "null"]}]),
    st.builds(lambda values: {"enum": values}, st.lists(scalars, min_size=1, max_size=3)),
    st.builds(lambda value: {"const": value}, scalars),
    st.sampled_from([{"$ref": "#"}, {"$ref": "#/definitions/D"}]),
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas of objects with all sorts of content models."""
    return st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
            "required": st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
            "additionalProperties": st.booleans() | inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "[bc]"]), inner, max_size=1),
            "dependencies": st.dictionaries(st.sampled_from("ab"), st.just(["c"]) | inner, max_size=2),
            "maxProperties": small,
            "title": st.sampled_from("TU"),
        },
    )


def arrays(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas of lists and tuples."""
    return st.fixed_dictionaries(
        {"type": st.just("array")},
        optional={
            "items": inner | st.lists(inner, max_size=2),
            "additionalItems": st.booleans() | inner,
            "minItems": small,
            "uniqueItems": st.booleans(),
        },
    )


def combined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Combinations, negations and conditions."""
    branches = st.lists(inner, min_size=1, max_size=3)
    choices = st.builds(
        lambda keyword, nodes: {keyword: nodes}, st.sampled_from(["allOf", "anyOf", "oneOf"]), branches
    )
    return (
        choices | st.builds(lambda node: {"not": node}, inner) | st.builds(lambda node: {"if": node}, inner)
    )


inner_schemas = st.recursive(
    plain, lambda inner: objects(inner) | arrays(inner) | combined(inner), max_leaves=5
)


@st.composite
def json_schemas(draw: st.DrawFn) -> Written:
    """A schema of draft 7 whose references all lead somewhere."""
    schema = draw(objects(inner_schemas) | combined(inner_schemas) | plain)
    if isinstance(schema, bool) or "$ref" in schema:
        schema = {"type": "object"}
    return {**schema, "definitions": {"D": draw(objects(inner_schemas))}}


def closed_objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Closed objects that require some of what they declare."""

    def made(properties: dict[str, Any], picked: set[str], keyword: str) -> dict[str, Any]:
        required = sorted(picked & properties.keys())
        return {"type": "object", "properties": properties, "required": required, keyword: False}

    return st.builds(
        made,
        st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
        st.sets(st.sampled_from(NAMES), max_size=1),
        st.just("additionalProperties"),
    )


def one_of_two(*branches: dict[str, Any]) -> dict[str, Any]:
    """A choice of closed objects that a property tells apart."""
    marked = [
        {
            **branch,
            "properties": {**branch["properties"], "kind": {"enum": [kind]}},
            "required": [*branch["required"], "kind"],
        }
        for kind, branch in zip("xy", branches, strict=True)
    ]
    return {"oneOf": marked}


def closed_parts(schema: Any) -> list[dict[str, Any]]:
    """Every closed object of a producer's schema, the outermost first."""
    if not isinstance(schema, dict):
        return []
    below = [schema.get("items"), *schema.get("oneOf", ()), *schema.get("properties", {}).values()]
    own = [schema] if "properties" in schema else []
    return own + [part for one in below for part in closed_parts(one)]


kind_lists = st.lists(st.sampled_from(["string", "null", "boolean"]), min_size=1, unique=True)
fields = st.recursive(
    st.one_of(
        st.sampled_from([{"type": "boolean"}, {"type": "null"}]),
        st.builds(lambda kinds: {"type": kinds}, kind_lists),
        st.builds(lambda length: {"type": "string", "maxLength": length}, small),
        st.builds(
            lambda kind, least: {"type": kind, "minimum": least},
            st.sampled_from(["integer", "number"]),
            small,
        ),
        st.builds(lambda values: {"enum": values}, st.lists(scalars, min_size=1, max_size=3)),
    ),
    lambda inner: (
        st.builds(lambda items: {"type": "array", "items": items}, inner)
        | closed_objects(inner)
        | st.builds(one_of_two, closed_objects(inner), closed_objects(inner))
    ),
    max_leaves=4,
)


@st.composite
def nearby(draw: st.DrawFn, field: dict[str, Any]) -> dict[str, Any]:
    """A field a little wider or narrower than this one, or another one altogether."""
    if "enum" in field:
        known: list[Any] = field["enum"]
        fewer, more = known[:-1] or known, [*known, draw(scalars)]
        return {"enum": draw(st.sampled_from([fewer, more]))}
    kinds = field.get("type")
    if isinstance(kinds, list):
        return {"type": draw(st.sampled_from([kinds[:-1] or kinds, draw(kind_lists)]))}
    if kinds == "string":
        return {"type": "string", "maxLength": draw(small)}
    if kinds in {"integer", "number"}:
        other = {"integer": "number", "number": "integer"}[kinds]
        return {**field, **draw(st.sampled_from([{"type": other}, {"minimum": draw(small)}]))}
    return draw(fields)


@st.composite
def producers(draw: st.DrawFn) -> list[Written]:
    """Versions of one closed schema, each made of the one before by changes such as people make."""
    draft = draw(st.sampled_from([{}, {"$schema": MODERN}]))
    version = draw(closed_objects(fields))
    versions: list[Written] = [{**draft, **version}]
    for _ in range(draw(st.integers(1, 5))):
        version = copy.deepcopy(version)
        part = draw(st.sampled_from(closed_parts(version)))
        change(draw, part, draw(st.sampled_from([*part["properties"], *part["properties"], *"aab"])))
        versions.append({**draft, **version})
    return versions


def change(draw: st.DrawFn, part: dict[str, Any], name: str) -> None:
    """Change one property of an object: add, alter or remove it, require it or no longer."""
    others = [one for one in part["required"] if one != name]
    if name not in part["properties"]:
        part["properties"][name] = draw(fields)
        return
    match draw(st.sampled_from(["alter", "alter", "alter", "require", "remove"])):
        case "remove":
            del part["properties"][name]
            part["required"] = others
        case "require":
            part["required"] = others if name in part["required"] else [*others, name]
        case _:
            part["properties"][name] = draw(nearby(part["properties"][name]))


def taken_apart(schema: Any, texts: dict[str, Any]) -> Any:
    """A producer's schema whose inner objects and choices stand in ``texts``, referred to by name."""
    made = dict(schema)
    if "items" in schema:
        made["items"] = referred_to(schema["items"], texts)
    if "oneOf" in schema:
        made["oneOf"] = [referred_to(one, texts) for one in schema["oneOf"]]
    if "properties" in schema:
        made["properties"] = {name: referred_to(one, texts) for name, one in schema["properties"].items()}
    return made


def referred_to(schema: Any, texts: dict[str, Any]) -> Any:
    """A reference to a schema that is put into ``texts``, if there are objects in it."""
    if not closed_parts(schema):
        return schema
    made = taken_apart(schema, texts)
    name = f"part-{len(texts)}.json"
    texts[name] = made
    return {"$ref": name}


def edges(schema: dict[str, Any]) -> list[Any]:
    """Values at the edges of what a producer's schema takes: each enum, each bound, all or the least."""
    if "oneOf" in schema:
        return [edge for branch in schema["oneOf"] for edge in edges(branch)]
    if "enum" in schema:
        return list(schema["enum"])
    kinds = schema["type"]
    if isinstance(kinds, list):
        return [edge for kind in kinds for edge in edges({**schema, "type": kind})]
    match kinds:
        case "object":
            inner = {name: edges(one) for name, one in schema["properties"].items()}
            full = {name: found[0] for name, found in inner.items()}
            least = {name: full[name] for name in schema["required"]}
            return [full, least, *({**full, name: one} for name, found in inner.items() for one in found[1:])]
        case "array":
            return [[], *([edge] for edge in edges(schema["items"]))]
        case "integer" | "number":
            least = schema["minimum"]
            return [least] if kinds == "integer" else [least + 0.5, least]
    longest = "b" * schema.get("maxLength", 2)
    return {"string": [longest, ""], "boolean": [True, False], "null": [None]}[kinds]


@st.composite
def documents(draw: st.DrawFn, schema: dict[str, Any]) -> Any:
    """A value that is likely to be valid under a schema of a producer."""
    if "oneOf" in schema:
        schema = draw(st.sampled_from(schema["oneOf"]))
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    kinds = schema["type"]
    match draw(st.sampled_from(kinds)) if isinstance(kinds, list) else kinds:
        case "object":
            is_full = draw(st.sampled_from([True, True, False]))
            names = [
                one
                for one in schema["properties"]
                if is_full or one in schema["required"] or draw(st.booleans())
            ]
            return {name: draw(documents(schema["properties"][name])) for name in names}
        case "array":
            return draw(st.lists(documents(schema["items"]), max_size=2))
        case "string":
            return draw(st.text("ab", max_size=schema.get("maxLength", 2)))
        case "integer":
            return draw(st.integers(schema["minimum"], 9))
        case "number":
            return draw(st.integers(schema["minimum"], 9)) + draw(st.sampled_from([0, 0.5]))
        case "boolean":
            return draw(st.booleans())
    return None
