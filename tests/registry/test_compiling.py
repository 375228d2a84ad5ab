"""The compiler is shared fairly: one tenant's large texts keep nobody else from it."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import pytest

from accord.formats.protobuf.exchange import Job, Outcome, Status
from registry.errors import TooBusy
from registry.services import compiling
from registry.services.compiling import LIGHT_CHARACTERS, FairCompiler

if TYPE_CHECKING:
    from collections.abc import Iterator

GUARD_S = 60.0
NORTH, SOUTH = uuid4(), uuid4()
LARGE = Job({"a.proto": "x" * (LIGHT_CHARACTERS + 1)})
SMALL = Job({"a.proto": "x"})


class SlowCompiler:
    """Takes as long for large texts as a test wants; small ones are done at once."""

    def __init__(self) -> None:
        self.begun = Event()
        self.go = Event()

    def compile(self, job: Job) -> Outcome:
        if job is LARGE:
            self.begun.set()
            assert self.go.wait(GUARD_S)
        return Outcome(Status.COMPILED)


class Asked:
    """Tenants that compile in threads of their own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor) -> None:
        self.slow = SlowCompiler()
        self.fair = FairCompiler(self.slow, patience_seconds=0.0)
        self._patch = monkeypatch
        self._pool = pool

    def compile(self, tenant: UUID, job: Job) -> Outcome:
        self._patch.setattr(compiling, "active_tenant", lambda: tenant)
        return self.fair.compile(job)

    def begin(self, tenant: UUID) -> Future[Outcome]:
        self.slow.begun.clear()
        under_way = self._pool.submit(self.compile, tenant, LARGE)
        assert self.slow.begun.wait(GUARD_S)
        return under_way


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    with ThreadPoolExecutor(4) as pool:
        made = Asked(monkeypatch, pool)
        try:
            yield made
        finally:
            made.slow.go.set()


def test_a_tenant_has_one_large_text_compiled_at_a_time(asked: Asked) -> None:
    first = asked.begin(NORTH)
    with pytest.raises(TooBusy) as refused:
        asked.compile(NORTH, LARGE)
    assert refused.value.retry_after == 5
    asked.slow.go.set()
    assert first.result(GUARD_S).status is Status.COMPILED
    assert asked.compile(NORTH, LARGE).status is Status.COMPILED


def test_what_another_tenant_sends_is_compiled_meanwhile(asked: Asked) -> None:
    first = asked.begin(NORTH)
    second = asked.begin(SOUTH)
    assert asked.compile(NORTH, SMALL).status is Status.COMPILED
    asked.slow.go.set()
    assert {one.result(GUARD_S).status for one in (first, second)} == {Status.COMPILED}
