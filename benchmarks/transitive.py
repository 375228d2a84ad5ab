"""A transitive check over a long history, asked for again: what the memory of judged pairs saves.

The registry is asked whether a new schema may follow a thousand versions, in both directions. The yardstick
is a schema that nobody has seen, so every pair is judged; the other side asks once more about one it has
seen. Both pay for the way through the server and for reading the history: the ratio is what a client
notices.
"""

from __future__ import annotations

import itertools
import json
import time
from typing import TYPE_CHECKING, Any

from benchmarks.harness import Bar, Result, Side, compare
from benchmarks.servers import platform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.servers import Registry

VERSIONS = 1_000
MOST_OF_COLD = Bar(ratio=0.05)
FIELDS = 50
SUBJECT = "bench-value"
# Each of the server's processes has a memory of its own; so often each of them has surely been asked.
ROUNDS = 8


def schema(number: int) -> str:
    """A record that every other one of these reads; its number makes it a schema of its own."""
    fields: list[dict[str, Any]] = [
        {"name": f"field_{position}", "type": ["null", "string"], "default": None}
        for position in range(FIELDS)
    ]
    return json.dumps({"type": "record", "name": "Event", "doc": f"number {number}", "fields": fields})


def prepare(registry: Registry) -> None:
    """Register the history, unchecked, and ask for both directions from then on."""
    path = f"/subjects/{SUBJECT}/versions"
    registry.call(f"/config/{SUBJECT}", {"compatibility": "NONE"}, method="PUT")
    for number in range(VERSIONS):
        registry.call(path, {"schema": schema(number)})
    registry.call(f"/config/{SUBJECT}", {"compatibility": "FULL_TRANSITIVE"}, method="PUT")


def checking(registry: Registry, texts: Iterator[str]) -> Callable[[], float]:
    """Make a run that costs the microseconds of one check of the next text."""

    def run() -> float:
        text = next(texts)
        started = time.perf_counter()
        answer = json.loads(registry.call(f"/compatibility/subjects/{SUBJECT}/versions", {"schema": text}))
        assert answer["is_compatible"], answer
        return (time.perf_counter() - started) * 1e6

    return run


def results() -> list[Result]:
    """Measure checks that were made before against checks that were not."""
    with platform() as registry:
        prepare(registry)
        seen = checking(registry, itertools.repeat(schema(VERSIONS)))
        for _ in range(ROUNDS):
            seen()
        unseen = checking(registry, map(schema, itertools.count(VERSIONS + 1)))
        for _ in range(ROUNDS):
            unseen()
        return [
            compare(
                f"Transitive check over {VERSIONS} versions, over HTTP",
                "µs a check",
                ours=Side("seen before", seen),
                yardstick=Side("never seen", unseen),
                bar=MOST_OF_COLD,
            )
        ]
