"""What other products ask through Confluent's client for Java, request by request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.replay import OLD_JAVA, Sender
from tests.registry.client import optional, record

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

ROW = {"schema": json.dumps(record("id", name="Row", namespace="db"))}
WIDER_ROW = {"schema": json.dumps(record("id", optional("note"), name="Row", namespace="db"))}
OTHER_ROW = {"schema": json.dumps(record("id", "count", name="Row", namespace="db"))}


@pytest.fixture
def old_java(platform: Platform) -> Sender:
    """The client as products of some years carry it."""
    return Sender.basic(platform, OLD_JAVA)


def register(java: Sender, subject: str, body: object = ROW) -> int:
    """Register as a serializer does that makes its own schemas known."""
    return int(java.post(f"/subjects/{subject}/versions?normalize=false", body).value["id"])


def test_flink_registers_as_it_writes_and_reads_by_id(old_java: Sender, topic: str) -> None:
    number = register(old_java, f"{topic}-value")
    read = old_java.get(f"/schemas/ids/{number}?fetchMaxId=false").value
    assert json.loads(read["schema"]) == json.loads(ROW["schema"])
    assert old_java.get("/schemas/ids/2000000000?fetchMaxId=false").error == (404, 40403)


def test_abris_finds_its_schemas_by_name_version_and_id(old_java: Sender, topic: str) -> None:
    number = register(old_java, f"{topic}-value")
    for version in ("latest", "1"):
        found = old_java.get(f"/subjects/{topic}-value/versions/{version}").value
        assert (found["id"], found["version"]) == (number, 1)
    assert old_java.get(f"/schemas/ids/{number}?fetchMaxId=false").status == 200
    assert old_java.get(f"/subjects/{topic}-key/versions/latest").error == (404, 40401)


def test_druid_reads_by_id_with_headers_of_its_own(platform: Platform, old_java: Sender, topic: str) -> None:
    number = register(old_java, topic)
    extra = {"X-Druid-Ingestion": "orders", "X-Forwarded-Prefix": "/sr", "Cookie": "sticky=1"}
    druid = Sender.basic(platform, {**OLD_JAVA, **extra})
    assert druid.get(f"/schemas/ids/{number}?fetchMaxId=false").value["schema"]
    assert druid.get(f"/schemas/ids/{number}?fetchMaxId=false&subject={topic}").value["schema"]


def test_pinot_reads_by_id(old_java: Sender, topic: str) -> None:
    number = register(old_java, f"{topic}-value")
    read = old_java.get(f"/schemas/ids/{number}?fetchMaxId=false&subject={topic}-value").value
    assert json.loads(read["schema"])["name"] == "Row"


def test_connect_registers_looks_up_and_reads(java: Sender, topic: str) -> None:
    subject = f"{topic}-value"
    number = register(java, subject)
    assert register(java, subject) == number
    for deleted in ("false", "true"):
        found = java.post(f"/subjects/{subject}?normalize=false&deleted={deleted}", ROW).value
        assert (found["version"], found["id"]) == (1, number)
    assert java.get(f"/schemas/ids/{number}?fetchMaxId=false&subject={subject}").value["version"] == 1
    assert java.get(f"/subjects/{subject}/versions/latest").value["id"] == number
    refused = java.post(f"/subjects/{subject}/versions?normalize=false", OTHER_ROW)
    assert refused.error == (409, 40901)


def test_ksqldb_reads_checks_registers_and_deletes(java: Sender, topic: str) -> None:
    subject = f"{topic}-value"
    assert java.get(f"/subjects/{subject}/versions/latest").error == (404, 40401)
    assert java.post(f"/compatibility/subjects/{subject}/versions/latest?normalize=false", ROW).value == {
        "is_compatible": True
    }
    number = register(java, subject)
    latest = java.get(f"/subjects/{subject}/versions/latest").value
    assert (latest["id"], latest["subject"]) == (number, subject)
    assert subject in java.get("/subjects?deleted=false").value
    assert java.get("/config").value["compatibilityLevel"] == "BACKWARD"
    assert java.delete(f"/subjects/{subject}?permanent=false").value == [1]
    assert java.delete(f"/subjects/{subject}?permanent=true").value == [1]
    assert java.delete(f"/subjects/{subject}?permanent=false").error == (404, 40401)


def test_connect_finds_a_schema_by_its_guid(java: Sender, topic: str) -> None:
    made = java.post(f"/subjects/{topic}-value/versions?normalize=false", ROW).value
    found = java.get(f"/schemas/guids/{made['guid']}").value
    assert (found["guid"], json.loads(found["schema"])) == (made["guid"], json.loads(ROW["schema"]))
    assert {"context": ".", "id": made["id"]} in java.get(f"/schemas/guids/{made['guid']}/ids").value


def test_java_clients_ask_whom_they_talk_to(java: Sender) -> None:
    assert "scope" in java.get("/v1/metadata/id").value
    assert java.get("/v1/metadata/version").value["version"]
    assert set(java.get("/schemas/types").value) == {"AVRO", "JSON", "PROTOBUF"}
    assert "." in java.get("/contexts").value


def akhq_config(java: Sender, subject: str) -> str:
    """Read the level of a subject, and the one of all where it has none."""
    own = java.get(f"/config/{subject}?defaultToGlobal=false")
    found = java.get("/config") if own.status == 404 else own
    return str(found.value["compatibilityLevel"])


def test_akhq_lists_each_subject_with_its_latest_version_and_level(old_java: Sender, topic: str) -> None:
    subjects = [f"{topic}-{one}" for one in "ab"]
    for subject in subjects:
        register(old_java, subject)
    listed = old_java.get("/subjects?deleted=false").value
    mine = [one for one in listed if one.startswith(topic)]
    assert mine == subjects
    for subject in mine:
        assert old_java.get(f"/subjects/{subject}/versions/latest").value["subject"] == subject
        assert akhq_config(old_java, subject) == "BACKWARD"


def test_akhq_registers_and_reads_what_it_registered(old_java: Sender, topic: str) -> None:
    missing = old_java.get(f"/subjects/{topic}/versions/latest")
    assert missing.body["error_code"] == 40401
    for body in (ROW, WIDER_ROW):
        made = old_java.post(f"/subjects/{topic}/versions", body).value["id"]
        assert old_java.get(f"/subjects/{topic}/versions/latest").value["id"] == made
    assert old_java.get(f"/subjects/{topic}/versions").value == [1, 2]
    checked = old_java.post(f"/compatibility/subjects/{topic}/versions/latest?verbose=true", OTHER_ROW).value
    assert checked["is_compatible"] is False
    assert checked["messages"]
    assert old_java.put(f"/config/{topic}", {"compatibility": "NONE"}).value == {"compatibility": "NONE"}
    assert akhq_config(old_java, topic) == "NONE"
    assert old_java.delete(f"/subjects/{topic}/versions/2").value == 2
    assert old_java.delete(f"/subjects/{topic}").value == [1]


def row(*columns: str, closed: bool) -> dict[str, Any]:
    """Make what Connect's JSON converter makes of a row: a struct with a place for each column."""
    properties: dict[str, Any] = {"id": {"type": "integer", "connect.index": 0, "connect.type": "int32"}}
    for place, name in enumerate(columns, 1):
        properties[name] = {"connect.index": place, "oneOf": [{"type": "null"}, {"type": "string"}]}
    made: dict[str, Any] = {"type": "object", "title": "db.customers.Value", "properties": properties}
    return made | ({"additionalProperties": False} if closed else {})


