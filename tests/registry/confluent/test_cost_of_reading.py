"""What a read costs the database, and that its sessions may end at any time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg
import pytest
import requests
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.registry.client import PROBE, Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.processes import RunningProcess
    from tests.servers import Servers

pytestmark = pytest.mark.django_db(transaction=True)

BY_ID = "/schemas/ids/1"
READS = 24


def cheapest(read: Callable[[], object]) -> list[str]:
    """The statements of the cheapest of a few reads: the first may come before the token is remembered."""
    costs = []
    for _ in range(5):
        with CaptureQueriesContext(connection) as captured:
            read()
        costs.append([one["sql"] for one in captured])
    return min(costs, key=len)


def test_a_read_by_id_is_one_statement_between_taking_the_tenant_on_and_off(api: Registry) -> None:
    api.registered("s", PROBE)
    taken, read, given_back = cheapest(lambda: api.ok("GET", BY_ID))
    assert "set_config" in taken
    assert "registry_schema" in read
    assert "set_config('accord.tenant', '', false)" in given_back


def test_a_negative_read_by_id_costs_the_same(api: Registry) -> None:
    api.registered("s", PROBE)
    assert api.get("/schemas/ids/2").error == (404, 40403)
    assert len(cheapest(lambda: api.get("/schemas/ids/2"))) == 3


def test_a_read_by_subject_asks_whether_the_name_is_an_alias(api: Registry) -> None:
    api.registered("s", PROBE)
    _, asked, read, _ = cheapest(lambda: api.ok("GET", "/subjects/s/versions/latest"))
    assert "registry_config" in asked
    assert "registry_version" in read


def test_a_restart_of_the_database_fails_one_read_at_most(
    api: Registry, servers: Servers, granian_server: Callable[..., RunningProcess]
) -> None:
    api.registered("s", PROBE)
    url = granian_server().url + api.prefix + BY_ID
    sent = {"Authorization": f"Bearer {api.token}"}

    def statuses() -> list[int]:
        with ThreadPoolExecutor(8) as pool:
            return list(
                pool.map(lambda _: requests.get(url, headers=sent, timeout=20).status_code, range(READS))
            )

    assert statuses() == [200] * READS
    end_every_session(servers)
    assert statuses().count(200) >= READS - 1


def end_every_session(servers: Servers) -> None:
    """End every session of this test's database but our own, as a restart does."""
    ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s AND pid <> %s"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        own = cursor.fetchone()[0]
    with psycopg.connect(servers.superuser_url, autocommit=True) as superuser:
        assert superuser.execute(ended, [connection.settings_dict["NAME"], own]).rowcount >= 1
