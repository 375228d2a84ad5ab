"""What products ask that speak to the registry themselves: NiFi, Kafka UI, Redpanda, ClickHouse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.e2e.replay import JSON, NEW, V1, Sender
from tests.registry.client import optional, record

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

ROW = {"schema": json.dumps(record("id", name="Row", namespace="db"))}
WIDER_ROW = {"schema": json.dumps(record("id", optional("note"), name="Row", namespace="db"))}
OTHER_ROW = {"schema": json.dumps(record("id", "note", name="Row", namespace="db"))}
NIFI = {"Accept": JSON, "User-Agent": "Jersey/3.1.10 (HttpUrlConnection 21.0.8)", "Connection": "keep-alive"}
KAFKA_UI = {"Accept": JSON, "User-Agent": "ReactorNetty/1.2.6"}
FRANZ = {"Accept": V1, "Content-Type": V1, "User-Agent": "franz-go", "Accept-Encoding": "gzip"}


@pytest.fixture
def own_row(topic: str) -> dict[str, str]:
    """A schema that no other test registers, so that its id has no other use."""
    return {"schema": json.dumps(record("id", name="Row", namespace="db", doc=topic))}


@pytest.fixture
def nifi(platform: Platform) -> Sender:
    """NiFi 2, whose reads and posts differ in one header."""
    return Sender.basic(platform, NIFI)


@pytest.fixture
def kafka_ui(platform: Platform) -> Sender:
    """Kafka UI, from its own description of the API."""
    return Sender.basic(platform, KAFKA_UI)


@pytest.fixture
def franz(platform: Platform) -> Sender:
    """The client for Go inside Redpanda's console and Connect."""
    return Sender.basic(platform, FRANZ)


def test_nifi_finds_name_and_version_of_an_id_in_three_calls(
    nifi: Sender, python: Sender, topic: str, own_row: dict[str, str]
) -> None:
    subject = f"{topic} with blank"
    number = python.post(f"/subjects/{topic}%20with%20blank/versions", own_row).value["id"]
    schema = nifi.get(f"/schemas/ids/{number}").value
    assert nifi.get(f"/schemas/ids/{number}/subjects").value == [subject]
    # The whole answer is what it posts.
    poster = nifi.with_headers(Content_Type=JSON)
    found = poster.post(f"/subjects/{topic}%20with%20blank", schema).value
    assert (found["subject"], found["version"], found["id"]) == (subject, 1, number)
    assert found["schema"] == schema["schema"]


def test_nifi_finds_the_newest_use_of_an_id_otherwise(
    nifi: Sender, python: Sender, topic: str, own_row: dict[str, str]
) -> None:
    number = python.post(f"/subjects/{topic}/versions", own_row).value["id"]
    assert nifi.get(f"/schemas/ids/{number}/versions").value == [{"subject": topic, "version": 1}]


def test_nifi_reads_by_name_and_version(nifi: Sender, python: Sender, topic: str) -> None:
    number = python.post(f"/subjects/{topic}/versions", ROW).value["id"]
    for version in ("latest", "1"):
        found = nifi.get(f"/subjects/{topic}/versions/{version}").value
        assert (found["subject"], found["version"], found["id"]) == (topic, 1, number)
        assert json.loads(found["schema"])["name"] == "Row"
    assert nifi.get(f"/subjects/{topic}-none/versions/latest").status == 404
    assert nifi.get("/schemas/ids/2000000000").status == 404


def test_nifi_is_told_the_type_with_a_header_it_can_be_given(
    nifi: Sender, python: Sender, topic: str
) -> None:
    number = python.post(f"/subjects/{topic}/versions", ROW).value["id"]
    told = nifi.with_headers(**NEW)
    assert told.get(f"/schemas/ids/{number}").value["schemaType"] == "AVRO"
    assert told.get(f"/subjects/{topic}/versions/latest").value["schemaType"] == "AVRO"


def test_kafka_ui_lists_and_reads(kafka_ui: Sender, python: Sender, topic: str) -> None:
    for subject in (f"{topic}-key", f"{topic}-value"):
        python.post(f"/subjects/{subject}/versions", ROW)
    assert kafka_ui.get(f"/subjects?subjectPrefix={topic}&deleted=false").value == [
        f"{topic}-key",
        f"{topic}-value",
    ]
    listed = kafka_ui.get("/subjects")
    assert listed.headers["Content-Type"] == JSON
    assert f"{topic}-key" in listed.value
    assert kafka_ui.get(f"/subjects/{topic}-value/versions").value == [1]
    for version in ("latest", "1"):
        found = kafka_ui.get(f"/subjects/{topic}-value/versions/{version}?deleted=false").value
        assert {"id", "subject", "version", "schema"} <= set(found)
    assert kafka_ui.get(f"/subjects/{topic}-value/versions/9?deleted=false").error == (404, 40402)
    assert kafka_ui.get(f"/subjects/{topic}-value/versions/x?deleted=false").error == (422, 42202)


