"""What counting towards quotas costs a registration: new schemas with the triggers and without them."""

from __future__ import annotations

import itertools
import json
import statistics
from typing import TYPE_CHECKING, Final

import psycopg

from benchmarks.harness import Bar, Result, Side, compare
from benchmarks.load import latencies
from benchmarks.reads import SCHEMA
from benchmarks.servers import MEDIA_TYPE, owner_url, platform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.servers import Registry

REPETITIONS: Final = 5
REGISTERED: Final = 100
# What a registration adds rows to, of what is counted.
COUNTED: Final = ("registry_subject", "registry_version", "registry_content")


def results() -> list[Result]:
    """Register with and without, in turn."""
    with platform() as registry:
        numbers = itertools.count()
        return [
            compare(
                f"Registration of a new schema, median of {REGISTERED}",
                "ms",
                ours=Side("counted", _run(registry, numbers, "ENABLE")),
                yardstick=Side("without triggers", _run(registry, numbers, "DISABLE")),
                repetitions=REPETITIONS,
                bar=Bar(ratio=1.5),
            )
        ]


def _run(registry: Registry, numbers: Iterator[int], switch: str) -> Callable[[], float]:
    headers = {**registry.headers, "Content-Type": MEDIA_TYPE}

    def run() -> float:
        with psycopg.connect(owner_url(registry), autocommit=True) as owner:
            for table in COUNTED:
                owner.execute(f"ALTER TABLE {table} {switch} TRIGGER accord_count_insert".encode())
        number = next(numbers)
        url = f"{registry.url}/subjects/bench-{number}/versions"
        taken = latencies(url, headers, [_body(number, version) for version in range(REGISTERED)])
        return statistics.median(taken) * 1e3

    return run


def _body(number: int, version: int) -> bytes:
    added = [{"name": f"f{one}", "type": "int", "default": 0} for one in range(version % 10)]
    schema = {**SCHEMA, "doc": f"{number}.{version}", "fields": [*SCHEMA["fields"], *added]}
    return json.dumps({"schema": json.dumps(schema)}).encode()
