"""Counters, few and with bounded labels: paths, subjects and tenants never become labels.

Each process counts in its own memory. Where a folder is set, the processes of one web server or
worker leave there what they have counted (`metric_files`), and any of them answers for all.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from accord_server.kit.cache import memories

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
COUNTER, GAUGE, HISTOGRAM = "counter", "gauge", "histogram"
BUCKETS_S: Final = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0)
# Places of a histogram beside its buckets: the one above all bounds, and the sum of what was seen.
ABOVE: Final = len(BUCKETS_S)
SUM: Final = -1

# A metric, its labels' values, and a place in its histogram; 0 in what is none.
Key = tuple[str, tuple[str, ...], int]
Tally = dict[Key, float]


@dataclass(frozen=True, slots=True)
class Metric:
    """One row of the table: what it is called, its kind, its labels, one sentence."""

    name: str
    kind: str
    labels: tuple[str, ...]
    sentence: str


REQUESTS = Metric(
    "accord_requests_total",
    COUNTER,
    ("room", "method", "status"),
    "Answers given, by who answers: registry, native, pages or health.",
)
REQUEST_SECONDS = Metric("accord_request_seconds", HISTOGRAM, ("room",), "Time until an answer starts.")
CACHE_LOOKUPS = Metric(
    "accord_cache_lookups_total",
    COUNTER,
    ("cache", "outcome"),
    "Looks into what a process remembers: hit or miss.",
)
TASKS = Metric(
    "accord_tasks_total", COUNTER, ("task", "outcome"), "Tasks that a worker has ended, as Celery calls it."
)
TASK_SECONDS = Metric("accord_task_seconds", HISTOGRAM, ("task",), "Time that a task took.")
SIDE_EFFECTS = Metric(
    "accord_side_effects_total",
    COUNTER,
    ("topic", "outcome"),
    "Attempts at side effects from the outbox: done, retried or given up.",
)
WEBHOOKS = Metric(
    "accord_webhook_attempts_total",
    COUNTER,
    ("outcome",),
    "Attempts to send messages to webhooks: done, retried or given up.",
)
PART_UP = Metric("accord_part_up", GAUGE, ("part",), "1 where the database or Redis answers, 0 where not.")
OUTBOX_PENDING = Metric("accord_outbox_pending", GAUGE, (), "Side effects that are still to be done.")
OUTBOX_DEAD = Metric("accord_outbox_dead", GAUGE, (), "Side effects that were given up and are kept.")
OUTBOX_LAG = Metric(
    "accord_outbox_lag_seconds", GAUGE, (), "For how long the side effect that waits longest has been due."
)
QUEUE_TASKS = Metric("accord_queue_tasks", GAUGE, ("queue",), "Tasks that no worker has taken yet.")

METRICS: Final = (
    REQUESTS,
    REQUEST_SECONDS,
    CACHE_LOOKUPS,
    TASKS,
    TASK_SECONDS,
    SIDE_EFFECTS,
    WEBHOOKS,
    PART_UP,
    OUTBOX_PENDING,
    OUTBOX_DEAD,
    OUTBOX_LAG,
    QUEUE_TASKS,
)

_lock = threading.Lock()
_counted: Counter[Key] = Counter()


def increment(metric: Metric, *labels: str) -> None:
    """Count one more."""
    with _lock:
        _counted[metric.name, labels, 0] += 1


def observe(metric: Metric, *labels: str, seconds: float) -> None:
    """Count one more of that duration."""
    with _lock:
        _counted[metric.name, labels, bisect_left(BUCKETS_S, seconds)] += 1
        _counted[metric.name, labels, SUM] += seconds  # type: ignore[assignment]  # typeshed wants whole numbers; a float adds up as well


def own() -> Tally:
    """Return what this process has counted."""
    with _lock:
        tally: Tally = dict(_counted)
    for name, memory in memories().items():
        tally[CACHE_LOOKUPS.name, (name, "hit"), 0] = memory.hits
        tally[CACHE_LOOKUPS.name, (name, "miss"), 0] = memory.misses
    return tally


def total(tallies: Iterable[Tally]) -> Tally:
    """Add up what several processes have counted."""
    together: Counter[Key] = Counter()
    for tally in tallies:
        together.update(tally)
    return dict(together)


def exposition(tally: Tally, *, process: str = "") -> str:
    """Write a tally in the text form of Prometheus; a process that speaks for itself alone says who it is."""
    before = (f'process="{process}"',) if process else ()
    by_metric: dict[str, dict[tuple[str, ...], dict[int, float]]] = {}
    for (name, labels, place), number in sorted(tally.items()):
        by_metric.setdefault(name, {}).setdefault(labels, {})[place] = number
    lines = (line for metric in METRICS for line in _lines(metric, by_metric.get(metric.name, {}), before))
    return "".join(f"{line}\n" for line in lines)


def _lines(
    metric: Metric, found: Mapping[tuple[str, ...], Mapping[int, float]], before: tuple[str, ...]
) -> Iterator[str]:
    if not found:
        return
    yield f"# HELP {metric.name} {metric.sentence}"
    yield f"# TYPE {metric.name} {metric.kind}"
    for values, places in found.items():
        labels = (*before, *(f'{name}="{value}"' for name, value in zip(metric.labels, values, strict=True)))
        if metric.kind == HISTOGRAM:
            yield from _histogram(metric.name, labels, places)
        else:
            yield f"{_named(metric.name, labels)} {_number(places[0])}"


def _histogram(name: str, labels: tuple[str, ...], places: Mapping[int, float]) -> Iterator[str]:
    seen = 0.0
    for place, bound in enumerate((*map(str, BUCKETS_S), "+Inf")):
        seen += places.get(place, 0)
        bounded = (*labels, f'le="{bound}"')
        yield f"{_named(name + '_bucket', bounded)} {_number(seen)}"
    yield f"{_named(name + '_sum', labels)} {places.get(SUM, 0):.6f}"
    yield f"{_named(name + '_count', labels)} {_number(seen)}"


def _named(name: str, labels: tuple[str, ...]) -> str:
    return f"{name}{{{','.join(labels)}}}" if labels else name


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _forget_lock() -> None:
    """Give a forked process a lock of its own: whoever held the old one is not in it."""
    global _lock  # noqa: PLW0603  # the one lock of this process
    _lock = threading.Lock()
    _counted.clear()


os.register_at_fork(after_in_child=_forget_lock)
