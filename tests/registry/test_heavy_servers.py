"""A real server under a burst of large schemas goes on answering reads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.registry.client import record
from tests.registry.over_http import Distant, Told

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess

BURST = 12


def test_a_burst_of_large_schemas_leaves_threads_for_reads(
    alice: Actor, token_for: TokenFor, granian_server: Callable[..., RunningProcess]
) -> None:
    api = Distant(f"{granian_server().url}/sr/north/default", token_for(alice))

    def large(number: int) -> Told:
        return api.register(f"s{number}", record(*(f"f{number}_{field}" for field in range(12_000))))

    assert api.register("small", record("a")).status == 200
    reads = []
    with ThreadPoolExecutor(BURST) as pool:
        burst = [pool.submit(large, number) for number in range(BURST)]
        while not all(one.done() for one in burst):
            reads.append(api.read("small").status)
    answers = [one.result() for one in burst]
    assert set(reads) == {200}
    assert {one.status for one in answers} == {200, 503}
    refusals = [one for one in answers if one.status == 503]
    assert all((one.retry_after, one.body["error_code"]) == ("5", 503) for one in refusals)
    assert len(reads) > len(answers) - len(refusals)
