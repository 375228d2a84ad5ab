"""Heavy checks with real web processes, workers and Redis: killed, absent, crowded, shared by tenants."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from accord.cli import main
from accord.model import SubjectName
from accord_server.kit import tenancy
from registry import services
from registry.models import CheckRun
from registry.records import CheckCandidate
from tests.registry.client import Registry, optional, record
from tests.registry.over_http import Distant
from tests.registry.texts import grown, source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from accord_server.dev.redis import RedisServer
    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor, TokenFor
    from tests.processes import RunningProcess
    from tests.registry.over_http import Told

    Start = Callable[..., RunningProcess]

pytestmark = pytest.mark.django_db(transaction=True)

NORTH, SOUTH = "/sr/north/default", "/sr/south/default"
VERSIONS = 12
# So many that the versions take seconds to read, also where a machine is fast: progress is noted each half.
FIELDS = 12_000
BURST = 5
MANY = 100


@pytest.fixture
def south(mallory: Actor, token_for: TokenFor) -> Registry:
    """The registry of another tenant."""
    return Registry(token_for(mallory), SOUTH)


def wide(number: int) -> Any:
    """Make a schema that takes a while to compare."""
    return record(*[optional(f"f{field}") for field in range(FIELDS)], optional(f"g{number}"))


def fill(api: Registry, make: Callable[[int], Any], versions: int) -> None:
    """Register versions that nothing is compared with until the end."""
    api.level("s", "NONE")
    for number in range(versions):
        api.registered("s", make(number))
    api.level("s", "FULL_TRANSITIVE")


def serving(start: Start, **environment: str) -> str:
    """Start web processes to which two versions are a long history; return their address."""
    return start(ACCORD_INLINE_CHECK_VERSIONS="1", **environment).url


def runs(scope: Scope) -> Any:
    tenancy.activate(scope.tenant.id)
    return CheckRun.objects.scoped(scope)


def ask(scope: Scope, schema: object) -> None:
    """Ask for a check that a worker does."""
    tenancy.activate(scope.tenant.id)
    services.request_check(scope, CheckCandidate(SubjectName("s"), source(schema)))


def wait_for(is_so: Callable[[], bool], within_s: float = 90) -> None:
    deadline = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def insisting(there: Distant, schema: object) -> Iterator[Told]:
    """Register as clients do, that send a request again for as long as it is answered 503."""
    told = there.register("s", schema)
    while told.status == 503:
        yield told
        time.sleep(0.5)
        told = there.register("s", schema)
    yield told


def test_a_worker_killed_under_a_registration_is_replaced_once(
    granian_server: Start, celery_worker_process: Start, api: Registry, scope: Scope
) -> None:
    fill(api, wide, VERSIONS)
    there = Distant(serving(granian_server, ACCORD_CHECK_PATIENCE="1") + NORTH, api.token)
    first = celery_worker_process(ACCORD_CHECK_LEASE="3")
    with ThreadPoolExecutor(1) as pool:
        client = pool.submit(lambda: list(insisting(there, wide(VERSIONS))))
        wait_for(lambda: runs(scope).filter(done__gt=0).exists())
        first.kill()
        stopped = runs(scope).get()
        assert (stopped.state, stopped.attempts, stopped.done < VERSIONS) == ("running", 1, True)
        celery_worker_process(count=2)
        *refused, done = client.result(timeout=120)
    assert {(one.status, one.retry_after) for one in refused} == {(503, "5")}
    assert "send the same request again" in refused[-1].body["message"]
    assert (done.status, api.versions("s")) == (200, list(range(1, VERSIONS + 2)))
    finished = runs(scope).get()
    assert (finished.pk, finished.state, finished.attempts) == (stopped.pk, "done", 2)
    assert finished.found[: len(stopped.found)] == stopped.found


def test_the_program_waits_for_the_verdict_and_registers(
    granian_server: Start, celery_worker_process: Start, api: Registry, scope: Scope, tmp_path: Path
) -> None:
    fill(api, wide, VERSIONS)
    url = serving(granian_server, ACCORD_CHECK_PATIENCE="1")
    celery_worker_process()
    file = tmp_path / "new.avsc"
    file.write_text(json.dumps(wide(VERSIONS)))
    at = (str(file), "--url", url + NORTH, "--token", api.token)
    checked = CliRunner().invoke(main, ("check", "--against", "registry:s", *at))
    assert (checked.exit_code, f"against {VERSIONS} versions" in checked.stdout) == (0, True)
    registered = CliRunner().invoke(main, ("register", "s", *at))
    assert (registered.exit_code, f"s version {VERSIONS + 1}," in registered.stdout) == (0, True)
    assert [(one.state, one.attempts) for one in runs(scope)] == [("done", 1)] * 2


def test_so_many_requests_wait_and_all_others_are_answered(
    granian_server: Start, api: Registry, south: Registry, scope: Scope
) -> None:
    url = serving(granian_server, ACCORD_CHECK_PATIENCE="6")
    both = [Distant(url + one.prefix, one.token) for one in (api, south)]
    for one in (api, south):
        fill(one, grown, 2)
    with ThreadPoolExecutor(2 * BURST) as pool:
        burst = [
            pool.submit(there.register, "s", grown(3 + number)) for there in both for number in range(BURST)
        ]
        reads = []
        while not all(one.done() for one in burst):
            reads.append(both[0].read("s"))
    answers = [one.result() for one in burst]
    assert {(one.status, one.retry_after) for one in answers} == {(503, "5")}
    waited = [one for one in answers if "it is not done yet" in one.body["message"]]
    at_once = [one for one in answers if "as many requests as may wait" in one.body["message"]]
    assert (len(waited), len(at_once)) == (2, 2 * BURST - 2)
    assert max(one.seconds for one in at_once) < 6 <= min(one.seconds for one in waited)
    assert {one.status for one in reads} == {200}
    assert max(one.seconds for one in reads) < 6
    assert (api.versions("s"), south.versions("s")) == ([1, 2], [1, 2])
    assert runs(scope).count() == BURST


def test_without_redis_small_checks_go_on_and_heavy_ones_are_done_when_it_is_back(
    granian_server: Start,
    celery_worker_process: Start,
    own_redis: RedisServer,
    api: Registry,
) -> None:
    fill(api, grown, 2)
    url = serving(granian_server, ACCORD_REDIS_URL=own_redis.url)
    there = Distant(url + NORTH, api.token)
    own_redis.process.kill()
    own_redis.process.wait()
    refused = [there.register("s", grown(3)) for _ in range(2)]
    assert {(one.status, one.retry_after) for one in refused} == {(503, "10")}
    assert "the workers cannot be reached" in refused[0].body["message"]
    assert max(one.seconds for one in refused) < 15  # a request that waits has the patience of 15 seconds
    assert there.register("small", record("a")).status == 200
    assert there.register("small", record("a", optional("b"))).status == 200
    assert api.versions("s") == [1, 2]
    own_redis.restart()
    celery_worker_process(ACCORD_REDIS_URL=own_redis.url)
    assert list(insisting(there, grown(3)))[-1].status == 200


def test_a_hundred_heavy_checks_of_one_tenant_do_not_starve_another(
    celery_worker_process: Start,
    api: Registry,
    south: Registry,
    scope: Scope,
    mallory: Actor,
    scope_for: ScopeFor,
) -> None:
    for one in (api, south):
        fill(one, grown, 2)
    other = scope_for(mallory)
    for number in range(MANY):
        ask(scope, grown(3 + number))
    ask(other, grown(3))
    celery_worker_process()
    wait_for(lambda: runs(other).get().state == "done")
    ended_at = runs(other).get().leased_until
    wait_for(lambda: set(runs(scope).values_list("state", flat=True)) == {"done"})
    assert runs(scope).filter(leased_until__lt=ended_at).count() <= 2
    assert runs(scope).count() == MANY
