"""Writers in threads, each with a connection of its own: released together, or one held up by another."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING, TypeVar

from django.db import connection, transaction

from accord.errors import AccordError
from accord_server.kit import tenancy

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from accord_server.kit.scope import Scope

WRITERS = 12
PATIENCE_S = 20
WAITS_FOR_ME = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
)
T = TypeVar("T")


def all_at_once(scope: Scope, act: Callable[[int], T], count: int = WRITERS) -> list[T | AccordError]:
    """Run ``act(0..count-1)`` in as many threads, released together; refusals are results too."""
    gate = Barrier(count)

    def run(number: int) -> T | AccordError:
        try:
            return _elsewhere(scope, lambda: _together(gate, number, act))
        except AccordError as error:
            return error

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def overtaken(scope: Scope, first: Callable[[], object], then: Callable[[], T]) -> T:
    """Let ``then`` begin after ``first`` has written and before that is committed; return its result."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            running = pool.submit(_elsewhere, scope, then)
            wait_for_waiting()
        return running.result(timeout=PATIENCE_S)


def attended(scope: Scope, act: Callable[[], T], by: Callable[[], bool]) -> T:
    """Let ``act`` wait in a thread, and do ``by`` here until it says that it is done; return the result."""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(_elsewhere, scope, act)
        _wait_until(lambda: running.done() or by())
        return running.result(timeout=PATIENCE_S)


def interrupted(scope: Scope, act: Callable[[], T], *, after: str, by: Callable[[], object]) -> T:
    """Run ``act``; once its first statement that names the table is done, let ``by`` do what it can."""
    others: list[Future[object]] = []

    def step(execute: Callable[..., object], sql: str, *rest: object) -> object:
        result = execute(sql, *rest)
        if f'"{after}"' in sql and not others:
            others.append(pool.submit(_elsewhere, scope, by))
            _wait_until(lambda: others[0].done() or _holds_up_somebody())
        return result

    with ThreadPoolExecutor(1) as pool:
        with connection.execute_wrapper(step):
            result = act()
        others[0].result(timeout=PATIENCE_S)
        return result


def wait_for_waiting() -> None:
    """Wait until somebody waits for what this transaction has locked."""
    _wait_until(_holds_up_somebody)


def _together(gate: Barrier, number: int, act: Callable[[int], T]) -> T:
    gate.wait()
    return act(number)


def _elsewhere(scope: Scope, act: Callable[[], T]) -> T:
    try:
        tenancy.activate(scope.tenant.id)
        return act()
    finally:
        connection.close()


def _holds_up_somebody() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITS_FOR_ME)
        return bool(cursor.fetchone() != (0,))


def _wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)
