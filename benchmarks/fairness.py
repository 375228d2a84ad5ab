"""What a tenant feels of another that asks as fast as it can, at its limit: its calls alone and beside it.

One connection asks for the latest version of a subject, which PostgreSQL answers, and notes how long each
answer takes. Meanwhile a second process asks the same of its own tenant over several connections, most of
which is refused with 429 for being too much. Alone and beside take turns; the ratio is what counts.
"""

from __future__ import annotations

import json
import multiprocessing
import statistics
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.request import Request, urlopen

from benchmarks.harness import Bar, Result, Side
from benchmarks.load import hammer, latencies_of
from benchmarks.reads import SCHEMA
from benchmarks.servers import Registry, managed, platform

if TYPE_CHECKING:
    from collections.abc import Iterator

REPETITIONS: Final = 5
ASKED: Final = 200
CONNECTIONS: Final = 8
LIMIT: Final = 50
NOISY: Final = "noisy"
SUBJECT: Final = "/subjects/bench-value/versions"
LATEST: Final = f"{SUBJECT}/latest"
# Whoever hammers takes processor time for being refused; more than this nobody should feel of it.
BARS: Final = {50: Bar(ratio=5), 95: Bar(ratio=5)}


def results() -> list[Result]:
    """Let one tenant ask alone and beside the other, in turn."""
    with platform() as registry:
        noisy = _noisy(registry)
        for one in (registry, noisy):
            one.call(SUBJECT, {"schema": json.dumps(SCHEMA)})
        _asked(registry)
        couples = [(_beside(registry, noisy), _asked(registry)) for _ in range(REPETITIONS)]
    return [_result(percent, couples) for percent in BARS]


def _asked(registry: Registry) -> list[float]:
    """Ask one call after the other; milliseconds until each answer."""
    taken = latencies_of(registry.url + LATEST, registry.headers, number=ASKED)
    return [1e3 * one for one in taken]


def _beside(registry: Registry, noisy: Registry) -> list[float]:
    with _hammering(noisy):
        return _asked(registry)


@contextmanager
def _hammering(noisy: Registry) -> Iterator[None]:
    """Have another process ask as fast as it can."""
    stop = multiprocessing.Event()
    given = (noisy.url + LATEST, noisy.headers, CONNECTIONS, stop)
    process = multiprocessing.Process(target=hammer, args=given, daemon=True)
    process.start()
    time.sleep(1)  # until it has spent what it may ask at once
    try:
        yield
    finally:
        stop.set()
        process.join(timeout=30)


def _noisy(registry: Registry) -> Registry:
    """Make a tenant that may ask little, and return its registry."""
    operator = managed(registry, "issue_operator_token", "bench").split()[-1]
    server = registry.url.partition("/sr/")[0]

    def done(method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {operator}", "Content-Type": "application/json", "If-Match": "*"}
        request = Request(f"{server}/api/v1{path}", json.dumps(body).encode(), headers, method=method)
        with urlopen(request, timeout=60) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    done("POST", "/tenants", {"slug": NOISY, "template": None})
    there = f"/tenants/{NOISY}"
    done("POST", f"{there}/service-accounts", {"slug": "hammer"})
    done("POST", f"{there}/role-bindings", {"principal": "service:hammer", "role": "editor"})
    grants = [{"preset": "producer"}]
    token = done("POST", f"{there}/tokens", {"owner": "service:hammer", "name": "hammer", "grants": grants})
    done("PATCH", f"{there}/quotas", {"limits": {"requests_per_second": LIMIT}})
    return Registry(f"{server}/sr/{NOISY}/default", {"Authorization": f"Bearer {token['token']}"})


def _result(percent: int, couples: list[tuple[list[float], list[float]]]) -> Result:
    beside, alone = (tuple(_at(percent, side) for side in sides) for sides in zip(*couples, strict=True))
    sides = (Side(f"beside {NOISY}", lambda: 0.0), Side("alone", lambda: 0.0))
    title = f"p{percent} of {ASKED} answers, beside a tenant at its limit"
    return Result(title, "ms", *sides, beside, alone, BARS[percent])


def _at(percent: int, costs: list[float]) -> float:
    return statistics.quantiles(costs, n=100)[percent - 1]
