"""Hostile requests: each gets a Confluent-shaped 4xx that names the place, and nothing is stored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import requests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

JSON_TYPE = "application/vnd.schemaregistry.v1+json"
MANY = 50_000
SOON_S = 1
ATTEMPTS = 5


def nested(depth: int) -> dict[str, Any]:
    schema: Any = "int"
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return {"schema": json.dumps(schema)}


def record(*fields: object) -> dict[str, Any]:
    return {"schema": json.dumps({"type": "record", "name": "R", "fields": list(fields)})}


def referring(subject: str, version: object) -> dict[str, Any]:
    reference = {"name": "X", "subject": subject, "version": version}
    return {**record({"name": "a", "type": "X"}), "references": [reference]}


# name → (body bytes, statuses allowed, words of which one must stand in the message)
BODIES: dict[str, tuple[bytes, set[int], str]] = {
    "broken-json": (b'{"schema": ', {400}, "line 1"),
    "not-an-object": (b"[]", {400}, "object"),
    "schema-is-a-number": (b'{"schema": 7}', {400}, "schema"),
    "version-is-a-word": (b'{"schema": "\\"int\\"", "version": "x"}', {400}, "version"),
    "references-is-a-word": (b'{"schema": "\\"int\\"", "references": "x"}', {400}, "references"),
    "empty": (b"", {422}, "null"),
    "null": (b"null", {422}, "null"),
    "invalid-utf-8": (b'{"schema": "\xff\xfe"}', {400}, "UTF-8"),
    "nul-in-a-name": (json.dumps(record({"name": "a\0b", "type": "int"})).encode(), {422}, "/fields/0/name"),
    "nul-in-the-text": (b'{"schema": "\\u0000\\"int\\""}', {422}, "character 0"),
    "bad-name": (json.dumps(record({"name": "a-b", "type": "int"})).encode(), {422}, "a-b"),
    "bad-default": (
        json.dumps(record({"name": "a", "type": "int", "default": "x"})).encode(),
        {422},
        "/fields/0",
    ),
    "500-deep": (json.dumps(nested(500)).encode(), {422}, "deep"),
    "100000-brackets": (json.dumps({"schema": "[" * 100_000}).encode(), {422}, "deep"),
    "brackets-in-the-body": (b"[" * 100_000, {400}, "deep"),
    "dangling": (json.dumps(referring("no-such-subject", 1)).encode(), {422}, "no-such-subject"),
    "reference-without-version": (json.dumps(referring("s", None)).encode(), {422}, "version"),
}


def post(platform: Platform, subject: str, body: bytes) -> requests.Response:
    headers = {"Authorization": f"Bearer {platform.token}", "Content-Type": JSON_TYPE}
    url = f"{platform.registry_url}/subjects/{subject}/versions"
    return requests.post(url, data=body, headers=headers, timeout=30)


def assert_nothing_stored(platform: Platform, subject: str) -> None:
    assert subject not in platform.call("GET", f"/subjects?deleted=true&subjectPrefix={subject}").json()


@pytest.mark.parametrize("case", sorted(BODIES))
def test_a_bad_body_is_refused_by_name(platform: Platform, topic: str, case: str) -> None:
    body, statuses, place = BODIES[case]
    answer = post(platform, topic, body)
    assert answer.status_code in statuses, answer.text[:500]
    assert place.lower() in answer.json()["message"].lower()
    assert len(answer.json()["message"]) < 4_000
    assert_nothing_stored(platform, topic)


def soon(platform: Platform, subject: str, body: bytes) -> requests.Response:
    """Send a body that must be answered within a second, if not each time on a machine with other work."""
    for _ in range(ATTEMPTS):
        answer = post(platform, subject, body)
        if answer.elapsed.total_seconds() < SOON_S:
            return answer
    pytest.fail(f"{ATTEMPTS} answers took more than {SOON_S} s each, the last one {answer.elapsed}")


def test_fifty_thousand_fields_are_answered_in_time(platform: Platform, topic: str) -> None:
    fields = [{"name": f"f{number}", "type": "int"} for number in range(MANY + 1)]
    answer = soon(platform, topic, json.dumps(record(*fields)).encode())
    assert (answer.status_code, answer.json()["error_code"]) == (422, 42209)
    assert "bytes" in answer.json()["message"]
    assert_nothing_stored(platform, topic)


def test_many_fields_of_a_length_that_is_allowed_are_answered_in_time(platform: Platform, topic: str) -> None:
    fields = [{"name": f"f{number}", "type": "int"} for number in range(MANY // 2)]
    answer = soon(platform, topic, json.dumps(record(*fields)).encode())
    assert (answer.status_code, answer.json()["error_code"]) == (422, 42209)
    assert "field" in answer.json()["message"]
    assert_nothing_stored(platform, topic)


def test_ten_megabytes_are_refused_in_time(platform: Platform, topic: str) -> None:
    doc = json.dumps({"schema": json.dumps({"type": "string", "doc": "x" * 10_000_000})}).encode()
    answer = soon(platform, topic, doc)
    assert (answer.status_code, answer.json()["error_code"]) == (413, 413)
    assert answer.json()["message"] == "The body is longer than 5242880 bytes."
    assert_nothing_stored(platform, topic)


def test_a_chunked_body_without_a_type_registers(platform: Platform, topic: str) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"schema": '
        yield b'"\\"int\\""}'

    url = f"{platform.registry_url}/subjects/{topic}/versions"
    answer = requests.post(
        url, data=chunks(), headers={"Authorization": f"Bearer {platform.token}"}, timeout=30
    )
    assert answer.status_code == 200, answer.text


def test_a_reference_cycle_cannot_be_built(platform: Platform, topic: str) -> None:
    """A version that does not exist yet cannot be referred to, not even by itself."""
    answer = platform.call("POST", f"/subjects/{topic}/versions", referring(topic, 1))
    assert (answer.status_code, answer.json()["error_code"]) == (422, 42201)
    assert_nothing_stored(platform, topic)
