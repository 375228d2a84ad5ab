"""Laws of judging JSON Schemas, and the promise of Optional-friendly kept by a validator."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
from hypothesis import event, given, settings
from hypothesis import strategies as st

from accord.formats.jsonschema.content import closed, consumer, opened, unclosed
from accord.model.levels import CONFLUENT_LEVELS
from tests.accord.json_strategies import documents, edges, json_schemas, producers, taken_apart
from tests.accord.json_texts import allows, json_schema, verdict, with_references
from tests.accord.strategies import SLOW_MACHINE

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.formats.jsonschema.schema import JsonSchema

MOST_EDGES = 30
pairs = given(json_schemas(), json_schemas())


@SLOW_MACHINE
@given(json_schemas())
def test_a_schema_is_compatible_with_itself_and_its_copies(schema: Any) -> None:
    for level in CONFLUENT_LEVELS:
        assert allows(json_schema(schema), json_schema(schema), level=level)
    found = {
        one.rule for one in verdict(json_schema(schema), json_schema(schema), preset="accord:1").findings
    }
    assert found <= {"NOT_TYPE_NARROWED"}


@SLOW_MACHINE
@pairs
def test_full_is_backward_and_forward(one: Any, other: Any) -> None:
    new, old = json_schema(one), json_schema(other)
    assert allows(new, old, level="FULL") is (allows(new, old) and allows(new, old, level="FORWARD"))


@SLOW_MACHINE
@pairs
def test_backward_is_forward_the_other_way_round(one: Any, other: Any) -> None:
    new, old = json_schema(one), json_schema(other)
    backward = verdict(new, old, level="BACKWARD", preset="accord:1").findings
    assert backward == verdict(old, new, level="FORWARD", preset="accord:1").findings


@SLOW_MACHINE
@pairs
def test_what_is_strictly_allowed_is_leniently_allowed(one: Any, other: Any) -> None:
    new, old = json_schema(one), json_schema(other)
    lenient = verdict(new, old, preset="confluent:8.1:lenient").is_allowed
    assert lenient or not allows(new, old)


@SLOW_MACHINE
@pairs
def test_information_never_changes_the_verdict(one: Any, other: Any) -> None:
    new, old = json_schema(one), json_schema(other)
    assert verdict(new, old, preset="accord:1").is_allowed is allows(new, old)


@SLOW_MACHINE
@given(json_schemas())
def test_opening_and_closing_come_to_rest(schema: Any) -> None:
    parsed = json_schema(schema)
    once: Any = opened(parsed)
    assert opened(once).canonical == once.canonical
    shut = closed(parsed)
    assert closed(shut).canonical == shut.canonical
    assert allows(once, once)


@SLOW_MACHINE
@given(json_schemas(), json_schemas())
def test_the_resolved_text_means_the_same(one: Any, other: Any) -> None:
    new, old = json_schema(one), json_schema(other)
    assert allows(json_schema(new.resolved()), old) is allows(new, old)


def apart(version: Any) -> JsonSchema:
    """A version that refers to schemas of its inner objects instead of holding them."""
    texts: dict[str, Any] = {}
    root = taken_apart(version, texts)
    return with_references(root, texts)


def registered(versions: list[Any], read: Callable[[Any], JsonSchema]) -> list[tuple[Any, JsonSchema]]:
    """Those of the versions that a fully transitive, Optional-friendly subject takes."""
    history: list[tuple[Any, JsonSchema]] = []
    for version in versions:
        parsed = read(version)
        olds = [old for _, old in history]
        if verdict(parsed, *olds, level="FULL_TRANSITIVE", preset="optional-friendly:1").is_allowed:
            history.append((version, parsed))
    return history


def validator(text: str) -> Any:
    schema = json.loads(text)
    return jsonschema.validators.validator_for(schema)(schema)


@settings(SLOW_MACHINE, max_examples=100)
@given(producers(), st.sampled_from([json_schema, apart]), st.data())
def test_every_generated_consumer_reads_what_any_version_writes(
    versions: list[Any], read: Callable[[Any], JsonSchema], data: st.DataObject
) -> None:
    history = registered(versions, read)
    event(f"{len(history)} of {len(versions)} versions registered")
    consumers = [validator(consumer(parsed).text) for _, parsed in history]
    for version, parsed in history:
        assert unclosed(parsed) == ()
        own = validator(parsed.resolved())
        for document in (data.draw(documents(version)), *edges(version)[:MOST_EDGES]):
            assert own.is_valid(document)
            assert all(one.is_valid(document) for one in consumers)
