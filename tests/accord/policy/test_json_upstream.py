"""The driver and the walk against a plain recursive transcription of json-compat, sections 4 to 6.

The transcription remembers nothing but the pairs in progress, matches branches by trying every choice, and
runs patterns with Python's engine; the refusals and their places must agree under both policies.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given

from accord.diff.jsonschema_parts import BOUNDS
from accord.formats.jsonschema.model import (
    Array,
    Combined,
    Kind,
    Not,
    Numeric,
    Object,
    Text,
    Values,
    is_trivial,
    seen_through,
)
from accord.model import Severity
from accord.rules.presets import PRESETS
from tests.accord.json_strategies import json_schemas, producers
from tests.accord.json_texts import json_schema, verdict
from tests.accord.rules.jsonschema.test_vectors import VECTORS
from tests.accord.strategies import SLOW_MACHINE

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.formats.jsonschema.model import Node, Schema

Reported: TypeAlias = tuple[str, str]
FIELDS = {
    Text: ("maxLength", "minLength"),
    Numeric: ("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"),
    Object: ("maxProperties", "minProperties"),
    Array: ("maxItems", "minItems", "maxContains", "minContains"),
}


def snake(keyword: str) -> str:
    return re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", keyword)


@dataclass
class Upstream:
    """One comparison under a preset; only what its policy refuses is kept."""

    refused: frozenset[str]
    busy: set[tuple[int, int]] = field(default_factory=set)

    def fits(self, old: Node, new: Node) -> bool:
        """A probe: compare in a scratch list."""
        return not self.compare(old, new, "")

    def say(self, type_: str, at: str) -> list[Reported]:
        return [(type_, at)] if type_ in self.refused else []

    def compare(self, one: Node, other: Node, at: str) -> list[Reported]:
        """Section 4."""
        old, new = seen_through(one), seen_through(other)
        key = (id(old), id(new))
        if key in self.busy:
            return []
        self.busy.add(key)
        found = self.guarded(old, new, at)
        self.busy.discard(key)
        return found

    def guarded(self, old: Schema, new: Schema, at: str) -> list[Reported]:
        """Escapes, kinds, and the rules of a kind."""
        if isinstance(new, Combined) and not isinstance(old, Combined):
            is_open = new.count == 1 or new.criterion != "allOf"
            if is_open and any(self.fits(old, branch) for branch in new.branches):
                return []
        if isinstance(old, Combined) and not isinstance(new, Combined):
            is_open = old.count == 1 or old.criterion == "allOf"
            if is_open and any(self.fits(branch, new) for branch in old.branches):
                return []
        if old.kind is not new.kind:
            passes = old.kind is Kind.FALSE or is_trivial(new)
            return [] if passes else self.say("TYPE_CHANGED", at)
        rules: dict[type, Callable[[Any, Any, str], list[Reported]]] = {
            Text: self.text,
            Numeric: self.number,
            Values: self.values,
            Not: self.negated,
            Combined: self.combined,
            Object: self.object,
            Array: self.array,
        }
        rule = rules.get(type(old))
        return rule(old, new, at) if rule else []

    def bounds(self, old: Any, new: Any, at: str) -> list[Reported]:
        """Every bound of a kind."""
        found: list[Reported] = []
        for keyword in FIELDS[type(old)]:
            was, is_ = getattr(old, snake(keyword)), getattr(new, snake(keyword))
            if was != is_:
                added = "ADDED" if was is None else "REMOVED" if is_ is None else None
                change = added or ("INCREASED" if is_ > was else "DECREASED")
                found += self.say(str(BOUNDS[keyword, change]), f"{at}/{keyword}")
        return found

    def text(self, old: Text, new: Text, at: str) -> list[Reported]:
        """Section 5.1."""
        is_new = old.pattern is None and new.pattern is not None
        return self.bounds(old, new, at) + (self.say("PATTERN_ADDED", f"{at}/pattern") if is_new else [])

    def number(self, old: Numeric, new: Numeric, at: str) -> list[Reported]:
        """Section 5.2, with whole numbers."""
        found = self.bounds(old, new, at)
        was, is_ = old.multiple_of, new.multiple_of
        if was != is_ and is_ is not None:
            change = "CHANGED" if was and is_ % was else "EXPANDED"
            kept = was is not None and was % is_ == 0
            change = "ADDED" if was is None else "REDUCED" if kept else change
            found += self.say(f"MULTIPLE_OF_{change}", f"{at}/multipleOf")
        return found + (self.say("TYPE_NARROWED", at) if new.is_integer > old.is_integer else [])

    def values(self, old: Values, new: Values, at: str) -> list[Reported]:
        """Section 5.3."""
        if old.keys == new.keys or (old.kind is Kind.ENUM and old.keys < new.keys):
            return []
        is_less = old.kind is Kind.ENUM and new.keys < old.keys
        return self.say(f"ENUM_ARRAY_{'NARROWED' if is_less else 'CHANGED'}", f"{at}/{old.kind}")

    def negated(self, old: Not, new: Not, at: str) -> list[Reported]:
        """Section 5.4."""
        return [] if self.fits(new.inner, old.inner) else self.say("NOT_TYPE_EXTENDED", f"{at}/not")

    def combined(self, old: Combined, new: Combined, at: str) -> list[Reported]:
        """Section 6."""
        one, sums = (old.count == 1, new.count == 1), ("anyOf", "oneOf")
        wider = new.criterion == "anyOf" or all(one) or (one[0] and new.criterion == "oneOf")
        if old.criterion != new.criterion and not (wider or (one[1] and old.criterion == "allOf")):
            return self.say("COMBINED_TYPE_CHANGED", at)
        found: list[Reported] = []
        if len(old.branches) < len(new.branches) and new.criterion == "allOf":
            found += self.say("PRODUCT_TYPE_EXTENDED", at)
        if len(old.branches) > len(new.branches) and old.criterion in sums:
            found += self.say("SUM_TYPE_NARROWED", at)
        edges = [[n for n in new.branches if self.fits(o, n)] for o in old.branches]
        choices = itertools.product(*[[*map(id, options), None] for options in edges])
        taken = [[one for one in choice if one is not None] for choice in choices]
        best = max(len(one) for one in taken if len(set(one)) == len(one))
        missed = best < min(len(old.branches), len(new.branches))
        return found + (self.say("COMBINED_TYPE_SUBSCHEMAS_CHANGED", at) if missed else [])

    def object(self, old: Object, new: Object, at: str) -> list[Reported]:
        """Section 5.5."""
        found = self.required(old, new, at)
        for name in {**old.properties, **new.properties}:
            inner = f"{at}/properties/{name}"
            if name not in new.properties:
                found += self.removed(new, old.properties[name], name, inner)
            elif name not in old.properties:
                found += self.added(old, new, name, inner)
            else:
                found += self.compare(old.properties[name], new.properties[name], inner)
        for name, needed in new.needed_names.items():
            was = old.needed_names.get(name)
            if was is None or not was >= needed:
                change = "ADDED" if was is None else "EXTENDED" if was < needed else "CHANGED"
                found += self.say(f"DEPENDENCY_ARRAY_{change}", f"{at}/dependencies/{name}")
        for name in new.needed_schemas:
            place = f"{at}/dependencies/{name}"
            if name in old.needed_schemas:
                found += self.compare(old.needed_schemas[name], new.needed_schemas[name], place)
            else:
                found += self.say("DEPENDENCY_SCHEMA_ADDED", place)
        return found + self.rest(old, new, f"{at}/additionalProperties") + self.bounds(old, new, at)

    def required(self, old: Object, new: Object, at: str) -> list[Reported]:
        """Section 5.5, step 1."""
        found: list[Reported] = []
        for name in old.properties:
            if name in new.properties and name in new.required - old.required:
                has_default = new.properties[name].notes.default is not None
                kind = "REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED" if has_default else "REQUIRED_ATTRIBUTE_ADDED"
                found += self.say(kind, f"{at}/required/{name}")
        return found

    def removed(self, new: Any, old: Node, name: str, at: str) -> list[Reported]:
        """A property or position that the new side does not declare."""
        what = "PROPERTY" if isinstance(new, Object) else "ITEM"
        if is_open(new):
            return []
        cover = covering(new, name)
        if cover is not None:
            inner = self.compare(old, cover, at)
            not_covered = f"{what}_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
            return inner + (self.say(not_covered, at) if inner else [])
        return [] if old.kind is Kind.FALSE else self.say(f"{what}_REMOVED_FROM_CLOSED_CONTENT_MODEL", at)

    def added(self, old: Object, new: Object, name: str, at: str) -> list[Reported]:
        """A property that the old side does not declare."""
        sort = "OPTIONAL_PROPERTY" if name not in new.required else "REQUIRED_PROPERTY"
        if name in new.required and new.properties[name].notes.default is not None:
            sort = "REQUIRED_PROPERTY_WITH_DEFAULT"
        if is_open(old):
            is_free = is_trivial(new.properties[name])
            return [] if is_free else self.say(f"{sort}_ADDED_TO_OPEN_CONTENT_MODEL", at)
        found = self.say(f"{sort}_ADDED_TO_UNOPEN_CONTENT_MODEL", at)
        cover = covering(old, name)
        inner = [] if cover is None else self.compare(cover, new.properties[name], at)
        not_covered = "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
        return found + inner + (self.say(not_covered, at) if inner else [])

    def rest(self, old: Any, new: Any, at: str) -> list[Reported]:
        """Section 5.5, step 4, for arrays as well."""
        what = "PROPERTIES" if isinstance(old, Object) else "ITEMS"
        if old.permits is not new.permits:
            return self.say(f"ADDITIONAL_{what}_{'ADDED' if new.permits else 'REMOVED'}", at)
        if old.extra is None or new.extra is None:
            return self.say(f"ADDITIONAL_{what}_NARROWED", at) if new.extra is not None else []
        return self.compare(old.extra, new.extra, at)

    def array(self, old: Array, new: Array, at: str) -> list[Reported]:
        """Section 5.6."""
        found: list[Reported] = []
        if old.items is not None and new.items is not None:
            found += self.compare(old.items, new.items, f"{at}/items")
        elif new.items is not None:
            found += self.say("SCHEMA_ADDED", f"{at}/items")
        for place in range(max(len(old.positions), len(new.positions))):
            inner = f"{at}/items/{place}"
            if place >= len(new.positions):
                found += self.removed(new, old.positions[place], str(place), inner)
            elif place >= len(old.positions):
                found += self.item_added(old, new.positions[place], inner)
            else:
                found += self.compare(old.positions[place], new.positions[place], inner)
        unique = self.say("UNIQUE_ITEMS_ADDED", f"{at}/uniqueItems") if new.is_unique > old.is_unique else []
        return found + self.rest(old, new, f"{at}/additionalItems") + self.bounds(old, new, at) + unique

    def item_added(self, old: Array, new: Node, at: str) -> list[Reported]:
        """A position that the old side does not declare."""
        if is_open(old):
            return [] if is_trivial(new) else self.say("ITEM_ADDED_TO_OPEN_CONTENT_MODEL", at)
        inner = [] if old.extra is None else self.compare(old.extra, new, at)
        not_covered = "ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
        return inner + (self.say(not_covered, at) if inner else [])


def is_open(node: Any) -> bool:
    return node.permits and node.extra is None and not getattr(node, "patterns", ())


def covering(node: Object | Array, name: str) -> Node | None:
    for pattern, schema in node.patterns if isinstance(node, Object) else ():
        if re.search(pattern, name):
            return schema
    return node.extra


def agree(new: Any, old: Any) -> bool:
    """Tell whether both say the same under both policies."""
    return all(
        told(new, old, preset=preset) == wanted(new, old, preset=preset)
        for preset in ("confluent:8.1", "confluent:8.1:lenient")
    )


def told(new: Any, old: Any, *, preset: str) -> list[Reported]:
    findings = verdict(json_schema(new), json_schema(old), preset=preset).findings
    return sorted((one.rule, one.location.rstrip("/")) for one in findings)


def wanted(new: Any, old: Any, *, preset: str) -> list[Reported]:
    refused = frozenset(rule for rule, cell in PRESETS[preset].items() if cell is Severity.BLOCK)
    return sorted(Upstream(refused).compare(json_schema(old).root, json_schema(new).root, "#"))


# What the transcription leaves out.
OTHER_PARTS = re.compile("unevaluated|PATTERN_|connect")
PLAIN = [one for one in VECTORS if not OTHER_PARTS.search(str(one))]


@pytest.mark.parametrize("vector", PLAIN, ids=lambda one: one["id"])
def test_the_transcription_gives_the_shared_vectors(vector: dict[str, Any]) -> None:
    assert agree(vector["new"], vector["old"])


@SLOW_MACHINE
@given(json_schemas(), json_schemas())
def test_two_schemas_drawn_apart_are_judged_as_upstream_does(one: Any, other: Any) -> None:
    assert agree(one, other)


@SLOW_MACHINE
@given(producers())
def test_versions_of_a_schema_are_judged_as_upstream_does(versions: list[Any]) -> None:
    for new, old in itertools.pairwise(versions):
        assert agree(new, old)
        assert agree(old, new)
