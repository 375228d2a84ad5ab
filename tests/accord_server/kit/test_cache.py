"""What a process remembers: bounded by weight, oldest use first out."""

from __future__ import annotations

import pytest

from accord_server.kit import metrics
from accord_server.kit.cache import CACHES, BoundedMemory, CacheRow, Part, memories, memory_named


@pytest.fixture
def memory() -> BoundedMemory[str]:
    """Room for three."""
    return BoundedMemory(3)


def test_what_was_kept_is_recalled(memory: BoundedMemory[str]) -> None:
    memory.keep("a", "A")
    assert (memory.recall("a"), memory.recall("b")) == ("A", None)
    assert (memory.hits, memory.misses) == (1, 1)


def test_what_was_used_longest_ago_goes_first(memory: BoundedMemory[str]) -> None:
    for key in "abc":
        memory.keep(key, key)
    memory.recall("a")
    memory.keep("d", "d")
    assert [memory.recall(key) for key in "abcd"] == ["a", None, "c", "d"]


def test_weights_are_what_is_bounded(memory: BoundedMemory[str]) -> None:
    memory.keep("a", "A")
    memory.keep("b", "B", weight=3)
    assert (len(memory), memory.weight, memory.recall("b")) == (1, 3, "B")


def test_what_is_too_heavy_is_not_kept(memory: BoundedMemory[str]) -> None:
    memory.keep("a", "A", weight=4)
    assert (len(memory), memory.weight) == (0, 0)


def test_what_is_too_heavy_pushes_nothing_out(memory: BoundedMemory[str]) -> None:
    memory.keep("a", "A")
    memory.keep("b", "B", weight=4)
    memory.keep("c", "C", parts=[Part(3)])
    assert (len(memory), memory.weight, memory.recall("a")) == (1, 1, "A")


def test_a_part_weighs_once_while_anything_holds_it() -> None:
    memory: BoundedMemory[str] = BoundedMemory(10)
    part = Part(5)
    for key in ("a", "b", "b"):
        memory.keep(key, key, parts=[part])
    assert memory.weight == 7
    memory.keep("c", "c", weight=4)
    assert (memory.recall("a"), memory.recall("b"), memory.weight) == (None, "b", 10)
    memory.keep("d", "d", weight=3)
    assert (memory.recall("b"), memory.weight) == ("b", 9)


def test_parts_that_only_look_alike_weigh_each() -> None:
    memory: BoundedMemory[str] = BoundedMemory(10)
    memory.keep("a", "A", parts=[Part(4)])
    memory.keep("b", "B", parts=[Part(4)])
    assert memory.weight == 10
    memory.clear()
    memory.keep("c", "C", parts=[Part(4)])
    assert memory.weight == 5


def test_keeping_again_replaces(memory: BoundedMemory[str]) -> None:
    memory.keep("a", "A", weight=2)
    memory.keep("a", "B", weight=1)
    assert (memory.recall("a"), memory.weight) == ("B", 1)


def test_clearing_forgets(memory: BoundedMemory[str]) -> None:
    memory.keep("a", "A")
    memory.clear()
    assert (len(memory), memory.weight) == (0, 0)


@pytest.mark.parametrize("row", CACHES, ids=lambda row: row.name)
def test_every_row_has_one_memory(row: CacheRow) -> None:
    assert memory_named(row.name) is memories()[row.name]
    assert row.capacity > 0
    assert row.key.startswith("tenant, ")


def test_lookups_are_counted() -> None:
    assert 'cache="parsed_schemas",outcome="hit"' in metrics.exposition(metrics.own())
