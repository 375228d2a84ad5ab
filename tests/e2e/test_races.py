"""Many writers over two web processes: ids and versions stay unique, dense and durable."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psutil
import pytest
import requests

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

WRITERS = 64


def schema(number: int, *, name: str = "Racer") -> dict[str, Any]:
    """One of many mutually compatible schemas, all different."""
    field = {"name": f"f{number}", "type": "int", "default": 0}
    return {"type": "record", "name": name, "fields": [field]}


def all_at_once(count: int, act: Callable[[int], requests.Response]) -> list[requests.Response]:
    """Run ``act(0..count-1)`` in as many threads, released together."""
    gate = threading.Barrier(count)

    def wait_then_act(number: int) -> requests.Response:
        gate.wait()
        return act(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(wait_then_act, range(count)))


def ids(answers: Sequence[requests.Response]) -> list[int]:
    assert {answer.status_code for answer in answers} == {200}, answers[0].text
    return [answer.json()["id"] for answer in answers]


def test_the_web_runs_as_two_processes(platform: Platform) -> None:
    assert len(web_workers(platform)) == 2


def test_one_schema_from_64_writers_gets_one_id_and_one_version(platform: Platform, topic: str) -> None:
    body = schema(0, name=f"Same{topic.replace('-', '')}")
    answers = all_at_once(WRITERS, lambda _: platform.register(topic, body))
    assert len(set(ids(answers))) == 1
    assert platform.versions(topic) == [1]


def test_one_schema_into_64_new_subjects_gets_one_id(platform: Platform, topic: str) -> None:
    body = schema(0, name=f"Wide{topic.replace('-', '')}")
    answers = all_at_once(WRITERS, lambda n: platform.register(f"{topic}-{n}", body))
    assert len(set(ids(answers))) == 1


def test_64_schemas_in_64_subjects_get_64_ids(platform: Platform, topic: str) -> None:
    name = f"Apart{topic.replace('-', '')}"
    answers = all_at_once(WRITERS, lambda n: platform.register(f"{topic}-{n}", schema(n, name=name)))
    assert len(set(ids(answers))) == WRITERS


def test_64_first_versions_of_one_subject_are_numbered_without_gaps(platform: Platform, topic: str) -> None:
    answers = all_at_once(WRITERS, lambda n: platform.register(topic, schema(n)))
    assert len(set(ids(answers))) == WRITERS
    assert platform.versions(topic) == list(range(1, WRITERS + 1))


def test_of_two_incompatible_first_versions_one_wins(platform: Platform, topic: str) -> None:
    kinds = ("int", "string")
    answers = all_at_once(WRITERS, lambda n: platform.register(topic, kinds[n % 2]))
    assert sorted({answer.status_code for answer in answers}) == [200, 409]
    assert platform.versions(topic) == [1]


def test_a_web_process_killed_in_a_storm_loses_no_acknowledged_id(platform: Platform, topic: str) -> None:
    acknowledged: dict[int, int] = {}
    stop = threading.Event()

    def write(writer: int) -> None:
        for number in range(writer, 100_000, 8):
            if stop.is_set():
                return
            try:
                answer = platform.register(topic, schema(number))
            except requests.RequestException:
                continue
            if answer.status_code == 200:
                acknowledged[number] = answer.json()["id"]

    with ThreadPoolExecutor(8) as pool:
        for writer in range(8):
            pool.submit(write, writer)
        time.sleep(1.5)
        os.kill(web_workers(platform)[0], signal.SIGKILL)
        time.sleep(2.5)
        stop.set()
    assert len(acknowledged) > 20
    assert_all_there(platform, topic, acknowledged)


def assert_all_there(platform: Platform, subject: str, acknowledged: dict[int, int]) -> None:
    """Every acknowledged id reads back, and the versions are dense and whole."""
    wait_until_ready(platform)
    for number, schema_id in acknowledged.items():
        answer = platform.call("GET", f"/schemas/ids/{schema_id}")
        assert f'"f{number}"' in answer.json()["schema"]
    numbers = platform.versions(subject)
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= len(acknowledged)
    path = f"/subjects/{quote(subject, safe='')}/versions/{numbers[-1]}"
    assert platform.call("GET", path).status_code == 200


def wait_until_ready(platform: Platform, within_s: float = 30) -> None:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            if requests.get(f"{platform.run['url']}/readyz", timeout=5).status_code == 200:
                return
        except requests.RequestException:
            pass
        time.sleep(0.2)
    pytest.fail("the platform did not become ready again")


def web_workers(platform: Platform) -> list[int]:
    """The processes that serve requests: the children of the web server's main process."""
    children = psutil.Process(platform.run["pids"]["web"]).children()
    return [child.pid for child in children]
