"""What a ``$ref`` may name, in the same text and in supplied ones; never a network."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from jsonschema.validators import validator_for

from accord.diff.jsonschema_changes import DifferenceType
from accord.errors import InvalidReference, InvalidSchema, ReferenceNotFound, SchemaTooLarge
from accord.formats import DEFAULT_LIMITS, Limits
from accord.formats.jsonschema.model import Object, seen_through
from accord.model import Format, Reference, SchemaText
from tests.accord.json_texts import MODERN, json_schema, verdict, with_references
from tests.accord.stand_ins import Shelf

NULL = {"type": "null"}
KIND = {"a": "null"}
SEVEN = "http://json-schema.org/draft-07/schema#"


def kinds(schema: Any, texts: dict[str, Any] | None = None) -> dict[str, str]:
    """The kinds of what the properties of a schema lead to."""
    root = with_references(schema, texts or {}).root
    assert isinstance(root, Object)
    return {name: str(seen_through(node).kind) for name, node in root.properties.items()}


def pointing(to: str, **members: Any) -> dict[str, Any]:
    """A schema whose only property is a reference."""
    return {**members, "properties": {"a": {"$ref": to}}}


@pytest.mark.parametrize(
    "schema",
    [
        pointing("#/definitions/N", definitions={"N": NULL}),
        pointing("#/$defs/N", definitions={"N": NULL}),
        pointing("#/definitions/a~1b%20c", definitions={"a/b c": NULL}),
        pointing("#/more/1", more=[{}, NULL]),
        pointing("#/definitions/M", definitions={"M": {"$ref": "#/definitions/N"}, "N": NULL}),
        pointing("#n", definitions={"N": {"$id": "#n", **NULL}}),
        pointing("n.json", **{"$id": "http://x.io/root.json"}, definitions={"N": {"$id": "n.json", **NULL}}),
        pointing("http://x.io/n", definitions={"N": {"$id": "http://x.io/n", **NULL}}),
        pointing(
            "#/definitions/N",
            **{"$schema": "http://json-schema.org/schema#", "id": "x"},
            definitions={"N": NULL},
        ),
        pointing("#n", **{"$schema": MODERN, "$defs": {"N": {"$anchor": "n", **NULL}}}),
        pointing("n#/$defs/M", **{"$schema": MODERN, "$defs": {"N": {"$id": "n", "$defs": {"M": NULL}}}}),
        pointing(
            "n",
            **{"$schema": MODERN, "$defs": {"N": {"$id": "n", "$ref": "#/$defs/M", "$defs": {"M": NULL}}}},
        ),
        pointing("x.json#/$defs/N", **{"$schema": MODERN, "$id": "http://x.io/x.json", "$defs": {"N": NULL}}),
    ],
)
def test_a_reference_may_name_a_place_in_the_same_text(schema: dict[str, Any]) -> None:
    assert kinds(schema) == KIND


@pytest.mark.parametrize(
    ("to", "texts"),
    [
        ("n.json", {"n.json": NULL}),
        ("n.json#", {"n.json": NULL}),
        ("http://x.io/n", {"http://x.io/n": NULL}),
        ("http://x.io/n.json", {"n.json": NULL}),
        ("http://y.io/own", {"n": {"$id": "http://y.io/own", **NULL}}),
        ("n#/definitions/M", {"n": {"definitions": {"M": NULL}}}),
        ("n#/$defs/M", {"n": {"definitions": {"M": {"$ref": "#/definitions/N"}, "N": NULL}}}),
        ("urn:a:b", {"urn:a:b": NULL}),
        ("n#/allOf/0", {"n": {"allOf": [{"$ref": "m"}]}, "m": NULL}),
    ],
)
def test_a_reference_may_name_a_supplied_text(to: str, texts: dict[str, Any]) -> None:
    assert kinds(pointing(to, **{"$id": "http://x.io/root.json"}), texts) == KIND


def test_a_wrong_supplied_text_is_named() -> None:
    with pytest.raises(InvalidSchema, match=r"at /properties/b of the referenced schema 'n'"):
        with_references(pointing("n"), {"n": {"properties": {"b": 3}}})
    with pytest.raises(InvalidSchema, match=r"at / of the referenced schema 'n'"):
        with_references(pointing("n"), {"n": 3})


@pytest.mark.parametrize("to", ["http://[::1", "t#anchor", "t#/x", "#anchor"])
def test_what_leads_nowhere_is_refused(to: str) -> None:
    with pytest.raises(InvalidSchema, match="leads nowhere"):
        with_references(pointing(to, **{"$id": "http://x.io/"}), {"t": True})


def test_a_supplied_text_may_refer_back_to_the_root() -> None:
    own = {"$id": "http://x.io/root.json", "definitions": {"own": NULL}}
    back = {"$ref": "http://x.io/root.json#/definitions/own"}
    schema = with_references(pointing("n", **own), {"n": {"allOf": [back]}})
    assert kinds(json.loads(schema.resolved())) == {"a": "combined"}
    assert json.loads(schema.resolved())["definitions"]["n"] == {"allOf": [{"$ref": "#/definitions/own"}]}


FOREIGN = ["http://127.0.0.1:9/a", "//127.0.0.1:9/a", "file:///etc/hostname", "a.json", "jar:file:/a!/b"]


@pytest.mark.parametrize("draft", [SEVEN, MODERN])
@pytest.mark.parametrize("address", FOREIGN)
@pytest.mark.parametrize(
    "keyword", ["$ref", "$dynamicRef", "$recursiveRef", "contentSchema", "$schema", "$id"]
)
def test_nothing_is_ever_fetched(
    monkeypatch: pytest.MonkeyPatch, draft: str, address: str, keyword: str
) -> None:
    def refuse(*_arguments: object) -> None:
        pytest.fail("somebody asked the network or the disk")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    held = {keyword: {"$ref": address} if keyword == "contentSchema" else address}
    for place in ("properties", "definitions", "$defs"):
        schema = {"$schema": draft, place: {"a": held}}
        with suppress(InvalidSchema, ReferenceNotFound):
            json_schema(json_schema(schema).normalized().resolved())


def test_what_nothing_leads_to_is_not_looked_at() -> None:
    json_schema({"definitions": {"unused": {"$ref": "http://nowhere", "type": "what"}}, "x": {"$ref": 3}})


def test_references_are_checked_like_those_of_every_format() -> None:
    entry = Reference("n", "s", 1)
    with pytest.raises(ReferenceNotFound):
        json_schema(NULL, references=(entry,))
    with pytest.raises(InvalidReference):
        json_schema(NULL, references=(Reference("", "s", 1),))
    shelf = Shelf({("s", 1): SchemaText(Format.JSON, "{}", (entry,))})
    with pytest.raises(InvalidReference, match="in a circle"):
        json_schema(NULL, references=(entry,), resolver=shelf)
    small = Limits(reference_bytes=1)
    with pytest.raises(SchemaTooLarge):
        json_schema(NULL, references=(entry,), resolver=shelf, limits=small)


def test_the_resolved_text_stands_by_itself() -> None:
    texts = {
        "n/1": {"$id": "http://y.io/", "properties": {"m": {"$ref": "m"}, "self": {"$ref": "#"}}},
        "m": {
            "anyOf": [{"$ref": "root.json#/definitions/own"}, {"$ref": "#/definitions/50%25"}],
            "definitions": {"50%": NULL},
        },
    }
    schema = with_references(
        pointing("n/1", **{"$id": "http://x.io/root.json"}, definitions={"own": NULL, "m": NULL})
        | {"not": {"$ref": "#/definitions/own"}},
        texts | {"http://y.io/m": texts["m"], "http://y.io/root.json": {"definitions": {"own": NULL}}},
    )
    alone = json_schema(schema.resolved())
    assert verdict(alone, schema).is_allowed
    assert verdict(schema, alone).is_allowed
    assert json_schema(alone.resolved()).canonical == alone.canonical
    assert json.loads(schema.resolved())["not"] == {"$ref": "#/definitions/own"}


@pytest.mark.parametrize(("draft", "word"), [(SEVEN, "definitions"), (MODERN, "$defs")])
def test_parts_with_addresses_of_their_own_mean_the_same_in_a_bundle(draft: str, word: str) -> None:
    zip_ = {"$id": "zip.json", "type": "object", "properties": {"code": {"$ref": "code.json"}}}
    code = {"$id": "code.json", "type": "integer"}
    own = {"$schema": draft, "$id": "http://y.io/a.json", word: {"z": zip_, "c": code}}
    texts = {"http://y.io/a.json": pointing("zip.json", **own)}
    left = {"$id": "http://x.io/left.json", "properties": {"up": {"$ref": "http://y.io/a.json"}}}
    root = {
        "$schema": draft,
        "properties": {"left": left, "short": {"$ref": f"#/{word}/short"}},
        word: {"short": {"type": "boolean"}},
    }
    text = json.loads(with_references(root, texts).resolved())
    check = validator_for(text)(text)
    assert check.is_valid({"short": True, "left": {"up": {"a": {"code": 1}}}})
    assert not check.is_valid({"short": 1})
    assert not check.is_valid({"left": {"up": {"a": {"code": "1"}}}})
    alone = {"properties": {"left": left | {"properties": {}}}}
    assert json.loads(with_references(alone, texts).resolved()) == alone


def test_true_and_false_are_bundled_too() -> None:
    assert json_schema(True).resolved() == "true"
    bundled = with_references(pointing("t", **{"$schema": MODERN}), {"t": True}).resolved()
    assert json.loads(bundled) == pointing("#/$defs/t", **{"$schema": MODERN, "$defs": {"t": True}})


def test_what_nothing_points_at_is_not_bundled() -> None:
    for root in (True, NULL):
        assert json.loads(with_references(root, {"t": True}).resolved()) == root


def test_one_text_is_bundled_under_a_name_of_its_own() -> None:
    schema = with_references(pointing("m", definitions={"m": NULL}), {"m": {"type": "string"}})
    assert json.loads(schema.resolved())["definitions"] == {"m": NULL, "m_": {"type": "string"}}


def test_a_change_in_a_supplied_text_is_a_change() -> None:
    new, old = (with_references(pointing("n"), {"n": {"type": kind}}) for kind in ("string", "null"))
    assert [finding.rule for finding in verdict(new, old).findings] == [DifferenceType.TYPE_CHANGED]
    assert new.canonical == old.canonical
    assert new.comparable() != old.comparable()


def test_a_reference_has_no_limit_of_its_own() -> None:
    chain: dict[str, Any] = {f"d{n}": {"$ref": f"#/definitions/d{n + 1}"} for n in range(10_000)}
    assert kinds(pointing("#/definitions/d0", definitions={**chain, "d10000": NULL})) == KIND
    assert DEFAULT_LIMITS.nodes > 10_000
