"""A revoked token is dead in every process within two seconds, and at once where it is heard of."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from accord_server.kit import tenancy
from tenants import services
from tenants.models import Token
from tenants.principals import operator_scope
from tests.cast import issued_for
from tests.tenants.asker import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cast import Actor
    from tests.servers import Servers

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parent.parent.parent
BOUND_S = 2.0
# Well below the bound: a decision made a moment ago would outlive this if nobody heard the message.
HEARD_S = 1.5
GRACE_S = 0.5

Ask = "Callable[[str], str]"


@contextmanager
def asker() -> Iterator[Callable[[str], str]]:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}",
        "DJANGO_SETTINGS_MODULE": "accord_server.settings",
    }
    command = [sys.executable, "-m", "tests.tenants.asker"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, cwd=ROOT, text=True, **pipes) as process:

        def ask(value: str) -> str:
            process.stdin.write(value + "\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        yield ask
        process.stdin.close()


def seconds_until_out(ask: Callable[[str], str], value: str) -> float:
    start = time.monotonic()
    while ask(value) == "in" and time.monotonic() - start < 10:
        time.sleep(0.02)
    return time.monotonic() - start


def settle(ask: Callable[[str], str], value: str) -> None:
    """Wait until the process listens: its first decisions are dropped when it begins to."""
    assert ask(value) == "in"
    time.sleep(1.0)


def test_revocation_reaches_two_other_processes_at_once(alice: Actor) -> None:
    issued = issued_for(alice)
    with asker() as first, asker() as second:
        for ask in (first, second):
            settle(ask, issued.value)
        assert [first(issued.value), second(issued.value)] == ["in", "in"]

        services.revoke_token(operator_scope(alice.tenant.ref), key_id=issued.record.key_id)
        assert [seconds_until_out(ask, issued.value) < HEARD_S for ask in (first, second)] == [True, True]


def test_a_lost_role_reaches_another_process_at_once(alice: Actor) -> None:
    issued = issued_for(alice)
    with asker() as ask:
        settle(ask, issued.value)
        assert ask(issued.value) == "in"

        services.suspend_principal(operator_scope(alice.tenant.ref), principal=alice.key)
        assert seconds_until_out(ask, issued.value) < HEARD_S


def test_a_process_that_lost_its_ears_is_bound_to_two_seconds(alice: Actor, servers: Servers) -> None:
    issued = issued_for(alice)
    with asker() as ask:
        settle(ask, issued.value)
        deafen(servers)
        assert ask(issued.value) == "in"

        services.revoke_token(operator_scope(alice.tenant.ref), key_id=issued.record.key_id)
        assert seconds_until_out(ask, issued.value) < BOUND_S + GRACE_S


def test_without_any_message_two_seconds_are_the_bound(alice: Actor) -> None:
    issued = issued_for(alice)
    assert answer(issued.value) == "in"
    with tenancy.tenant_context(alice.tenant.id):
        rows = Token.objects.scoped(operator_scope(alice.tenant.ref))
        rows.filter(key_id=issued.record.key_id).update(state="revoked")

    assert answer(issued.value) == "in"
    assert seconds_until_out(answer, issued.value) < BOUND_S + GRACE_S


def deafen(servers: Servers) -> None:
    """Cut every connection that listens, as a restart of the database would."""
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'"
    with psycopg.connect(servers.superuser_url, autocommit=True) as superuser:
        superuser.execute(cut)
