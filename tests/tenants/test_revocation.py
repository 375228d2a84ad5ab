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
from django.db import connection

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

    Ask = Callable[[str], str]

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parent.parent.parent
BOUND_S = 2.0
# Well below the bound: a decision made a moment ago would outlive this if nobody heard the message.
HEARD_S = 1.5
GRACE_S = 1.0
START_S = 30.0
LISTENING = "application_name = %s AND query LIKE 'LISTEN %%'"


@contextmanager
def asker(name: str) -> Iterator[Ask]:
    """Start a process that decides about tokens; it listens under the name given."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}",
        "DJANGO_SETTINGS_MODULE": "accord_server.settings",
        "ACCORD_DATABASE_URL": f"{os.environ['ACCORD_DATABASE_URL']}?application_name={name}",
    }
    command = [sys.executable, "-m", "tests.tenants.asker"]
    with subprocess.Popen(
        command, env=environment, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(value: str) -> str:
            print(value, file=process.stdin, flush=True)
            return process.stdout.readline().strip() if process.stdout else ""

        yield ask
        process.stdin.close()


def settle(servers: Servers, name: str, ask: Ask, value: str) -> None:
    """Wait until the process listens, which empties its memory, and let it decide anew."""
    assert ask(value) == "in"
    deadline = time.monotonic() + START_S
    with psycopg.connect(servers.superuser_url, autocommit=True) as superuser:
        while not ears(superuser, name) and time.monotonic() < deadline:
            time.sleep(0.05)
    time.sleep(0.2)
    assert ask(value) == "in"


def ears(superuser: psycopg.Connection[tuple[object, ...]], name: str) -> int:
    return superuser.execute(f"SELECT 1 FROM pg_stat_activity WHERE {LISTENING}", [name]).rowcount  # noqa: S608  # our own text


def deafen(servers: Servers, name: str) -> None:
    """Cut the process's listening connection, as a restart of the database would."""
    with psycopg.connect(servers.superuser_url, autocommit=True) as superuser:
        cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {LISTENING}"  # noqa: S608  # as above
        assert superuser.execute(cut, [name]).rowcount == 1


def seconds_until_out(ask: Ask, value: str) -> float:
    start = time.monotonic()
    while ask(value) == "in" and time.monotonic() - start < START_S:
        time.sleep(0.02)
    return time.monotonic() - start


def names(*stems: str) -> list[str]:
    database = connection.settings_dict["NAME"]
    return [f"{stem}-{database}" for stem in stems]


def test_revocation_reaches_two_other_processes_at_once(alice: Actor, servers: Servers) -> None:
    issued = issued_for(alice)
    one, two = names("first", "second")
    with asker(one) as first, asker(two) as second:
        settle(servers, one, first, issued.value)
        settle(servers, two, second, issued.value)

        services.revoke_token(operator_scope(alice.tenant.ref), key_id=issued.record.key_id)
        assert [seconds_until_out(ask, issued.value) < HEARD_S for ask in (first, second)] == [True, True]


def test_a_suspended_owner_or_tenant_reaches_another_process_at_once(alice: Actor, servers: Servers) -> None:
    issued, operator = issued_for(alice), operator_scope(alice.tenant.ref)
    (name,) = names("third")
    with asker(name) as ask:
        settle(servers, name, ask, issued.value)

        services.suspend_tenant(operator)
        assert seconds_until_out(ask, issued.value) < HEARD_S
        services.resume_tenant(operator)
        assert ask(issued.value) == "in"
        services.suspend_principal(operator, principal=alice.key)
        assert seconds_until_out(ask, issued.value) < HEARD_S


def test_a_process_that_lost_its_ears_is_bound_to_two_seconds(alice: Actor, servers: Servers) -> None:
    issued = issued_for(alice)
    (name,) = names("fourth")
    with asker(name) as ask:
        settle(servers, name, ask, issued.value)
        deafen(servers, name)

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
