"""Records through the client: schemas asked for once, references in them resolved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from accord.client import DecodedRecord, RegistryNotFound
from accord.codecs import NotAvro, UndecodableRecord, UnencodableValue
from accord.wire import VALUE_HEADER, EmptyFrame, encode_header

if TYPE_CHECKING:
    from accord.client import RegistryClient
    from tests.accord.client.stand_in import StandIn

GUID = UUID("095d71cf-1255-6b9d-5e33-0ad575b3df5d")
ADDRESS = {"type": "record", "name": "geo.Address", "fields": [{"name": "city", "type": "string"}]}
HOME = {"type": "record", "name": "Home", "fields": [{"name": "at", "type": "geo.Address"}]}
REFERENCE = {"name": "geo.Address", "subject": "address-value", "version": 1}
BERN = b"\x00\x00\x00\x00\x07\x08Bern"


@pytest.fixture(autouse=True)
def schemas(registry: StandIn) -> None:
    registry.answer("GET /schemas/ids/7", {"schema": json.dumps(HOME), "references": [REFERENCE]})
    version = {"subject": "address-value", "version": 1, "id": 6, "schema": json.dumps(ADDRESS)}
    registry.answer("GET /subjects/address-value/versions/1?deleted=true", version)
    registry.answer(f"GET /schemas/guids/{GUID}", {"schema": '"string"'})
    registry.answer("GET /schemas/ids/8", {"schema": "{}", "schemaType": "JSON"})


def test_a_record_is_read_with_the_schema_it_names(client: RegistryClient, registry: StandIn) -> None:
    assert [client.decode(BERN) for _ in range(3)] == [DecodedRecord(7, {"at": {"city": "Bern"}})] * 3
    assert len(registry.asked) == 2


def test_a_value_is_written_with_the_schema_asked_for(client: RegistryClient, registry: StandIn) -> None:
    assert [client.encode(7, {"at": {"city": "Bern"}}) for _ in range(3)] == [BERN] * 3
    assert len(registry.asked) == 2


def test_a_header_may_name_the_schema(client: RegistryClient) -> None:
    headers = [(VALUE_HEADER, encode_header(GUID))]
    assert client.decode(b"\x02a", headers) == DecodedRecord(GUID, "a")
    assert client.decode(b"\x02a", [("k", encode_header(GUID))], header_name="k").value == "a"
    assert client.decode(client.encode(GUID, "b")) == DecodedRecord(GUID, "b")


def test_what_is_wrong_keeps_its_name(client: RegistryClient) -> None:
    with pytest.raises(EmptyFrame):
        client.decode(b"")
    with pytest.raises(UndecodableRecord):
        client.decode(BERN[:-1])
    with pytest.raises(UnencodableValue):
        client.encode(7, {})
    with pytest.raises(RegistryNotFound):
        client.decode(b"\x00\x00\x00\x00\x09a")
    with pytest.raises(NotAvro):
        client.decode(b"\x00\x00\x00\x00\x08a")
