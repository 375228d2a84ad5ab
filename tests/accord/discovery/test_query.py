"""What a search asks for, and what is told of one that cannot be read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from accord.discovery.query import (
    LONGEST_SEARCH,
    MEANINGS,
    MOST_PARTS,
    Condition,
    InvalidSearch,
    Operator,
    Search,
    age_of,
    read_search,
)

MANUAL: Final = Path(__file__).parents[3] / "docs/how-to/search.md"


def test_shapes() -> None:
    digest = "AB" * 32
    assert read_search(" 42 ") == Search(schema_id=42)
    assert read_search("99999999999") == Search(words=("99999999999",))
    assert read_search(digest) == Search(fingerprint=digest.lower())
    assert read_search("Customer.Email") == Search(way="customer.email")
    assert read_search("tax Tax ID") == Search(words=("tax", "id"))
    assert read_search('"tax id:"') == Search(words=("tax", "id:"))
    assert read_search("-") == Search(words=("-",))
    assert read_search("").is_empty


def test_operators() -> None:
    found = read_search('mail field:Email -tag:legacy doc:"Tax Id" owner:@Orders format:AVRO field:name')
    assert found.words == ("mail",)
    assert found.conditions == (
        Condition(Operator.FIELD, "email"),
        Condition(Operator.TAG, "legacy", is_excluded=True),
        Condition(Operator.DOC, "tax id"),
        Condition(Operator.OWNER, "orders"),
        Condition(Operator.FORMAT, "avro"),
        Condition(Operator.FIELD, "name"),
    )
    assert found.of(Operator.FIELD) == ("email", "name")
    assert found.of(Operator.TAG) == ()
    assert found.of(Operator.TAG, is_excluded=True) == ("legacy",)
    assert [one.spelled for one in found.conditions[:3]] == ["field:email", "-tag:legacy", 'doc:"tax id"']


def test_ages() -> None:
    assert age_of(read_search("updated:>30d").of(Operator.UPDATED)[0]) == (True, 30)
    assert age_of("<7d") == (False, 7)


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("a typ:string", 3, "there is no operator typ:, the nearest is type:"),
        ("in:past", 1, "is one of latest, history"),
        ('doc:"tax', 1, "both marks"),
        ('a"b', 1, "both marks"),
        ("format:xml", 1, "one of avro, json, protobuf"),
        ("updated:30d", 1, "an age in days"),
        ("updated:>99999d", 1, "an age in days"),
        ("type:a*b", 1, "takes * at the ends"),
        ("type:*", 1, "wants a value"),
        ("-field:a.b", 1, "not a way"),
        ("a\0", 2, "NUL"),
        ("x" * (LONGEST_SEARCH + 1), LONGEST_SEARCH + 1, "shorten"),
        ("a " * (MOST_PARTS + 1), 2 * MOST_PARTS + 1, "at most"),
    ],
)
def test_refusals_name_the_place(text: str, position: int, words: str) -> None:
    with pytest.raises(InvalidSearch) as caught:
        read_search(text)
    assert caught.value.position == position
    assert words in caught.value.message


def test_every_operator_is_explained() -> None:
    assert set(MEANINGS) == set(Operator)


@pytest.mark.parametrize(
    ("text", "is_so"),
    [("a", False), ("in:history", True), ("in:latest", False), ("-in:latest", True), ("-in:history", False)],
)
def test_older_versions_are_asked_about(text: str, *, is_so: bool) -> None:
    assert read_search(text).is_past is is_so


def test_every_example_of_the_manual_can_be_read() -> None:
    rows = re.findall(r"^\| `(\w+):` \| (.+) \|$", MANUAL.read_text(), re.MULTILINE)
    assert [name for name, _ in rows] == list(Operator)
    for name, meaning in rows:
        examples = re.findall(rf"`({name}:[^`]+)`", meaning)
        assert examples, f"no example of {name}:"
        for example in examples:
            assert [one.operator for one in read_search(example).conditions] == [name], example


def test_every_example_of_the_meanings_can_be_read() -> None:
    for operator, meaning in MEANINGS.items():
        for example in re.findall(rf'({operator}:(?:"[^"]*"|[^\s,]+))', meaning):
            assert [one.operator for one in read_search(example).conditions] == [operator], example
