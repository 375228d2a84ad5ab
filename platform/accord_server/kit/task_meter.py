"""Counts the tasks of a worker and the time that they take."""

from __future__ import annotations

import time

from accord_server.kit import metrics

# When each task under way began, in monotonic seconds; a process works on one at a time.
_begun: dict[str, float] = {}


def begin(task_id: str) -> None:
    """Note that a task begins."""
    _begun[task_id] = time.perf_counter()


def end(task_id: str, name: str, state: str | None) -> None:
    """Count a task that has ended, in Celery's word for how."""
    begun = _begun.pop(task_id, None)
    metrics.increment(metrics.TASKS, name, (state or "unknown").lower())
    if begun is not None:
        metrics.observe(metrics.TASK_SECONDS, name, seconds=time.perf_counter() - begun)
