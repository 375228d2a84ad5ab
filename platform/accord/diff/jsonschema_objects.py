"""The walk over two schemas of objects. Source: json-compat, section 5.5, in its order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.changes import Effort, Ways
from accord.diff.jsonschema_changes import Difference, DifferenceType
from accord.diff.jsonschema_parts import (
    Undeclared,
    aligned,
    bounds,
    is_open,
    rest,
    slot,
    unevaluated,
)
from accord.formats.jsonschema.model import is_trivial

if TYPE_CHECKING:
    from accord.diff.changes import Steps
    from accord.formats.jsonschema.model import Node, Object

BOUNDS = (("maxProperties", "max_properties"), ("minProperties", "min_properties"))
PROPERTY = Undeclared("PROPERTY", "properties")
REST = slot("additionalProperties")
UNEVALUATED = slot("unevaluatedProperties")
NAMES_PER_STEP = 4


def objects(reader: Object, writer: Object) -> Steps:
    """Emit what differs between two schemas of objects."""
    names = len(reader.properties) + len(writer.properties)
    if names > NAMES_PER_STEP:
        yield Effort(names // NAMES_PER_STEP)
    yield from _required(reader, writer)
    yield from _properties(reader, writer)
    yield from _needed_names(reader, writer)
    yield from _needed_schemas(reader, writer)
    yield from rest(reader, writer, REST)
    yield from unevaluated(reader, writer, UNEVALUATED)
    yield from bounds(reader, writer, BOUNDS)


def _has_default(node: Node) -> bool:
    return node.notes.default is not None


def _required(reader: Object, writer: Object) -> Steps:
    """Look at properties that both sides declare; other required names are not examined."""
    if reader.required == writer.required:
        return
    for name in writer.properties:
        is_, was = name in reader.required, name in writer.required
        if is_ is was or name not in reader.properties:
            continue
        if was:
            type_ = DifferenceType.REQUIRED_ATTRIBUTE_REMOVED
        elif _has_default(reader.properties[name]):
            type_ = DifferenceType.REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED
        else:
            type_ = DifferenceType.REQUIRED_ATTRIBUTE_ADDED
        yield Difference(("required", name), type_)


def _properties(reader: Object, writer: Object) -> Steps:
    for name, old in writer.properties.items():
        new = reader.properties.get(name)
        if new is None:
            yield from PROPERTY.removed(reader, old, ("properties", name))
        else:
            yield aligned(new, old, "properties", name)
    for name in reader.properties:
        if name not in writer.properties:
            yield from _added(reader, writer, name)


def _added(reader: Object, writer: Object, name: str) -> Steps:
    """The writer's content model decides what the data may hold under a name it did not declare."""
    at = ("properties", name)
    new = reader.properties[name]
    if is_open(writer):
        yield Difference(at, _added_to_open(reader, new, name))
        return
    yield from PROPERTY.added(new, writer, at)
    if name not in reader.required:
        yield Difference(at, DifferenceType.OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL)
    elif _has_default(new):
        yield Difference(at, DifferenceType.REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN_CONTENT_MODEL)
    else:
        yield Difference(at, DifferenceType.REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL)


def _added_to_open(reader: Object, new: Node, name: str) -> DifferenceType:
    if is_trivial(new):
        return DifferenceType.PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL
    if name not in reader.required:
        return DifferenceType.OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL
    if _has_default(new):
        return DifferenceType.REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL
    return DifferenceType.REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL


def _needed_names(reader: Object, writer: Object) -> Steps:
    for name in {**writer.needed_names, **reader.needed_names}:
        new, old = reader.needed_names.get(name), writer.needed_names.get(name)
        if new == old:
            continue
        if old is None:
            type_ = DifferenceType.DEPENDENCY_ARRAY_ADDED
        elif new is None:
            type_ = DifferenceType.DEPENDENCY_ARRAY_REMOVED
        elif old < new:
            type_ = DifferenceType.DEPENDENCY_ARRAY_EXTENDED
        elif new < old:
            type_ = DifferenceType.DEPENDENCY_ARRAY_NARROWED
        else:
            type_ = DifferenceType.DEPENDENCY_ARRAY_CHANGED
        at, written = ("dependencies", name), _needed("dependentRequired", name)
        yield Difference(at, type_, _listed(new), _listed(old), written=written)


def _needed(keyword: str, name: str) -> Ways:
    """Return the steps to what a name needs, in the words of newer drafts, which have one for each kind."""
    return Ways((keyword, name), (keyword, name))


def _listed(names: frozenset[str] | None) -> str:
    return ", ".join(sorted(names)) if names else "none"


def _needed_schemas(reader: Object, writer: Object) -> Steps:
    for name in {**writer.needed_schemas, **reader.needed_schemas}:
        new, old = reader.needed_schemas.get(name), writer.needed_schemas.get(name)
        at, ways = ("dependencies", name), _needed("dependentSchemas", name)
        if new is not None and old is not None:
            yield aligned(new, old, *at, ways=ways)
        elif new is None:
            yield Difference(at, DifferenceType.DEPENDENCY_SCHEMA_REMOVED, written=ways)
        else:
            yield Difference(at, DifferenceType.DEPENDENCY_SCHEMA_ADDED, written=ways)