def change(*columns: str, closed: bool) -> dict[str, str]:
    """Make the request with which a connector of Debezium registers its changes of a row."""
    state = {"oneOf": [{"type": "null"}, row(*columns, closed=closed)]}
    made: dict[str, Any] = {
        "type": "object",
        "title": "db.customers.Envelope",
        "connect.version": 2,
        "properties": {
            "before": {"connect.index": 0, **state},
            "after": {"connect.index": 1, **state},
            "op": {"type": "string", "connect.index": 2},
            "ts_ms": {
                "connect.index": 3,
                "oneOf": [{"type": "null"}, {"type": "integer", "connect.type": "int64"}],
            },
        },
    }
    made |= {"additionalProperties": False} if closed else {}
    return {"schemaType": "JSON", "schema": json.dumps(made)}


def keyed(*columns: str, closed: bool) -> dict[str, str]:
    """Make the request for a row that is no change, as of a source without an envelope."""
    return {"schemaType": "JSON", "schema": json.dumps(row(*columns, closed=closed))}


@pytest.mark.parametrize("shape", [keyed, change], ids=["row", "envelope"])
def test_connect_json_rows_of_closed_content_grow_and_do_not_shrink(
    java: Sender, topic: str, shape: Any
) -> None:
    """``object.additional.properties=false`` is what lets a table have a new column."""
    register(java, topic, shape("email", closed=True))
    number = register(java, topic, shape("email", "phone", closed=True))
    assert java.get(f"/subjects/{topic}/versions/latest").value["id"] == number
    assert java.get(f"/schemas/ids/{number}?fetchMaxId=false").value["schemaType"] == "JSON"
    narrower = java.post(f"/subjects/{topic}/versions?normalize=false", shape("phone", closed=True))
    assert narrower.error == (409, 40901)


@pytest.mark.parametrize("shape", [keyed, change], ids=["row", "envelope"])
def test_connect_json_rows_of_open_content_shrink_and_do_not_grow(
    java: Sender, topic: str, shape: Any
) -> None:
    """What the converter makes by default."""
    register(java, topic, shape("email", "phone", closed=False))
    register(java, topic, shape("email", closed=False))
    grown = java.post(f"/subjects/{topic}/versions?normalize=false", shape("email", "fax", closed=False))
    assert grown.error == (409, 40901)


def test_connect_json_rows_tell_why_they_may_not_grow(java: Sender, topic: str) -> None:
    register(java, topic, keyed("email", closed=False))
    grown = java.post(f"/subjects/{topic}/versions?normalize=false", keyed("email", "fax", closed=False))
    assert "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL" in grown.body["message"]
    register(java, f"{topic}-closed", keyed("email", closed=True))
    shrunk = java.post(f"/subjects/{topic}-closed/versions", keyed(closed=True))
    assert "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL" in shrunk.body["message"]
