"""Whether a reader may consume a subject, and what its consumers read with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from registry.services import reading
from tests.registry.client import optional, record
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
WIDER = {**CLOSED, "properties": {**CLOSED["properties"], "b": {"type": "integer"}}}  # type: ignore[dict-item]  # an object
OPEN = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice; *avro* and *json* are subjects of two versions each."""
    api.registered("avro", record("a"))
    api.registered("avro", record("a", optional("b")))
    for schema in (CLOSED, WIDER):
        api.level("json", "NONE")
        api.registered("json", schema, schemaType="JSON")
    return Native(api.token)


def asked(native: Native, subject: str, **body: object) -> Any:
    return native.call("POST", f"{NAMESPACE}/subjects/{subject}/can-read", body)


def can_read(native: Native, subject: str, **body: object) -> Any:
    answer = asked(native, subject, **body)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_reader_reads_every_version(native: Native) -> None:
    told = can_read(native, "avro", schema=json.dumps(record(optional("z"))))
    assert (told["can_read"], told["grounds"], told["unread"]) == (True, "all versions", [])
    assert told["summary"] == "the reader can read every version"


def test_a_reader_that_cannot_is_told_which_versions_and_why(native: Native) -> None:
    told = can_read(native, "avro", schema=json.dumps(record("a", "b")), name="billing")
    assert (told["can_read"], told["grounds"], told["unread"]) == (False, None, [1])
    (failing,) = told["comparisons"]
    assert (failing["version"], failing["reader"]) == (1, "billing")
    assert failing["findings"][0]["advice"]


@pytest.mark.parametrize(("version", "is_able"), [(1, True), ("latest", True)])
def test_a_reader_may_have_a_version_of_the_subject(native: Native, version: object, is_able: object) -> None:
    assert can_read(native, "avro", version=version)["can_read"] is is_able


def test_a_consumer_of_json_may_have_the_opened_schema(native: Native) -> None:
    told = can_read(native, "json", schema=json.dumps(OPEN), format="JSON")
    assert (told["can_read"], told["grounds"], told["version"]) == (True, "lookup", 1)
    assert told["summary"] == "the reader can read: closed, it is version 1"


def test_a_history_that_is_too_long_for_consumers_is_refused(
    native: Native, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_CHARACTERS", 10)
    answer = asked(native, "json", schema=json.dumps(OPEN), format="JSON")
    assert (answer.status_code, answer.json()["code"]) == (422, "history_too_large")


@pytest.mark.parametrize(
    ("subject", "body", "status", "code"),
    [
        ("avro", {}, 400, "bad_request"),
        ("avro", {"version": 1, "schema": '"int"'}, 400, "bad_request"),
        ("avro", {"version": "newest"}, 400, "bad_request"),
        ("avro", {"version": 9}, 404, "version_not_found"),
        ("nothing", {"schema": '"int"'}, 404, "subject_not_found"),
    ],
)
def test_a_wrong_question_is_told_what_is_wrong(
    native: Native, subject: str, body: dict[str, object], status: int, code: str
) -> None:
    answer = asked(native, subject, **body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_the_schema_of_consumers_is_generated(native: Native) -> None:
    generated = f"{NAMESPACE}/subjects/json/consumer-schema"
    stored = native.ok("GET", f"{NAMESPACE}/subjects/json/versions/1/consumer-schema")
    draft = native.ok("POST", generated, {"schema": json.dumps(CLOSED), "format": "JSON"})
    assert json.loads(stored["schema"]).get("additionalProperties", True) is True
    assert (stored["schema"], stored["version"]) == (draft["schema"], 1)
    assert stored["relaxed"] == []


def test_the_schema_of_consumers_needs_no_references(native: Native, api: Registry) -> None:
    api.registered("base", CLOSED, schemaType="JSON")
    reference = [{"name": "b.json", "subject": "base", "version": 1}]
    outer = {**CLOSED, "properties": {"o": {"$ref": "b.json"}}}
    api.registered("outer", outer, schemaType="JSON", references=reference)
    made = native.ok("GET", f"{NAMESPACE}/subjects/outer/versions/1/consumer-schema")
    schema = json.loads(made["schema"])
    assert schema["properties"] == {"o": {"$ref": "#/definitions/b.json"}}
    assert schema["definitions"] == {"b.json": {**CLOSED, "additionalProperties": True}}


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("avro/versions/latest", 422, "no_consumer_schema"),
        ("json/versions/7", 404, "version_not_found"),
        ("json/versions/x", 422, "invalid_version"),
        ("nothing/versions/1", 404, "subject_not_found"),
    ],
)
def test_where_there_is_no_schema_of_consumers(native: Native, path: str, status: int, code: str) -> None:
    answer = native.call("GET", f"{NAMESPACE}/subjects/{path}/consumer-schema")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_content_models_are_listed(native: Native) -> None:
    stored = native.ok("GET", f"{NAMESPACE}/subjects/json/versions/2/content-models")
    assert stored == {
        "subject": "json",
        "format": "JSON",
        "objects": [{"path": "/", "model": "closed"}],
        "left_out": 0,
        "counts": {"open": 0, "closed": 1, "partly open": 0},
        "version": 2,
    }
    asked = {"schema": json.dumps(OPEN), "format": "JSON"}
    draft = native.ok("POST", f"{NAMESPACE}/subjects/json/content-models", asked)
    assert draft["objects"] == [{"path": "/", "model": "open"}]
    avro = native.ok("GET", f"{NAMESPACE}/subjects/avro/versions/latest/content-models")
    assert (avro["format"], avro["objects"], avro["left_out"]) == ("AVRO", [], 0)


def test_who_may_not_read_the_subject_sees_no_places_in_it(
    native: Native, api_with: Callable[..., Registry]
) -> None:
    blind = Native(api_with("compat.check").token)
    told = can_read(blind, "avro", schema=json.dumps(record("a", "b")))
    assert [one["old"] for each in told["comparisons"] for one in each["findings"]] == [None]
