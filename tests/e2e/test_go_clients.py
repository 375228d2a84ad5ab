"""What two clients in Go do beyond the calls of every client: chunked bodies; contexts, modes, references."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from tests.e2e.clients.driver import ClientError
from tests.e2e.clients.names import far_id

if TYPE_CHECKING:
    from email.message import Message

    from tests.e2e.clients.driver import Driver
    from tests.e2e.clients.programs import Clients
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

AVRO = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
SCHEMA = {"schemaType": "AVRO", "schema": json.dumps(AVRO)}
# Far more than one chunk, and than what a server reads at once.
LONG = {**AVRO, "doc": "d" * 300_000}


@pytest.fixture
def franz(clients: Clients) -> Driver:
    return clients["franz-go"]


@pytest.fixture
def lensesio(clients: Clients) -> Driver:
    return clients["lensesio-go"]


class Listener(BaseHTTPRequestHandler):
    """Notes the headers of a call and refuses it."""

    heard: Message

    def do_POST(self) -> None:
        type(self).heard = self.headers
        self.send_response(404)
        self.end_headers()
        self.close_connection = True

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


def test_lensesio_sends_chunks_without_a_type(clients: Clients, topic: str) -> None:
    with HTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        client = clients.start("lensesio-go", f"http://127.0.0.1:{server.server_port}")
        with pytest.raises(ClientError):
            client.call("register", subject=topic, **SCHEMA)
        client.stop()
    assert Listener.heard["Transfer-Encoding"] == "chunked"
    assert Listener.heard["Content-Type"] is None
    assert Listener.heard["Content-Length"] is None


def test_a_long_body_in_chunks_arrives_whole(lensesio: Driver, topic: str) -> None:
    made = lensesio.call("register", subject=topic, schema=json.dumps(LONG))
    assert json.loads(lensesio.call("by_id", id=made)["schema"]) == LONG
    assert lensesio.call("lookup", subject=topic, schema=json.dumps(LONG)) == {"id": made, "version": 1}


def test_a_schema_that_is_not_registered_is_told_from_a_failure(lensesio: Driver, topic: str) -> None:
    lensesio.call("register", subject=topic, schema=json.dumps(LONG))
    assert lensesio.call("lookup", subject=topic, **SCHEMA) is None


def test_all_types_are_told(franz: Driver) -> None:
    assert set(franz.call("types")) == {"AVRO", "JSON", "PROTOBUF"}


def test_a_level_is_reset(franz: Driver, topic: str) -> None:
    franz.call("set_level", subject=topic, level="NONE")
    franz.call("reset_level", subject=topic)
    assert franz.call("level", subject=topic) == "BACKWARD"


def test_a_mode_is_set_read_and_reset(franz: Driver, topic: str) -> None:
    assert franz.call("set_mode", subject=topic, mode="READONLY") == "READONLY"
    assert franz.call("mode", subject=topic) == "READONLY"
    with pytest.raises(ClientError) as refused:
        franz.call("register", subject=topic, **SCHEMA)
    assert (refused.value.status, refused.value.code) == (422, 42205)
    assert franz.call("reset_mode", subject=topic) == "READONLY"
    assert franz.call("register", subject=topic, **SCHEMA)


def test_an_import_keeps_id_and_version(franz: Driver, topic: str) -> None:
    franz.call("set_mode", subject=topic, mode="IMPORT")
    schema = {**SCHEMA, "schema": json.dumps({**AVRO, "name": topic.replace("-", "_")})}
    made = franz.call("register_as", subject=topic, id=far_id(topic), version=7, **schema)
    assert made == far_id(topic)
    assert franz.call("versions", subject=topic) == [7]
    assert franz.call("latest", subject=topic)["id"] == made


def test_a_context_has_subjects_and_ids_of_its_own(franz: Driver, topic: str) -> None:
    context = f".{topic}"
    made = franz.call("register", subject="orders", context=context, **SCHEMA)
    assert made == 1
    assert context in franz.call("contexts")
    assert franz.call("subjects", context=context) == [f":{context}:orders"]
    assert json.loads(franz.call("by_id", id=1, context=context)["schema"]) == AVRO
    assert franz.call("versions", subject="orders", context=context) == [1]
    for permanent in (False, True):
        franz.call("delete", subject="orders", context=context, permanent=permanent)
    franz.call("delete_context", context=context)
    assert context not in franz.call("contexts")


def test_references_are_followed_both_ways(franz: Driver, topic: str) -> None:
    franz.call("register", subject=f"{topic}-inner", **SCHEMA)
    outer = {"type": "record", "name": "Box", "fields": [{"name": "order", "type": "Order"}]}
    references = [{"name": "Order", "subject": f"{topic}-inner", "version": 1}]
    text = json.dumps(outer)
    made = franz.call("register", subject=topic, schemaType="AVRO", schema=text, references=references)
    assert franz.call("version", subject=topic, version=1)["references"] == references
    assert [one["id"] for one in franz.call("referrers", subject=f"{topic}-inner", version=1)] == [made]
    assert [one["subject"] for one in franz.call("usages", id=made)] == [topic]
    assert json.loads(franz.call("text", subject=topic, version=1)) == outer


def test_a_schema_is_read_by_its_guid(franz: Driver, platform: Platform, topic: str) -> None:
    franz.call("register", subject=topic, **SCHEMA)
    headers = {"Confluent-Accept-Unknown-Properties": "true"}
    guid = platform.call("GET", f"/subjects/{topic}/versions/1", headers=headers).json()["guid"]
    assert json.loads(franz.call("by_guid", guid=guid)["schema"]) == AVRO


def test_the_wire_format_is_the_one_of_other_clients(franz: Driver) -> None:
    assert franz.call("decode", payload=franz.call("encode", id=513)) == 513