def test_kafka_ui_tells_404_409_and_422_apart(kafka_ui: Sender, topic: str) -> None:
    poster = kafka_ui.with_headers(Content_Type=JSON)
    versions, kind = f"/subjects/{topic}/versions", {"schemaType": "AVRO", "references": []}
    assert poster.post(versions, {**ROW, **kind}).value["id"]
    assert poster.post(versions, {**OTHER_ROW, **kind}).error == (409, 40901)
    assert poster.post(versions, {"schema": "{}", **kind}).error == (422, 42201)
    check = f"/compatibility/subjects/{topic}/versions/latest?verbose=true"
    assert poster.post(check, {**WIDER_ROW, **kind}).value["is_compatible"] is True
    refused = poster.post(check, {**OTHER_ROW, **kind}).value
    assert refused["is_compatible"] is False
    assert refused["messages"]
    missing = f"/compatibility/subjects/{topic}/versions/9?verbose=true"
    assert poster.post(missing, {**ROW, **kind}).error == (404, 40402)


def test_kafka_ui_sets_levels_and_deletes(kafka_ui: Sender, topic: str) -> None:
    poster = kafka_ui.with_headers(Content_Type=JSON)
    poster.post(f"/subjects/{topic}/versions", {**ROW, "schemaType": "AVRO"})
    assert kafka_ui.get("/config").value["compatibilityLevel"] == "BACKWARD"
    inherited = kafka_ui.get(f"/config/{topic}?defaultToGlobal=true").value
    assert inherited["compatibilityLevel"] == "BACKWARD"
    assert poster.put(f"/config/{topic}", {"compatibility": "FULL"}).value == {"compatibility": "FULL"}
    assert kafka_ui.get(f"/config/{topic}?defaultToGlobal=true").value["compatibilityLevel"] == "FULL"
    assert kafka_ui.delete(f"/config/{topic}").status == 200
    assert kafka_ui.delete(f"/subjects/{topic}/versions/1?permanent=false").value == 1
    assert kafka_ui.delete(f"/subjects/{topic}?permanent=false").error == (404, 40404)
    assert kafka_ui.delete(f"/subjects/{topic}-none?permanent=false").error == (404, 40401)


def test_redpanda_registers_and_reads_every_use(franz: Sender, topic: str, own_row: dict[str, str]) -> None:
    assert set(franz.get("/schemas/types").value) == {"AVRO", "JSON", "PROTOBUF"}
    made = franz.post(f"/subjects/{topic}/versions?normalize=true", own_row).value["id"]
    uses = franz.get(f"/schemas/ids/{made}/versions").value
    assert uses == [{"subject": topic, "version": 1}]
    assert franz.get(f"/subjects/{topic}/versions/1").value["id"] == made
    assert franz.get(f"/subjects/{topic}/versions/latest?deleted=true").value["id"] == made
    assert franz.post(f"/subjects/{topic}?normalize=true", own_row).value["version"] == 1
    assert franz.get(f"/subjects/{topic}/versions/1/referencedby").value == []
    assert topic in franz.get("/subjects?deleted=true").value


def test_redpanda_sets_level_and_mode_with_the_parameters_of_reading(franz: Sender, topic: str) -> None:
    config, mode = f"/config/{topic}?defaultToGlobal=true", f"/mode/{topic}"
    assert franz.get(config).value["compatibilityLevel"] == "BACKWARD"
    assert franz.put(config, {"compatibility": "FULL"}).value == {"compatibility": "FULL"}
    assert franz.delete(config).value == {"compatibilityLevel": "FULL"}
    assert franz.get("/mode").value == {"mode": "READWRITE"}
    assert franz.get(f"{mode}?defaultToGlobal=true").value == {"mode": "READWRITE"}
    assert franz.put(f"{mode}?force=true", {"mode": "READONLY"}).value == {"mode": "READONLY"}
    assert franz.delete(mode).value == {"mode": "READONLY"}


def test_redpanda_checks_and_deletes(franz: Sender, platform: Platform, topic: str) -> None:
    franz.post(f"/subjects/{topic}/versions", ROW)
    for place in ("/latest", "/1", ""):
        checked = franz.post(f"/compatibility/subjects/{topic}/versions{place}?verbose=true", WIDER_ROW).value
        assert checked == {"is_compatible": True, "messages": []}
    assert franz.delete(f"/subjects/{topic}/versions/latest").value == 1
    bearer = Sender.bearer(platform, FRANZ)
    assert bearer.delete(f"/subjects/{topic}?permanent=true").value == [1]


def test_redpanda_lists_and_drops_contexts(franz: Sender, topic: str) -> None:
    franz.post(f"/subjects/%3A.{topic}%3Aorders/versions", ROW)
    assert f".{topic}" in franz.get("/contexts").value
    assert franz.delete(f"/contexts/.{topic}").error == (422, 42211)
    for how in ("", "?permanent=true"):
        assert franz.delete(f"/subjects/%3A.{topic}%3Aorders{how}").value == [1]
    assert franz.delete(f"/contexts/.{topic}").status == 204
    assert f".{topic}" not in franz.get("/contexts").value


def test_clickhouse_reads_by_id_and_names_no_type(plain: Sender, topic: str) -> None:
    number = plain.post(f"/subjects/{topic}/versions", ROW).value["id"]
    read = plain.get(f"/schemas/ids/{number}").value
    assert json.loads(read["schema"])["fields"][0]["name"] == "id"
