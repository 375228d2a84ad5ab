"""What every producer asks when it starts: the latest version, a look-up, its known schema once more.

Each is answered from PostgreSQL. The yardstick is a bare answer of the same bytes under the same server.
Then one registration of a record of 19,000 fields, against reading its text as JSON.
"""

from __future__ import annotations

import itertools
import json
import time
from typing import TYPE_CHECKING

from benchmarks.harness import Result, Side, compare
from benchmarks.reads import SCHEMA, busy
from benchmarks.servers import MEDIA_TYPE, bare, platform

if TYPE_CHECKING:
    from benchmarks.servers import Registry

SUBJECT = "/subjects/bench-value"
VERSIONS = 10
FIELDS = 19_000


def results() -> list[Result]:
    """Register some versions, then ask for them as producers do."""
    with platform() as registry:
        return [*_questions(registry), _wide(registry)]


def _questions(registry: Registry) -> list[Result]:
    for number in range(VERSIONS):
        registry.call(f"{SUBJECT}/versions", {"schema": _version(number)})
    body = json.dumps({"schema": _version(VERSIONS - 1)}).encode()
    asked = {
        "Latest version": (f"{SUBJECT}/versions/latest", b""),
        "Look-up": (SUBJECT, body),
        "Registration of a known schema": (f"{SUBJECT}/versions", body),
    }
    headers = {**registry.headers, "Content-Type": MEDIA_TYPE}
    with bare(registry.call(f"{SUBJECT}/versions/latest")) as url:
        yardstick = busy("bare WSGI answer", url, headers)
        return [
            compare(
                f"{title}, 32 connections",
                "µs an answer",
                ours=busy(title, registry.url + path, headers, body=sent),
                yardstick=yardstick,
                repetitions=3,
            )
            for title, (path, sent) in asked.items()
        ]


def _version(number: int) -> str:
    added = [{"name": f"f{one}", "type": "int", "default": 0} for one in range(number)]
    return json.dumps({**SCHEMA, "fields": [*SCHEMA["fields"], *added]})


def _wide(registry: Registry) -> Result:
    numbers = itertools.count()

    def text(number: int) -> str:
        fields = [{"name": f"f{one}", "type": ["null", "int"], "default": None} for one in range(FIELDS)]
        record = {"type": "record", "name": f"R{number}", "fields": fields}
        return json.dumps(record, separators=(",", ":"))

    def register() -> float:
        number = next(numbers)
        body, started = {"schema": text(number)}, time.perf_counter()
        registry.call(f"/subjects/wide-{number}/versions", body)
        return (time.perf_counter() - started) * 1e3

    def read() -> float:
        given, started = text(0), time.perf_counter()
        json.loads(given)
        return (time.perf_counter() - started) * 1e3

    title = "Registration of 19,000 fields"
    return compare(
        title, "ms", ours=Side("POST", register), yardstick=Side("json.loads", read), repetitions=3
    )
