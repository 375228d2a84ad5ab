"""Web, worker, database killed in the middle of changes: nothing acknowledged is lost, nothing half done."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psutil
import psycopg
import pytest

from tests.e2e.endings import MIDDLE, SUBJECTS, Endings
from tests.e2e.platform import Platform
from tests.e2e.streams import Caller, Exports, Policies, Rolls, Sealings, Uploads
from tests.e2e.supervised import Supervised, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.e2e.streams import Stream

    Kill = Callable[[Supervised], None]

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

RECOVERY_S = 120
# An export ends after 10,000, of which the records of all scenes together stay well below.
OLD_RECORDS = 1200
LONGEST_WAIT_S = 0.6
SEED = """
INSERT INTO tenants_auditrecord (tenant_id, at, actor_kind, actor, token_key_id, action, object_kind,
                                 object_name, outcome, request_id, after)
SELECT tenant.id, now() - interval '1 minute', 'operator', 'operator:faults', '', 'thing.write', 'thing',
       'thing ' || gen_random_uuid(), 'allowed', '', jsonb_build_object('number', number)
FROM tenants_tenant tenant, generate_series(1, %s) number WHERE tenant.slug = %s RETURNING object_name
"""
# How often a change is there, in the audit log and among the side effects: three times the same number.
TRACES = """
SELECT (SELECT count(*) FROM tenants_auditrecord WHERE action = %(action)s AND outcome = 'allowed'
            AND split_part(object_name, '/', 1) = %(name)s),
       (SELECT count(*) FROM kit_outbox WHERE topic = %(topic)s AND payload->>%(member)s = %(name)s)
"""
HALF = """
SELECT (SELECT count(*) FROM registry_descriptorset one WHERE one.id > %(before)s
            AND (SELECT count(*) FROM registry_descriptorsetentry entry WHERE entry.set_id = one.id) <> 2),
       (SELECT count(*) FROM registry_descriptorset one WHERE one.id > %(before)s AND NOT EXISTS (
            SELECT FROM registry_moduleversion version WHERE version.set_id = one.id))
"""
UNDONE = "SELECT count(*) FROM kit_outbox WHERE state <> 'done'"
UNTOLD = """
SELECT count(*) FROM kit_outbox effect WHERE effect.id > %s
    AND effect.topic IN ('module.uploaded', 'policy.changed', 'token.rolled')
    AND (SELECT count(*) FROM registry_webhookmessage message WHERE message.event_id = effect.id) <> 1
