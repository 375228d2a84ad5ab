"""Reading a schema by its id: the registry against a bare answer under the same web server.

Both serve the same bytes to the same client over the same number of connections. The cost is the
time per answer when the server is busy, so a ratio of 2 means half the requests per second.
"""

from __future__ import annotations

import json

from benchmarks.harness import Result, Side, compare
from benchmarks.load import requests_per_second
from benchmarks.servers import bare, platform

CONNECTIONS = 32
SECONDS = 3.0
SCHEMA = {
    "type": "record",
    "name": "Order",
    "namespace": "shop",
    "fields": [
        {"name": "id", "type": "string"},
        {"name": "amount", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
        {"name": "lines", "type": {"type": "array", "items": "string"}},
    ],
}


def busy(name: str, url: str, headers: dict[str, str], *, body: bytes = b"") -> Side:
    """One address under load; costs microseconds an answer."""

    def run() -> float:
        return 1e6 / requests_per_second(url, headers, connections=CONNECTIONS, seconds=SECONDS, body=body)

    return Side(name, run)


def results() -> list[Result]:
    """Register a schema, then read it by its id again and again."""
    with platform() as registry:
        made = json.loads(registry.call("/subjects/bench-value/versions", {"schema": json.dumps(SCHEMA)}))
        path = f"/schemas/ids/{made['id']}"
        with bare(registry.call(path)) as yardstick:
            ours = busy("GET /schemas/ids/{id}", registry.url + path, registry.headers)
            return [
                compare(
                    "Schema by id, 32 connections",
                    "µs an answer",
                    ours=ours,
                    yardstick=busy("bare WSGI answer", yardstick, registry.headers),
                    repetitions=5,
                )
            ]
