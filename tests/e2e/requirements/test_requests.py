"""R1 to R11: what clients send, and each form of it is understood."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from contextlib import closing
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import pytest
from confluent_kafka.schema_registry import Schema, SchemaRegistryClient
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto

from accord_server.dev.ports import free_port
from tests.e2e.replay import JSON, V1, Sender, V, begin, heard
from tests.registry.client import optional, record

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

RECORD = {"schema": json.dumps(record("id"))}
GROWN = {"schema": json.dumps(record("id", optional("note")))}
OTHER = {"schema": json.dumps(record("id", "count"))}
PATIENT_CLIENT_S = 5


def registered(sender: Sender, subject: str, body: object = RECORD) -> int:
    """Register and return the id."""
    answer = sender.post(f"/subjects/{quote(subject, safe='')}/versions", body)
    return int(answer.value["id"])


@pytest.mark.parametrize(
    ("yes", "no"), [("True", "False"), ("true", "false"), ("TRUE", "FALSE"), ("tRuE", "")]
)
def test_r01_flags_are_read_in_any_case(python: Sender, topic: str, yes: str, no: str) -> None:
    sorted_text = {"schema": '{"type":"string","a":2,"b":1}'}
    registered(python, topic, sorted_text)
    shuffled = {"schema": '{"b":1,"type":"string","a":2}'}
    look_up = f"/subjects/{topic}?normalize={yes}&deleted={no}"
    assert python.post(look_up, shuffled).value["version"] == 1
    checked = f"/compatibility/subjects/{topic}/versions/latest?normalize={no}&verbose={yes}"
    assert python.post(checked, RECORD).value["messages"]
    assert "messages" not in python.post(checked.replace(f"verbose={yes}", f"verbose={no}"), RECORD).value
    assert python.put(f"/mode/{topic}?force={no}", {"mode": "READWRITE"}).value == {"mode": "READWRITE"}
    assert python.get(f"/subjects/{topic}/versions?deleted={no}&deleted_only={yes}").value == []


@pytest.mark.parametrize(
    "path",
    [
        "/subjects",
        "/subjects/{subject}/versions",
        "/subjects/{subject}/versions/1/referencedby",
        "/schemas/ids/{id}/subjects",
        "/schemas/ids/{id}/versions",
        "/schemas",
        "/contexts",
    ],
)
def test_r02_lists_take_their_defaults_said_aloud(python: Sender, topic: str, path: str) -> None:
    place = path.format(subject=topic, id=registered(python, topic))
    whole = python.get(place).value
    assert python.get(f"{place}?offset=0&limit=-1").value == whole
    assert python.get(f"{place}?offset=0&&limit=-1&").value == whole
    assert python.get(f"{place}?&nobody=knows&offset=&limit=").value == whole


def test_r02_a_doubled_ampersand_does_no_harm(python: Sender, topic: str) -> None:
    body = {**RECORD, "metadata": {"properties": {"major": "1"}}}
    registered(python, topic, body)
    found = python.get(f"/subjects/{topic}/metadata?deleted=false&&key=major&value=1")
    assert found.value["version"] == 1


def test_r03_both_spellings_of_names_mean_the_same(python: Sender, topic: str) -> None:
    registered(python, f"{topic}-base")
    using = {
        "schema": json.dumps(record({"name": "r", "type": "R"}, name="U")),
        "references": [{"name": "R", "subject": f"{topic}-base", "version": 1}],
    }
    number = registered(python, topic, using)
    python.delete(f"/subjects/{topic}/versions/1")
    for name in ("deletedOnly", "deleted_only"):
        assert python.get(f"/subjects/{topic}/versions?{name}=true").value == [1]
        assert topic in python.get(f"/subjects?{name}=true&subjectPrefix={topic}").value
    for name in ("referenceFormat", "reference_format"):
        shown = python.get(f"/schemas/ids/{number}?{name}=qualified").value
        assert shown["references"][0]["subject"] == f"{topic}-base"


@pytest.mark.parametrize(
    ("path", "member"),
    [
        ("/schemas/ids/{id}?fetchMaxId=true&findTags=*", "maxId"),
        ("/subjects/{subject}/versions/1?findTags=*", "version"),
        ("/config/{subject}?defaultToGlobal=true", "compatibilityLevel"),
        ("/mode/{subject}?defaultToGlobal=true", "mode"),
    ],
)
def test_r03_parameters_of_single_reads_are_known(java: Sender, topic: str, path: str, member: str) -> None:
    assert member in java.get(path.format(subject=topic, id=registered(java, topic))).value


def test_r03_filters_of_the_list_of_schemas_are_known(java: Sender, topic: str) -> None:
    for body in (RECORD, GROWN):
        registered(java, topic, body)
    listed = f"/schemas?subjectPrefix={topic}&deleted=false"
    assert [one["version"] for one in java.get(f"{listed}&latestOnly=false").value] == [1, 2]
    assert [one["version"] for one in java.get(f"{listed}&latestOnly=true").value] == [2]
    assert java.get(f"{listed}&ruleType=CEL").value == []
    assert len(java.get(f"{listed}&aliases=true").value) == 2


def test_r03_prefix_force_and_recursive_are_known(java: Sender, topic: str) -> None:
    registered(java, f"{topic}-a")
    assert java.get(f"/subjects?subjectPrefix={topic}&deleted=false").value == [f"{topic}-a"]
    assert java.put(f"/mode/{topic}-a?force=true", {"mode": "IMPORT"}).value == {"mode": "IMPORT"}
    assert java.delete(f"/mode/{topic}-a?recursive=true").value == {"mode": "IMPORT"}


@pytest.mark.parametrize("slash", ["", "/"])
def test_r04_a_slash_at_the_end_is_answered_and_not_redirected(
    java: Sender, python: Sender, topic: str, slash: str
) -> None:
    registered(java, topic)
    checked = java.post(f"/compatibility/subjects/{topic}/versions{slash}?normalize=false", GROWN)
    assert checked.value["is_compatible"] is True
    assert python.get(f"/config{slash}").value["compatibilityLevel"] == "BACKWARD"
    assert java.post(f"/subjects/{topic}/versions{slash}", GROWN).value["version"] == 2
    assert java.get(f"/subjects/{topic}/versions{slash}").value == [1, 2]


@pytest.mark.parametrize(
    ("subject", "spellings"),
    [
        ("a/b", ["a%2Fb", "a%2fb"]),
        ("a b", ["a%20b"]),
        ("a+b", ["a+b", "a%2Bb"]),
        ("a:b@c!$&'()*,;=~", ["a:b@c!$&'()*,;=~", "a%3Ab%40c%21%24%26%27%28%29%2A%2C%3B%3D~"]),
        ("a%2Fb", ["a%252Fb"]),
        ("größe", ["gr%C3%B6%C3%9Fe", "gr%c3%b6%c3%9fe"]),
        ("😀", ["%F0%9F%98%80"]),
    ],
)
def test_r05_a_subject_is_one_name_however_it_is_written(
    python: Sender, topic: str, subject: str, spellings: list[str]
) -> None:
    number = registered(python, f"{topic}{subject}")
    for spelling in spellings:
        read = python.get(f"/subjects/{topic}{spelling}/versions/latest").value
        assert (read["subject"], read["id"]) == (f"{topic}{subject}", number)
        assert python.post(f"/subjects/{topic}{spelling}", RECORD).value["id"] == number


def test_r05_the_name_of_the_default_context_is_the_bare_name(python: Sender, topic: str) -> None:
    number = registered(python, topic)
    for spelling in (f":.:{topic}", f"%3A.%3A{topic}"):
        read = python.get(f"/subjects/{spelling}/versions/1").value
        assert (read["subject"], read["id"]) == (topic, number)


def test_r05_a_context_is_part_of_the_name(python: Sender, topic: str) -> None:
    context = f".{topic}"
    made = registered(python, f":{context}:orders")
    for path in (
        f"/subjects/:{context}:orders",
        f"/subjects/%3A{context}%3Aorders",
        f"/contexts/{context}/subjects/orders",
    ):
        read = python.get(f"{path}/versions/latest").value
        assert (read["subject"], read["id"]) == (f":{context}:orders", made)


def test_r05_a_plus_is_a_plus_and_no_space(python: Sender, topic: str) -> None:
    registered(python, f"{topic} x")
    assert python.get(f"/subjects/{topic}+x/versions/latest").error == (404, 40401)


@pytest.mark.parametrize(
    ("kind", "accept"),
    [
        (V1, None),
        (V, "*/*"),
        (JSON, "application/json, text/plain, */*"),
        ("application/octet-stream", "*/*"),
        (f"{JSON}; charset=utf-8", None),
        (None, None),
    ],
)
def test_r06_types_of_bodies_and_answers(
    plain: Sender, topic: str, kind: str | None, accept: str | None
) -> None:
    sender = plain.with_headers(Content_Type=kind, Accept=accept)
    assert sender.post(f"/subjects/{topic}/versions", RECORD).value["id"]
    assert sender.post(f"/subjects/{topic}", RECORD).value["version"] == 1
    read = sender.get(f"/subjects/{topic}/versions/latest")
    assert (read.status, read.headers["Content-Type"]) == (200, V1)


def test_r07_a_body_may_come_in_chunks_and_untyped(plain: Sender, topic: str) -> None:
    text = json.dumps(RECORD).encode()
    chunks = [text[:7], text[7:8], text[8:]]
    made = plain.send_chunks("POST", f"/subjects/{topic}/versions", chunks)
    assert made.value["version"] == 1
    assert plain.send_chunks("POST", f"/subjects/{topic}", chunks).value["id"] == made.value["id"]


def test_r07_who_waits_to_be_told_is_told_to_go_on(plain: Sender, topic: str) -> None:
    text = json.dumps(RECORD).encode()
    headers = {**plain.headers, "Content-Length": str(len(text)), "Expect": "100-continue"}
    target = f"{urlsplit(plain.base).path}/subjects/{topic}/versions"
    with closing(plain.connect()) as connection:
        begin(connection, "POST", target, headers)
        connection.endheaders()
        connection.sock.settimeout(PATIENT_CLIENT_S)
        # Clients that hear nothing go on by themselves after a while; here it is said, or nothing is.
        first = connection.sock.recv(len(b"HTTP/1.1 100 Continue\r\n\r\n"))
        assert first == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.send(text)
        assert heard(connection.getresponse()).value["version"] == 1


def test_r07_one_connection_serves_many_calls(python: Sender, topic: str) -> None:
    registered(python, topic)
    with closing(python.connect()) as connection:
        local = None
        for path in (f"/subjects/{topic}/versions", "/nowhere", f"/subjects/{topic}-none", "/subjects"):
            begin(connection, "GET", urlsplit(python.base).path + path, python.headers)
            connection.endheaders()
            heard(connection.getresponse())
            local = local or connection.sock.getsockname()
            assert connection.sock.getsockname() == local


@pytest.mark.parametrize("path", ["/subjects", "/subjects/{}/versions/latest", "/subjects/{}-none/versions"])
def test_r07_head_is_a_read_without_its_body(python: Sender, topic: str, path: str) -> None:
    registered(python, topic)
    read, head = (python.send(method, path.format(topic)) for method in ("GET", "HEAD"))
    assert (head.status, head.raw) == (read.status, b"")
    assert head.headers["Content-Type"] == read.headers["Content-Type"]


def test_r08_members_nobody_needs_are_no_mistake(java: Sender, topic: str) -> None:
    body: dict[str, Any] = {
        **RECORD,
        "version": None,
        "id": -1,
        "metadata": None,
        "ruleSet": None,
        "schemaTags": [],
        "schemaTagsToAdd": [],
        "propagateSchemaTags": False,
        "somethingNew": {"deep": [1, None]},
    }
    assert java.post(f"/subjects/{topic}/versions", body).value["version"] == 1
    assert java.post(f"/subjects/{topic}", body).value["version"] == 1
    checked = java.post(f"/compatibility/subjects/{topic}/versions/latest", body)
    assert checked.value["is_compatible"] is True
    assert java.put(f"/config/{topic}", {"compatibility": "FULL", "somethingNew": 1}).status == 200


def test_r09_a_descriptor_goes_in_and_comes_out(python: Sender, topic: str) -> None:
    name = topic.replace("-", "_")
    field = FieldDescriptorProto(
        name="id",
        number=1,
        type=FieldDescriptorProto.TYPE_INT32,
        label=FieldDescriptorProto.LABEL_OPTIONAL,
        json_name="id",
    )
    message = DescriptorProto(name="Order", field=[field])
    file = FileDescriptorProto(name="order.proto", package=name, syntax="proto3", message_type=[message])
    sent = b64encode(file.SerializeToString()).decode()
    number = registered(python, topic, {"schema": sent, "schemaType": "PROTOBUF"})
    text = python.get(f"/schemas/ids/{number}").value
    assert text["schema"].startswith('syntax = "proto3";')
    back = python.get(f"/schemas/ids/{number}?format=serialized").value["schema"]
    shown = FileDescriptorProto.FromString(b64decode(back))
    assert [one.name for one in shown.message_type] == ["Order"]
    same = {"schema": back, "schemaType": "PROTOBUF"}
    assert python.post(f"/subjects/{topic}?normalize=False&deleted=False", same).value["id"] == number


@pytest.mark.parametrize("user", ["api-key", "OAuth"])
def test_r10_basic_credentials_say_which_tenant(plain: Sender, platform: Platform, user: str) -> None:
    pair = b64encode(f"{user}:{platform.token}".encode()).decode()
    assert plain.with_headers(Authorization=f"Basic {pair}").get("/subjects").status == 200


def test_r10_a_token_may_come_with_cluster_pool_and_forward(platform: Platform, topic: str) -> None:
    sender = Sender.bearer(platform, {}).with_headers(
        target_sr_cluster="lsrc-1", Confluent_Identity_Pool_Id="pool-1", X_Forward="true"
    )
    registered(sender, topic)
    assert sender.get(f"/subjects/{topic}/versions").value == [1]


def test_r11_where_nobody_answers_the_next_address_is_asked(platform: Platform, topic: str) -> None:
    """The order of addresses is the client's own, so it is the real one."""
    settings: dict[str, Any] = platform.client_settings()
    settings["url"] = f"http://127.0.0.1:{free_port()},{platform.registry_url}"
    with SchemaRegistryClient({**settings, "max.retries": 0}) as client:
        number = client.register_schema(topic, Schema(RECORD["schema"], "AVRO"))
        assert client.get_schema(number, subject_name=topic).schema_type in (None, "AVRO")