"""


@dataclass
class Scene:
    """The platform under its streams."""

    running: Supervised
    platform: Platform
    uploads: Uploads
    policies: Policies
    rolls: Rolls
    exports: Exports
    sealings: Sealings
    before: tuple[int, int]
    flows: list[Future[None]] = field(default_factory=list)

    @property
    def streams(self) -> list[Stream]:
        """All that flows."""
        return [self.uploads, self.policies, self.rolls, self.exports, self.sealings]

    def rows(self, statement: str, values: Any = None) -> Any:
        """Ask the database as the role that sees all tenants."""
        with psycopg.connect(self.platform.owner_url()) as connection:
            return connection.execute(statement, values).fetchall()

    @contextmanager
    def flowing(self) -> Iterator[None]:
        """Let all streams flow; whatever one of them found wrong is raised at the end."""
        stop = threading.Event()
        with ThreadPoolExecutor(len(self.streams)) as pool:
            self.flows = [pool.submit(one.flow, stop) for one in self.streams]
            try:
                yield
            finally:
                stop.set()
        for one in self.flows:
            one.result()

    def await_steps(self) -> None:
        """Wait until each stream has been acknowledged something from now on, or one has found a fault."""
        marks = [one.done for one in self.streams]
        wait_for(
            lambda: (
                any(one.done() for one in self.flows)
                or all(one.done > mark for one, mark in zip(self.streams, marks, strict=True))
            ),
            seconds=RECOVERY_S,
            says=lambda: f"{[(type(one).__name__, one.done, one.cut) for one in self.streams]}",
        )


@pytest.fixture
def scene(running: Supervised) -> Iterator[Scene]:
    """A tenant with a long audit log and a webhook, and a stream of each kind of change."""
    platform = Platform.read(running.state.run_file)
    caller = Caller(platform)
    with psycopg.connect(platform.owner_url()) as connection:
        rows = connection.execute(SEED, [OLD_RECORDS, platform.run["tenant"]]).fetchall()
        marks = "SELECT coalesce(max(id), 0) FROM registry_descriptorset"
        sets = connection.execute(marks).fetchone() or (0,)
    run = platform.run
    hooks = f"/api/v1/tenants/{run['tenant']}/namespaces/{run['namespace']}/webhooks"
    hook = caller.ok("POST", hooks, {"url": "https://127.0.0.1:1/", "events": ["*", "token.rolled"]})
    with psycopg.connect(platform.owner_url()) as connection:
        effects = connection.execute("SELECT coalesce(max(id), 0) FROM kit_outbox").fetchone() or (0,)
    old = frozenset(row[0] for row in rows)
    streams = (Uploads(caller), Policies(Caller(platform)), Rolls(Caller(platform)))
    more = (Exports(Caller(platform), old=old), Sealings(Caller(platform)))
    yield Scene(running, platform, *streams, *more, before=(sets[0], effects[0]))
    caller.ok("DELETE", f"{hooks}/{hook['id']}", If_Match="*")


def kill_each(victims: Iterable[psutil.Process]) -> None:
    """Kill processes, some of which may end because another has."""
    for one in victims:
        with suppress(psutil.NoSuchProcess):
            one.kill()


def kill_all(running: Supervised, name: str) -> None:
    """Kill a process and its children, and wait until it runs again."""
    before = running.run["pids"][name]
    kill_each([psutil.Process(before), *psutil.Process(before).children(recursive=True)])
    wait_for(
        lambda: running.run["pids"][name] != before and running.is_ready(),
        seconds=RECOVERY_S,
        says=running.printed,
    )


def kill_web(running: Supervised) -> None:
    """Kill the web server whole."""
    kill_all(running, "web")


def kill_web_workers(running: Supervised) -> None:
    """Kill the processes that serve, and leave the one that starts others."""
    kill_each(psutil.Process(running.run["pids"]["web"]).children())


def kill_worker(running: Supervised) -> None:
    """Kill the worker whole."""
    kill_all(running, "worker")


def kill_postgres(running: Supervised) -> None:
    """Kill the database server whole."""
    kill_all(running, "postgres")


def kill_session(running: Supervised) -> None:
    """Kill one session of the database: the server ends all of them and recovers."""
    children = psutil.Process(running.run["pids"]["postgres"]).children()
    sessions = [one.pid for one in children if "accord_app" in " ".join(one.cmdline())]
    os.kill(random.choice(sessions), signal.SIGKILL)


ROUNDS: dict[str, tuple[Kill, ...]] = {
    "web": (kill_web, kill_web_workers),
    "worker": (kill_worker, kill_worker),
    "postgres": (kill_postgres, kill_session),
}


@pytest.mark.parametrize("victim", ["web", "worker", "postgres"])
def test_nothing_acknowledged_is_lost_and_nothing_is_half_done(scene: Scene, victim: str) -> None:
    with scene.flowing():
        for kill in ROUNDS[victim]:
            scene.await_steps()
            time.sleep(random.uniform(0, LONGEST_WAIT_S))
            kill(scene.running)
        scene.await_steps()
    # Whoever has no worker is answered all the same.
    assert victim == "worker" or any(one.cut for one in scene.streams)
    scene.platform.run.update(scene.running.run)
    check(scene)


@pytest.mark.parametrize("kill", [kill_worker, kill_postgres])
def test_a_purge_and_an_export_that_are_cut_in_the_middle_come_to_their_end(
    running: Supervised, kill: Kill
) -> None:
    platform = Platform.read(running.state.run_file)
    endings = Endings(platform, Caller(platform))
    with endings.held():
        endings.begin()
        wait_for(endings.are_held, seconds=RECOVERY_S, says=running.printed)
        assert endings.rows(MIDDLE) == [(0, SUBJECTS, 1, "running")]
        kill(running)
    platform.run.update(running.run)
    endings.free()

    def have_ended() -> bool:
        endings.push()
        time.sleep(LONGEST_WAIT_S)
        return endings.have_ended()

    wait_for(have_ended, seconds=RECOVERY_S, says=running.printed)
    endings.check()


def check(scene: Scene) -> None:
    """Hold what callers were told against what is there, and what is there against itself."""
    versions, policies = scene.uploads.check(), scene.policies.check()
    scene.rolls.check()
    scene.exports.check()
    assert traces(scene, "module.uploaded", "module.uploaded", "module", scene.uploads.name) == [versions] * 2
    assert traces(scene, "policy.write", "policy.changed", "policy", scene.policies.name) == [policies] * 2
    rolled = traces(scene, "token.roll", "token.rolled", "token", scene.rolls.key)
    assert rolled[0] == rolled[1] >= len(scene.rolls.ended)
    assert scene.rows(HALF, {"before": scene.before[0]}) == [(0, 0)]
    wait_for(lambda: scene.rows(UNDONE) == [(0,)], seconds=RECOVERY_S, says=lambda: str(scene.rows(UNDONE)))
    assert scene.rows(UNTOLD, [scene.before[1]]) == [(0,)]


def traces(scene: Scene, action: str, topic: str, member: str, name: str) -> list[int]:
    """How often something is in the audit log, and among the side effects."""
    asked = {"action": action, "topic": topic, "member": member, "name": name}
    return list(scene.rows(TRACES, asked)[0])
