"""R12 to R20: what clients are answered, so that each of them understands it. R21 is a matter of cost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.e2e.replay import JAVA, NEW, OLD_JAVA, V1, Sender
from tests.registry.client import optional, record

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

RECORD = {"schema": json.dumps(record("id"))}
GROWN = {"schema": json.dumps(record("id", optional("note")))}
UNREADABLE = {"schema": json.dumps(record("id", "count"))}
OPEN_OBJECT = {"schema": '{"type":"object","properties":{"a":{"type":"string"}}}', "schemaType": "JSON"}
MESSAGE = {"schema": 'syntax = "proto3"; message M { int32 a = 1; }', "schemaType": "PROTOBUF"}
# What the strictest of the old clients knows of an answer; anything else ends it.
OLD_MEMBERS = frozenset(
    {"subject", "version", "id", "schemaType", "references", "metadata", "ruleSet", "schema"}
)
# What clients send again after a while; for what stays as it is, that is a storm.
SENT_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
LARGE = b'{"schema":"' + b"x" * (6 << 20) + b'"}'


@pytest.mark.parametrize(
    ("method", "path", "body", "error"),
    [
        ("GET", "/nowhere", None, (404, 404)),
        ("GET", "/schemas/nowhere", None, (404, 404)),
        ("PUT", "/subjects", {}, (405, 405)),
        ("DELETE", "/schemas/types", None, (405, 405)),
        ("PATCH", "/config", {}, (405, 405)),
        ("POST", "/subjects/{}/versions", b"{", (400, 400)),
        ("POST", "/subjects/{}/versions", b"", (422, 422)),
        ("POST", "/subjects/{}/versions", LARGE, (413, 413)),
        ("GET", "/subjects/{}/versions", None, (404, 40401)),
        ("GET", "/subjects/{}-there/versions/9", None, (404, 40402)),
        ("GET", "/schemas/ids/2000000000", None, (404, 40403)),
        ("GET", "/config/{}", None, (404, 40408)),
        ("GET", "/mode/{}", None, (404, 40409)),
        ("POST", "/subjects/{}-there/versions", UNREADABLE, (409, 40901)),
        ("POST", "/subjects/{}/versions", {"schema": "{"}, (422, 42201)),
        ("GET", "/subjects/{}-there/versions/0", None, (422, 42202)),
    ],
)
def test_r12_a_refusal_is_json_with_a_code(
    java: Sender, topic: str, method: str, path: str, body: object, error: tuple[int, int]
) -> None:
    java.post(f"/subjects/{topic}-there/versions", RECORD)
    refused = java.send(method, path.format(topic), body)
    assert refused.error == error
    assert refused.headers["Content-Type"] == V1


@pytest.mark.parametrize("given", [None, "Basic !", "Bearer nonsense", "Digest x"])
def test_r12_who_is_nobody_is_told_so_in_json(plain: Sender, given: str | None) -> None:
    for path in ("/subjects", "/schemas/ids/1", "/nowhere"):
        refused = plain.with_headers(Authorization=given).get(path)
        assert refused.error == (401, 401)
        assert refused.headers["Content-Type"] == V1
        assert "Basic" in refused.headers["Www-Authenticate"]


@pytest.mark.parametrize("place", ["demo/nowhere", "nobody/default"])
def test_r12_a_place_that_is_not_there_says_so_in_json(platform: Platform, place: str) -> None:
    sender = Sender.basic(platform.elsewhere(place), JAVA)
    assert sender.get("/subjects").error == (404, 404)
    assert sender.post("/subjects/s/versions", RECORD).error == (404, 404)


def test_r13_what_cannot_succeed_later_is_not_to_be_sent_again(java: Sender, topic: str) -> None:
    java.post(f"/subjects/{topic}/versions", RECORD)
    java.put(f"/mode/{topic}", {"mode": "READONLY"})
    dangling = {**RECORD, "references": [{"name": "a", "subject": f"{topic}-none", "version": 1}]}
    refusals = (
        java.post(f"/subjects/{topic}/versions", GROWN),
        java.post(f"/subjects/{topic}-x/versions", dangling),
        java.post(f"/subjects/{topic}-x/versions", {"schema": "[" * 100_000}),
        java.post(f"/subjects/{topic}-x/versions", {**RECORD, "schemaType": "THRIFT"}),
        java.post(f"/subjects/{topic}-x/versions", {**MESSAGE, "schema": "message {"}),
        java.get("/subjects?offset=-1&limit=99999999999"),
        java.get("/schemas/ids/99999999999/schema"),
        java.delete(f"/subjects/{topic}-none?permanent=true"),
    )
    assert [one.status for one in refusals if one.status in SENT_AGAIN] == []
    assert {400 <= one.status < 500 for one in refusals} == {True}


@pytest.mark.parametrize("kind", ["value", "key"])
def test_r14_no_topic_is_bound_to_a_subject_by_name(python: Sender, topic: str, kind: str) -> None:
    asked = f"resourceType=topic&associationType={kind}&offset=0&limit=-1"
    assert python.get(f"/associations/resources/-/{topic}?{asked}").error[0] == 404
    assert python.get(f"/associations/resources/lkc-1/{topic}?{asked}").error[0] == 404


def test_r15_old_clients_meet_no_member_they_do_not_know(platform: Platform, topic: str) -> None:
    old = Sender.basic(platform, OLD_JAVA)
    made = old.post(f"/subjects/{topic}/versions", RECORD).value
    assert made["id"] > 0
    answers = (
        made,
        old.post(f"/subjects/{topic}", RECORD).value,
        old.get(f"/subjects/{topic}/versions/latest").value,
        old.get(f"/schemas/ids/{made['id']}").value,
    )
    assert [set(one) - OLD_MEMBERS for one in answers] == [set()] * len(answers)


def test_r15_new_clients_are_told_more(platform: Platform, topic: str) -> None:
    old, new = (Sender.basic(platform, headers) for headers in (OLD_JAVA, {**OLD_JAVA, **NEW}))
    old.post(f"/subjects/{topic}/versions", RECORD)
    for path in (f"/subjects/{topic}/versions", f"/subjects/{topic}"):
        assert set(new.post(path, RECORD).value) - set(old.post(path, RECORD).value) >= {"guid"}


@pytest.mark.parametrize(("body", "kind"), [(RECORD, None), (OPEN_OBJECT, "JSON"), (MESSAGE, "PROTOBUF")])
def test_r16_the_type_of_avro_is_said_to_those_who_take_it(
    platform: Platform, topic: str, body: object, kind: str | None
) -> None:
    old, new = (Sender.basic(platform, headers) for headers in (OLD_JAVA, JAVA))
    number = old.post(f"/subjects/{topic}/versions", body).value["id"]
    for path in (f"/subjects/{topic}/versions/1", f"/schemas/ids/{number}"):
        assert old.get(path).value.get("schemaType") == kind
        assert new.get(path).value["schemaType"] == (kind or "AVRO")


def test_r17_what_is_registered_is_the_latest_at_once_and_everywhere(java: Sender, topic: str) -> None:
    """Each call takes a connection of its own, which any of the web processes may get."""
    for number in range(1, 9):
        fields = ["id", *(optional(f"f{one}") for one in range(number))]
        made = java.post(f"/subjects/{topic}/versions", {"schema": json.dumps(record(*fields))}).value
        seen = [java.get(f"/subjects/{topic}/versions/latest").value for _ in range(3)]
        assert {(one["id"], one["version"]) for one in seen} == {(made["id"], number)}


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"record","name":"R","fields":[{"type":"int","name":"a","zebra":1,"ant":2}],"doc":"d"}',
        '{"name":"R","type":"record","namespace":"n","fields":[{"name":"a","type":"int","default":7}]}',
    ],
)
def test_r18_members_keep_their_order_and_equal_texts_are_found(java: Sender, topic: str, text: str) -> None:
    made = java.post(f"/subjects/{topic}/versions", {"schema": text}).value
    stored = java.get(f"/schemas/ids/{made['id']}").value["schema"]
    assert json.loads(stored) == json.loads(text)
    assert [name for name in json.loads(stored) if name in ("doc", "name", "type")] != []
    spaced = json.dumps(json.loads(stored), indent=2)
    assert (
        java.post(f"/subjects/{topic}?normalize=false&deleted=false", {"schema": spaced}).value["version"]
        == 1
    )


@pytest.mark.parametrize("pair", [('"string"', '{"type":"string"}'), ('{"type":"long"}', '"long"')])
def test_r18_a_primitive_is_found_in_either_form(java: Sender, topic: str, pair: tuple[str, str]) -> None:
    one, other = pair
    made = java.post(f"/subjects/{topic}/versions", {"schema": one}).value
    assert java.post(f"/subjects/{topic}", {"schema": other}).value["id"] == made["id"]
    assert java.post(f"/subjects/{topic}/versions", {"schema": other}).value["version"] == 1


def test_r19_an_unset_config_is_missing_and_its_member_has_two_names(java: Sender, topic: str) -> None:
    assert java.get(f"/config/{topic}").error == (404, 40408)
    assert java.get(f"/config/{topic}?defaultToGlobal=false").error == (404, 40408)
    assert java.get(f"/config/{topic}?defaultToGlobal=true").value["compatibilityLevel"] == "BACKWARD"
    assert java.put(f"/config/{topic}", {"compatibility": "FULL"}).value == {"compatibility": "FULL"}
    assert java.get(f"/config/{topic}").value == {"compatibilityLevel": "FULL"}
    assert java.delete(f"/config/{topic}").value == {"compatibilityLevel": "FULL"}
    assert java.get(f"/config/{topic}").error == (404, 40408)


def test_r20_deletions_answer_numbers(python: Sender, topic: str) -> None:
    for body in (RECORD, GROWN):
        python.post(f"/subjects/{topic}/versions", body)
    assert python.delete(f"/subjects/{topic}/versions/1").value == 1
    assert python.delete(f"/subjects/{topic}/versions/1?permanent=true").value == 1
    assert python.delete(f"/subjects/{topic}").value == [2]
    assert python.delete(f"/subjects/{topic}?permanent=true").value == [2]


def test_r20_for_good_comes_after_the_first_deletion(python: Sender, topic: str) -> None:
    python.post(f"/subjects/{topic}/versions", RECORD)
    assert python.delete(f"/subjects/{topic}/versions/latest?permanent=true").error == (404, 40407)
    assert python.delete(f"/subjects/{topic}?permanent=true").error == (404, 40405)
    assert python.get(f"/subjects/{topic}/versions").value == [1]
