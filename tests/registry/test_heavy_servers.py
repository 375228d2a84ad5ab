"""A real server under a burst of large schemas goes on answering reads."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.registry.client import V1, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess

PATIENCE_S = 60
BURST = 12


def call(url: str, token: str, body: bytes | None = None) -> tuple[int, str | None, bytes]:
    """Return status, Retry-After and body."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": V1}
    request = urllib.request.Request(url, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, None, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Retry-After"], error.read()


def test_a_burst_of_large_schemas_leaves_threads_for_reads(
    alice: Actor, token_for: TokenFor, granian_server: Callable[..., RunningProcess]
) -> None:
    token, base = token_for(alice), f"{granian_server().url}/sr/north/default"

    def large(number: int) -> tuple[int, str | None, bytes]:
        schema = record(*(f"f{number}_{field}" for field in range(12_000)))
        return call(
            f"{base}/subjects/s{number}/versions", token, json.dumps({"schema": json.dumps(schema)}).encode()
        )

    small = json.dumps({"schema": json.dumps(record("a"))}).encode()
    assert call(f"{base}/subjects/small/versions", token, small)[0] == 200
    reads = []
    with ThreadPoolExecutor(BURST) as pool:
        burst = [pool.submit(large, number) for number in range(BURST)]
        while not all(one.done() for one in burst):
            reads.append(call(f"{base}/subjects/small/versions/latest", token)[0])
    answers = [one.result() for one in burst]
    assert set(reads) == {200}
    assert {status for status, _, _ in answers} == {200, 503}
    refusals = [(after, json.loads(body)) for status, after, body in answers if status == 503]
    assert all(after == "5" and body["error_code"] == 503 for after, body in refusals)
    assert len(reads) > len(answers) - len(refusals)
