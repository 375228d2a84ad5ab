"""What Confluent's registry says of changes of JSON Schemas, under the level BACKWARD: the cases of topic L.

Each change is an old schema, a new one, and whether the new one may follow.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.accord.json_texts import allows, json_schema

Change = tuple[Any, Any, bool]
YES, NO = True, False
STRING, NUMBER, INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}
ID = {"id": {"type": "string"}}


def number(**keywords: Any) -> dict[str, Any]:
    return {"type": "number", **keywords}


def text(**keywords: Any) -> dict[str, Any]:
    return {"type": "string", **keywords}


def thing(*, rest: Any = True, **members: Any) -> dict[str, Any]:
    """An object; ``rest`` says what properties beside its own it takes."""
    return {"type": "object", "additionalProperties": rest, **members}


def holding(*, rest: Any = True, required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """An object of a text `id` and these properties."""
    return thing(rest=rest, properties=ID | properties, **({"required": [*required]} if required else {}))


def array(*places: Any, rest: Any = True) -> dict[str, Any]:
    """A tuple; ``rest`` says what it takes behind its places."""
    return {"type": "array", "items": [*places], "additionalItems": rest}


def choice(word: str, *members: Any) -> dict[str, Any]:
    return {word: [*members]}


def depending(*names: Any) -> dict[str, Any]:
    return thing(dependencies={"id": [*names]})


def depending_on(schema: Any) -> dict[str, Any]:
    return thing(dependencies={"id": schema})


def judged(change: Change) -> None:
    old, new, is_allowed = change
    assert allows(json_schema(new), json_schema(old)) is is_allowed


@pytest.mark.parametrize(
    "change",
    [
        (STRING, {}, YES),
        (holding(), {}, YES),
        (thing(), {"type": "array"}, NO),
        (INTEGER, NUMBER, YES),
        (NUMBER, INTEGER, NO),
    ],
)
def test_case_136_types(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (text(minLength=10), text(minLength=11), NO),
        (text(minLength=11), text(minLength=10), YES),
        (text(maxLength=10), text(maxLength=12), YES),
        (text(maxLength=12), text(maxLength=10), NO),
        (text(pattern="a"), STRING, YES),
        (text(pattern="a"), text(pattern="b"), NO),
        (STRING, text(pattern="a"), NO),
    ],
)
def test_case_137_texts(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (number(maximum=10), number(maximum=11), YES),
        (number(maximum=10), NUMBER, YES),
        (number(maximum=11), number(maximum=10), NO),
        (NUMBER, number(maximum=10), NO),
        (number(minimum=10), number(minimum=9), YES),
        (number(minimum=10), NUMBER, YES),
        (number(minimum=9), number(minimum=10), NO),
        (NUMBER, number(minimum=10), NO),
        (number(multipleOf=10), number(multipleOf=2), YES),
        (number(multipleOf=10), number(multipleOf=11), NO),
        (number(multipleOf=10), NUMBER, YES),
    ],
)
def test_case_138_numbers(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (holding(), holding(required=("id",)), NO),
        (
            thing(properties={"id": text(default="x")}),
            thing(properties={"id": text(default="x")}, required=["id"]),
            YES,
        ),
        (holding(required=("id",)), holding(), YES),
        (thing(maxProperties=1), thing(maxProperties=2), YES),
        (thing(minProperties=1), thing(minProperties=2), NO),
    ],
)
def test_case_139_required_properties_and_their_number(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (holding(a=STRING), holding(a=INTEGER), NO),
        (holding(a=STRING), holding(), YES),
        (holding(rest=False, a=STRING), holding(rest=False), NO),
        (holding(rest=False, a=False), holding(rest=False), YES),
        (holding(rest=STRING, a=STRING), holding(rest=STRING), YES),
        (holding(rest=STRING, a=INTEGER), holding(rest=STRING), NO),
    ],
)
def test_case_140_properties_changed_and_removed(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (holding(), holding(a=STRING), NO),
        (holding(), holding(a=True), YES),
        (holding(rest=False), holding(rest=False, a=STRING), YES),
        (holding(rest=False), holding(rest=False, a=STRING, required=("a",)), NO),
        (holding(rest=STRING), holding(rest=STRING, a=STRING), YES),
        (holding(rest=STRING), holding(rest=STRING, a=INTEGER), NO),
    ],
)
def test_case_141_properties_added(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (thing(rest=False), thing(), YES),
        (thing(), thing(rest=False), NO),
        (thing(), thing(rest=STRING), NO),
        (thing(rest=STRING), thing(), YES),
    ],
)
def test_case_142_what_else_an_object_takes(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        ({"type": "array"}, {"type": "array", "items": STRING}, NO),
        ({"type": "array", "items": STRING}, {"type": "array"}, YES),
        (array(STRING, rest=False), array(STRING, INTEGER, rest=False), YES),
        (array(STRING), array(STRING, INTEGER), NO),
        (array(STRING, INTEGER), array(STRING), YES),
        (array(STRING, INTEGER, rest=False), array(STRING, rest=False), NO),
    ],
)
def test_case_143_arrays(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (text(enum=["a"]), STRING, YES),
        (text(enum=["a"]), text(enum=["a", "b"]), YES),
        (text(enum=["a", "b"]), text(enum=["a"]), NO),
        ({"const": "a"}, {"const": "b"}, NO),
    ],
)
def test_case_144_enums_and_constants(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (STRING, choice("oneOf", NUMBER, STRING), YES),
        (choice("oneOf", STRING), choice("oneOf", STRING, NUMBER), YES),
        (choice("oneOf", STRING, NUMBER), choice("oneOf", STRING), NO),
        (choice("allOf", text(minLength=1), text(maxLength=9)), choice("allOf", text(maxLength=9)), YES),
        (choice("allOf", text(maxLength=9)), choice("allOf", text(minLength=1), text(maxLength=9)), NO),
        (choice("oneOf", STRING, NUMBER), choice("oneOf", NUMBER, STRING), YES),
        (choice("anyOf", STRING, STRING, NUMBER), choice("anyOf", NUMBER, STRING), YES),
    ],
)
def test_case_145_combinations_that_grow_shrink_and_move(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (choice("oneOf", STRING), choice("anyOf", STRING), YES),
        (choice("oneOf", STRING), choice("allOf", STRING), YES),
        (choice("oneOf", STRING, NUMBER), choice("allOf", STRING, NUMBER), NO),
        (choice("anyOf", STRING, NUMBER), choice("oneOf", STRING), NO),
    ],
)
def test_case_146_another_kind_of_combination(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change", [({"not": NUMBER}, {"not": INTEGER}, YES), ({"not": INTEGER}, {"not": NUMBER}, NO)]
)
def test_case_147_what_is_excluded(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        (depending("a"), thing(), YES),
        (thing(), depending("a"), NO),
        (depending_on(holding(a=STRING)), thing(), YES),
        (thing(), depending_on(holding(a=STRING)), NO),
        (depending_on(holding(a=STRING)), depending_on(holding(a=INTEGER)), NO),
    ],
)
def test_case_148_dependencies(change: Change) -> None:
    judged(change)


@pytest.mark.parametrize(
    "change",
    [
        *((text(**{word: "a"}), text(**{word: "b"}), YES) for word in ("title", "description", "default")),
        (text(**{"$id": "http://one.test/a"}), text(**{"$id": "http://one.test/b"}), YES),
        (text(**{"connect.type": "bytes"}), number(**{"connect.type": "bytes"}), YES),
    ],
)
def test_case_149_words_about_a_schema_and_the_bytes_of_connect(change: Change) -> None:
    judged(change)
