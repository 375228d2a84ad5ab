"""Which names mean one type: Avro's matching rule over several schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.formats.avro.canonical import canonical_text
from accord.pipeline.names import one_name_each
from tests.pipeline.test_merging import node, record

if TYPE_CHECKING:
    from accord.formats.avro.model import Node
    from tests.pipeline.records import AvroJson


def names(*schemas: AvroJson, reader: AvroJson | None = None) -> list[str]:
    """The full names that the tops of some schemas end up with."""
    roots = one_name_each([node(one) for one in schemas], None if reader is None else node(reader))
    return [top(root) for root in roots]


def top(root: Node) -> str:
    read = json.loads(canonical_text(root, known={}))
    return ".".join(filter(None, (read.get("namespace"), read["name"])))


def named(name: str, *aliases: str, **more: Any) -> dict[str, Any]:
    return {**record(("a", "int"), name=name), "aliases": list(aliases), **more}


def test_a_namespace_may_change() -> None:
    assert names(named("Order"), named("shop.Order"), named("store.Order")) == ["store.Order"] * 3


def test_an_alias_leads_from_an_older_name() -> None:
    assert names(named("shop.Order"), named("shop.Purchase", "shop.Order")) == ["shop.Purchase"] * 2
    assert names(named("shop.New", "shop.Old"), named("shop.Old")) == ["shop.Old"] * 2


def test_other_names_stay() -> None:
    assert names(named("shop.Order"), named("shop.Refund")) == ["shop.Order", "shop.Refund"]


def test_the_reader_s_name_is_taken_and_its_aliases_alone_count() -> None:
    old, new = named("shop.Order"), named("shop.Purchase", "shop.Order")
    assert names(old, reader=new) == ["shop.Purchase"]
    assert names(new, reader=old) == ["shop.Purchase"]
    assert names(named("other.Order"), reader=old) == ["shop.Order"]


def test_types_that_one_schema_keeps_apart_stay_apart() -> None:
    both = record(("x", named("a.Item")), ("y", named("b.Item")), name="Box")
    (root, *_) = one_name_each([node(both), node(named("a.Item")), node(named("b.Item"))])
    assert [one["type"]["name"] for one in json.loads(canonical_text(root, known={}))["fields"]] == [
        "Item"
    ] * 2
    assert names(named("a.Item"), both, named("b.Item")) == ["a.Item", "Box", "b.Item"]


def test_kinds_are_never_mixed() -> None:
    enum: AvroJson = {"type": "enum", "name": "b.Item", "symbols": ["A"]}
    assert names(named("a.Item"), enum) == ["a.Item", "b.Item"]


def test_inner_types_follow_and_recursion_survives() -> None:
    inner = {"type": "fixed", "name": "Key", "size": 2}
    fields: list[tuple[str, AvroJson]] = [
        ("key", inner),
        ("children", {"type": "array", "items": "Tree"}),
        ("named", {"type": "map", "values": ["null", "Tree"]}),
    ]
    old, new = (record(*fields, name="Tree") | {"namespace": space} for space in ("a", "b"))
    one, other = one_name_each([node(old), node(new)])
    assert canonical_text(one, known={}) == canonical_text(other, known={})


@pytest.mark.parametrize("count", [1, 2])
def test_nothing_is_copied_where_all_names_agree(count: int) -> None:
    roots = [node(named("shop.Order")) for _ in range(count)]
    assert one_name_each(roots) == roots
