"""Counters of this process, few and with bounded labels.

Every process keeps its own; a collector adds them up by the label ``process``. Paths, subjects and
tenants never become labels.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from accord_server.kit.cache import memories
from accord_server.kit.paths import HEALTH_PATHS, NATIVE_PREFIX, REGISTRY_PREFIX, is_root_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    WsgiApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BUCKETS_S = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0)

_lock = threading.Lock()
_requests: Counter[tuple[str, str, str]] = Counter()
_seconds: Counter[str] = Counter()
_buckets: Counter[tuple[str, float]] = Counter()


class Meter:
    """The outermost layer: counts answers and the time until they start."""

    def __init__(self, application: WsgiApplication) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer the request and count it."""
        begin = time.perf_counter()

        def start(status: str, headers: list[tuple[str, str]], *error: object) -> object:
            count(environ, status[:3], time.perf_counter() - begin)
            return start_response(status, headers, *error)

        return self._application(environ, start)


def count(environ: dict[str, Any], status: str, seconds: float) -> None:
    """Add one answer to the counters."""
    method = str(environ.get("REQUEST_METHOD", ""))
    room = room_of(str(environ.get("PATH_INFO", "")))
    with _lock:
        _requests[room, method if method in METHODS else "other", status] += 1
        _seconds[room] += seconds  # type: ignore[assignment]  # typeshed wants whole numbers; a float adds up as well
        for bound in BUCKETS_S:
            if seconds <= bound:
                _buckets[room, bound] += 1


def room_of(path: str) -> str:
    """Return who answers for a path: one of four words."""
    if path.startswith(REGISTRY_PREFIX) or is_root_path(path):
        return "registry"
    if path.startswith(NATIVE_PREFIX):
        return "native"
    return "health" if path in HEALTH_PATHS else "pages"


def exposition() -> str:
    """Write the counters in the text form of Prometheus."""
    with _lock:
        lines = [*_request_lines(), *_duration_lines()]
    lines += _cache_lines()
    return "\n".join(lines) + "\n"


def _request_lines() -> Iterable[str]:
    yield "# HELP accord_requests_total Answers given."
    yield "# TYPE accord_requests_total counter"
    for (room, method, status), number in sorted(_requests.items()):
        labels = f'{_process()},room="{room}",method="{method}",status="{status}"'
        yield f"accord_requests_total{{{labels}}} {number}"


def _duration_lines() -> Iterable[str]:
    yield "# HELP accord_request_seconds Time until an answer starts."
    yield "# TYPE accord_request_seconds histogram"
    for room in sorted(_seconds):
        total = sum(number for (known, _, _), number in _requests.items() if known == room)
        label = f'{_process()},room="{room}"'
        for bound in BUCKETS_S:
            yield f'accord_request_seconds_bucket{{{label},le="{bound}"}} {_buckets[room, bound]}'
        yield f'accord_request_seconds_bucket{{{label},le="+Inf"}} {total}'
        yield f"accord_request_seconds_sum{{{label}}} {_seconds[room]:.6f}"
        yield f"accord_request_seconds_count{{{label}}} {total}"


def _cache_lines() -> Iterable[str]:
    yield "# HELP accord_cache_lookups_total Looks into what this process remembers."
    yield "# TYPE accord_cache_lookups_total counter"
    for name, memory in memories().items():
        label = f'{_process()},cache="{name}"'
        yield f'accord_cache_lookups_total{{{label},outcome="hit"}} {memory.hits}'
        yield f'accord_cache_lookups_total{{{label},outcome="miss"}} {memory.misses}'


def _process() -> str:
    return f'process="{os.getpid()}"'
