"""One tenant at its limits, on a real server, while another goes on as if nothing were."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING

import pytest

from tests.registry.client import Registry, optional, record
from tests.registry.over_http import Distant
from tests.registry.texts import grown

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess
    from tests.registry.quota_limits import Limit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("compiler")]

NORTH, SOUTH = "/sr/north/default", "/sr/south/default"
HAMMERS = 3
CALLS = 20


def test_a_tenant_at_its_limits_takes_nothing_from_another(
    granian_server: Callable[..., RunningProcess],
    api: Registry,
    mallory: Actor,
    token_for: TokenFor,
    limit: Limit,
) -> None:
    other = Registry(token_for(mallory), SOUTH)
    for one in (api, other):
        one.level("s", "NONE")
        for number in range(2):
            one.registered("s", grown(number))
        one.level("s", "FULL_TRANSITIVE")
    limit(requests_per_second=2, waiting_checks=1, open_checks=1)
    # Two versions are a long history here, so that a registration waits for a worker that never comes.
    url = granian_server(ACCORD_INLINE_CHECK_VERSIONS="1", ACCORD_CHECK_PATIENCE="3").url
    busy, calm = Distant(url + NORTH, api.token), Distant(url + SOUTH, other.token)
    over = Event()

    def hammer(number: int) -> set[int]:
        seen = set()
        while not over.is_set():
            seen.add(busy.register("s", grown(3 + number)).status)
            seen.add(busy.read("s").status)
        return seen

    with ThreadPoolExecutor(HAMMERS) as pool:
        hammers = [pool.submit(hammer, number) for number in range(HAMMERS)]
        try:
            told = [calm.read("s").status for _ in range(CALLS)]
            told += [
                calm.register(f"t{number}", record("a", optional(f"f{number}"))).status
                for number in range(CALLS)
            ]
        finally:
            over.set()
        seen = set().union(*(one.result(timeout=120) for one in hammers))
    assert (set(told), len(told)) == ({200}, 2 * CALLS)
    assert 429 in seen
