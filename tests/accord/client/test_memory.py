"""The bounded memory of the client."""

from __future__ import annotations

from accord.client.memory import Memory


def test_the_value_unused_for_longest_is_forgotten() -> None:
    memory: Memory[int, str] = Memory(2)
    for key in (1, 2, 1, 3):
        memory.get(key, lambda: "old")
    assert [memory.get(key, lambda: "new") for key in (1, 3, 2)] == ["old", "old", "new"]
