"""What the Confluent Java client does beyond the calls of every client, and Flink with it."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.clients.driver import ClientError
from tests.e2e.clients.names import far_id

if TYPE_CHECKING:
    from tests.e2e.clients.driver import Driver
    from tests.e2e.clients.programs import Clients

pytestmark = pytest.mark.e2e

AVRO = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
AVRO_2 = {**AVRO, "fields": [*AVRO["fields"], {"name": "note", "type": "string", "default": "-"}]}
AVRO_BAD = {**AVRO, "fields": [{"name": "id", "type": "string"}]}


@pytest.fixture
def client(clients: Clients) -> Driver:
    return clients["confluent-java"]


def avro(schema: object) -> dict[str, Any]:
    return {"schema": json.dumps(schema)}


def test_an_id_tells_its_subjects_and_versions(client: Driver, topic: str) -> None:
    own = avro({**AVRO, "name": topic.replace("-", "_")})
    made = client.call("register", subject=topic, **own)
    assert client.call("subjects_of_id", id=made) == [topic]
    assert client.call("versions_of_id", id=made) == [{"subject": topic, "version": 1}]
    assert client.call("by_subject_and_id", subject=topic, id=made) == own["schema"].replace(" ", "")
    assert client.call("lookup_id", subject=topic, **own) == made


def test_subjects_and_schemas_are_listed_by_prefix(client: Driver, topic: str) -> None:
    for end in ("-a", "-b"):
        client.call("register", subject=topic + end, **avro(AVRO))
    assert client.call("subjects_by_prefix", prefix=topic) == [f"{topic}-a", f"{topic}-b"]
    assert client.call("schemas", prefix=topic) == 2


def test_the_reasons_of_a_check_are_read(client: Driver, topic: str) -> None:
    client.call("register", subject=topic, **avro(AVRO))
    assert client.call("compatible_verbose", subject=topic, **avro(AVRO_2)) == []
    assert "TYPE_MISMATCH" in client.call("compatible_verbose", subject=topic, **avro(AVRO_BAD))[0]


def test_settings_are_written_read_and_removed(client: Driver, topic: str) -> None:
    config = {"compatibilityLevel": "FORWARD", "normalize": True}
    client.call("set_config", subject=topic, config=config)
    assert client.call("config", subject=topic)["compatibilityLevel"] == "FORWARD"
    assert client.call("config", subject=topic)["normalize"] is True
    client.call("reset_level", subject=topic)
    with pytest.raises(ClientError) as missing:
        client.call("level", subject=topic)
    assert (missing.value.status, missing.value.code) == (404, 40408)


def test_a_mode_is_set_read_and_removed(client: Driver, topic: str) -> None:
    assert client.call("set_mode", subject=topic, mode="READONLY") == "READONLY"
    assert client.call("mode", subject=topic) == "READONLY"
    with pytest.raises(ClientError) as refused:
        client.call("register", subject=topic, **avro(AVRO))
    assert (refused.value.status, refused.value.code) == (422, 42205)
    client.call("reset_mode", subject=topic)
    assert client.call("register", subject=topic, **avro(AVRO))


def test_an_import_keeps_id_and_version(client: Driver, topic: str) -> None:
    client.call("set_mode", subject=topic, mode="IMPORT", force=True)
    chosen = far_id(topic)
    own = avro({**AVRO, "name": topic.replace("-", "_")})
    assert client.call("register_as", subject=topic, id=chosen, version=7, **own) == chosen
    assert client.call("versions", subject=topic) == [7]


def test_a_subject_of_a_context_is_qualified(client: Driver, topic: str) -> None:
    subject = f":.{topic}:orders"
    assert client.call("register", subject=subject, **avro(AVRO)) == 1
    assert f".{topic}" in client.call("contexts")
    assert client.call("latest", subject=subject)["id"] == 1
    assert client.call("subjects_by_prefix", prefix=f":.{topic}:") == [subject]


def test_a_schema_refers_to_another(client: Driver, topic: str) -> None:
    client.call("register", subject=f"{topic}-inner", **avro(AVRO))
    references = [{"name": "Order", "subject": f"{topic}-inner", "version": 1}]
    outer = {"type": "record", "name": "Box", "fields": [{"name": "order", "type": "Order"}]}
    made = client.call("register", subject=topic, references=references, **avro(outer))
    assert client.call("latest", subject=topic)["references"] == references
    assert json.loads(client.call("by_id", id=made)["schema"])["name"] == "Box"


def test_a_version_is_found_by_its_metadata(client: Driver, topic: str) -> None:
    for schema, stage in ((AVRO, "live"), (AVRO_2, "draft")):
        metadata = {"properties": {"stage": stage}}
        client.call("register", subject=topic, metadata=metadata, **avro(schema))
    assert client.call("with_metadata", subject=topic, metadata={"stage": "live"})["version"] == 1


def test_the_normal_form_is_registered_once(client: Driver, topic: str) -> None:
    left, right = {"type": "string", "b": 1, "a": 2}, {"a": 2, "b": 1, "type": "string"}
    first = client.call("register_normalized", subject=f"{topic}-a", **avro(left))
    assert client.call("register_normalized", subject=f"{topic}-b", **avro(right)) == first


def test_flink_registers_what_it_writes_and_reads_it_back(client: Driver, topic: str) -> None:
    subject = f"{topic}-value"
    written = client.call("serialize", subject=subject, value={"id": 7}, **avro(AVRO))
    made = client.call("latest", subject=subject)["id"]
    assert int.from_bytes(base64.b64decode(written["payload"])[1:5]) == made
    assert client.call("deserialize", **written, **avro(AVRO_2)) == {"id": 7, "note": "-"}
