"""Hostile bodies: a 4xx of the dialect that names the place, soon, and nothing stored."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import PROBE, record
from tests.registry.texts import nested

if TYPE_CHECKING:
    from tests.registry.client import Answer, Registry

pytestmark = pytest.mark.django_db

LONGEST_MESSAGE = 4_000
# Time of this process alone, so that whoever runs beside it does not count: a guard against hanging. Answers
# take a fraction of a second where nothing measures coverage.
SAFETY_SECONDS = 120


def body(text: str) -> bytes:
    return json.dumps({"schema": text}).encode()


def field(**members: object) -> bytes:
    return body(json.dumps(record({"name": "a", "type": "int", **members})))


HUGE = '{"type":"record","name":"R","fields":[{"name":"a","type":"int","default":' + "9" * 5000 + "}]}"
SYMBOLS = json.dumps({"type": "enum", "name": "E", "symbols": ["1x"] * 100_000})
CASES: dict[str, tuple[bytes, tuple[int, int], str]] = {
    "broken-json": (b'{"schema": ', (400, 400), "line 1 column"),
    "not-an-object": (b"[]", (400, 400), "an array"),
    "a-number": (b"7", (400, 400), "a number"),
    "schema-is-a-number": (b'{"schema": 7}', (400, 400), "schema must be a string"),
    "type-is-a-list": (b'{"schema": "x", "schemaType": []}', (400, 400), "schemaType must be"),
    "version-is-a-word": (b'{"schema": "x", "version": "x"}', (400, 400), "version must be an integer"),
    "version-is-true": (b'{"schema": "x", "version": true}', (400, 400), "version must be an integer"),
    "version-is-half": (b'{"schema": "x", "version": 1.5}', (400, 400), "version must be an integer"),
    "version-is-huge": (b'{"schema": "x", "version": 99999999999}', (400, 400), "version must be between"),
    "id-is-a-word": (b'{"schema": "x", "id": "1"}', (400, 400), "id must be an integer"),
    "references-is-a-word": (b'{"schema": "x", "references": "x"}', (400, 400), "must be an array"),
    "not-a-number": (b'{"schema": NaN}', (400, 400), "NaN"),
    "a-number-of-5000-digits": (b'{"id": ' + b"9" * 5000 + b"}", (400, 400), "too many digits"),
    "invalid-utf-8": (b'{"schema": "\xff\xfe"}', (400, 400), "UTF-8 at byte 12"),
    "half-a-character": (b'{"schema": "\\ud800"}', (422, 42201), ""),
    "half-a-character-inside": (body('{"type":"string","doc":"\\ud800"}'), (422, 42201), "surrogate"),
    "nul-in-the-text": (body('\0"int"'), (422, 42201), "character 0"),
    "nul-in-a-name": (field(name="a\0b"), (422, 42201), "/fields/0/name"),
    "bad-name": (field(name="a-b"), (422, 42201), "a-b"),
    "bad-default": (field(default="x"), (422, 42201), "/fields/0"),
    "huge-default": (body(HUGE), (422, 42201), ""),
    "500-deep": (body(nested(500)), (422, 42209), "deep"),
    "100000-brackets": (body("[" * 100_000), (422, 42209), "deep"),
    "brackets-in-the-body": (b"[" * 100_000, (400, 400), "deep"),
    "objects-in-the-body": (b'{"a":' * 100_000, (400, 400), "deep"),
    "25000-fields": (body(json.dumps(record(*[f"f{n}" for n in range(25_000)]))), (422, 42209), "field"),
    "two-megabytes": (body(json.dumps({"type": "string", "doc": "x" * 2_000_000})), (422, 42209), "large"),
    "100000-symbols": (body(SYMBOLS), (422, 42201), "1x"),
}  # fmt: skip


def ask(api: Registry, method: str, path: str, content: bytes = b"") -> Answer:
    """Send a request that must be answered soon, whatever it holds."""
    began = time.process_time()
    answer = api.call(method, path, content)
    assert time.process_time() - began < SAFETY_SECONDS
    return answer


def post(api: Registry, content: bytes) -> Answer:
    return ask(api, "POST", "/subjects/s/versions", content)


@pytest.mark.parametrize("case", sorted(CASES))
def test_a_bad_body_is_refused_by_name(api: Registry, case: str) -> None:
    content, error, place = CASES[case]
    answer = post(api, content)
    assert answer.error == error, answer.raw[:500]
    assert place.lower() in answer.body["message"].lower()
    assert len(answer.body["message"]) < LONGEST_MESSAGE
    assert api.ok("GET", "/subjects?deleted=true") == []


@pytest.mark.parametrize(
    "path", ["/subjects/s", "/compatibility/subjects/s/versions", "/subjects/s/versions"]
)
@pytest.mark.parametrize(
    "case",
    ["broken-json", "invalid-utf-8", "brackets-in-the-body", "500-deep", "bad-name", "25000-fields"],
)
def test_every_route_with_a_schema_refuses_alike(api: Registry, path: str, case: str) -> None:
    content, error, _ = CASES[case]
    assert ask(api, "POST", path, content).error == error


@pytest.mark.parametrize("path", ["/config", "/config/s", "/mode", "/mode/s"])
@pytest.mark.parametrize("content", [b"{", b"[]", b'"x"', b"\xff", b"{" * 100_000])
def test_settings_refuse_what_is_no_object(api: Registry, path: str, content: bytes) -> None:
    assert ask(api, "PUT", path, content).error == (400, 400)


@pytest.mark.parametrize(
    "query", ["subjectPrefix=%00", "subjectPrefix=%ED%A0%80", "limit=%00", "deleted=%00"]
)
def test_hostile_queries_are_answered(api: Registry, query: str) -> None:
    api.registered("s", PROBE)
    assert ask(api, "GET", f"/subjects?{query}").status in {200, 404}


def test_many_references_are_counted_before_they_are_looked_for(api: Registry) -> None:
    references: list[dict[str, Any]] = [
        {"name": f"n{number}", "subject": f"s{number}", "version": 1} for number in range(5_000)
    ]
    answer = post(api, json.dumps({"schema": json.dumps(PROBE), "references": references}).encode())
    assert answer.error == (422, 42201)
    assert "5000" in answer.body["message"]
