"""Many writers over two web processes: ids and versions stay unique, dense and durable."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psutil
import psycopg
import pytest
import requests

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

WRITERS = 64
STORM_WRITERS = 8
VERSIONS = """
    SELECT version.number, schema.number FROM registry_version version
    JOIN registry_subject subject ON subject.id = version.subject_id
    JOIN registry_schema schema ON schema.id = version.schema_id
    WHERE subject.name = %s ORDER BY version.number"""
# Texts that hold a name, and schemas of such texts.
KEPT = """
    SELECT (SELECT count(*) FROM registry_content WHERE text LIKE %s),
    (SELECT count(*) FROM registry_schema schema
     JOIN registry_content content ON content.id = schema.content_id WHERE content.text LIKE %s)"""
BEHIND = """
    SELECT count(*) FROM registry_schema schema
    LEFT JOIN registry_counter counter USING (tenant_id, namespace_id, context)
    WHERE coalesce(counter.last, 0) < schema.number"""
EVENTS = """
    SELECT (payload->>'version')::int FROM kit_outbox
    WHERE topic = 'version.registered' AND payload->>'subject' = %s ORDER BY 1"""
AUDITED = """
    SELECT (after->>'version')::int FROM tenants_auditrecord
    WHERE action = 'version.registered' AND after->>'subject' = %s ORDER BY 1"""


def schema(number: int, *, name: str = "Racer") -> dict[str, Any]:
    """One of many mutually compatible schemas, all different."""
    member = {"name": f"f{number}", "type": "int", "default": 0}
    return {"type": "record", "name": name, "fields": [member]}


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


@dataclass
class Storm:
    """Writers into one subject until they are stopped, and what they were told."""

    platform: Platform
    subject: str
    name: str
    acknowledged: dict[int, int] = field(default_factory=dict)
    refused: list[requests.Response] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def write(self, writer: int) -> None:
        """Register one schema after the other; a connection that breaks is no answer at all."""
        for number in range(writer, 100_000, STORM_WRITERS):
            if self.stop.is_set():
                return
            with suppress(requests.ConnectionError):
                answer = self.platform.register(self.subject, schema(number, name=self.name))
                if answer.status_code == 200:
                    self.acknowledged[number] = answer.json()["id"]
                else:
                    self.refused.append(answer)


def test_a_web_process_killed_in_a_storm_loses_no_acknowledged_id(platform: Platform, topic: str) -> None:
    storm = Storm(platform, topic, f"Storm{topic.replace('-', '')}")
    with ThreadPoolExecutor(STORM_WRITERS) as pool:
        writers = [pool.submit(storm.write, writer) for writer in range(STORM_WRITERS)]
        time.sleep(1.5)
        os.kill(web_workers(platform)[0], signal.SIGKILL)
        time.sleep(2.5)
        storm.stop.set()
    for writer in writers:
        writer.result()
    assert [answer.text for answer in storm.refused if answer.status_code != 503] == []
    assert len(storm.acknowledged) > 20
    assert_all_there(platform, topic, storm.acknowledged)
    assert_rows_fit(platform, topic, storm.name, storm.acknowledged)


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


def assert_rows_fit(platform: Platform, subject: str, name: str, acknowledged: dict[int, int]) -> None:
    """Nothing is left of a registration that was cut off, and nothing is missing of one that was not."""
    with psycopg.connect(platform.owner_url()) as connection:
        rows = connection.execute(VERSIONS, [subject]).fetchall()
        texts, schemas = _only(connection.execute(KEPT, [f'%"{name}"%'] * 2))
        (behind,) = _only(connection.execute(BEHIND))
        events = [row[0] for row in connection.execute(EVENTS, [subject])]
        audited = [row[0] for row in connection.execute(AUDITED, [subject])]
    versions, ids = [row[0] for row in rows], sorted(row[1] for row in rows)
    assert versions == events == audited == list(range(1, len(rows) + 1))
    assert (texts, schemas, behind) == (len(rows), len(rows), 0)
    assert ids == list(range(ids[0], ids[0] + len(ids)))
    assert set(acknowledged.values()) <= set(ids)


def _only(rows: psycopg.Cursor[tuple[Any, ...]]) -> tuple[Any, ...]:
    (row,) = rows.fetchall()
    return row


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
