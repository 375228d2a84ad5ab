"""Protobuf through the interface that Confluent's clients know."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from accord.errors import CompilerUnavailable
from accord.formats.protobuf import service
from accord.formats.protobuf.client import CompilerClient
from tests.accord.protobuf_texts import COMPILER, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.registry.client import Answer, Registry

pytestmark = pytest.mark.django_db

ORDER = 'syntax = "proto3";\npackage demo;\n\nmessage Order {\n  int32 id = 1;\n}\n'
IMPORTING = 'syntax = "proto3"; import "order.proto"; message Basket { repeated demo.Order orders = 1; }'
REFERENCES = [{"name": "order.proto", "subject": "order", "version": 1}]


@pytest.fixture(autouse=True)
def _compiler() -> Iterator[None]:
    service.use(COMPILER)
    yield
    service.use(COMPILER)


def post(api: Registry, subject: str, text: str, **members: Any) -> Answer:
    body = {"schemaType": "PROTOBUF", "schema": text, **members}
    return api.call("POST", f"/subjects/{subject}/versions", body)


def test_a_text_is_stored_in_its_canonical_spelling(api: Registry) -> None:
    made = post(api, "order", "// an order\n" + ORDER.replace("\n", " ").replace("// an order ", ""))
    assert made.status == 200
    stored = api.ok("GET", f"/schemas/ids/{made.body['id']}")
    assert (stored["schemaType"], stored["schema"]) == ("PROTOBUF", ORDER)
    assert post(api, "order", ORDER).body["id"] == made.body["id"]


def test_a_descriptor_is_stored_as_text(api: Registry) -> None:
    (file,) = compiled({"order.proto": ORDER})
    made = post(api, "order", base64.b64encode(file.SerializeToString()).decode())
    assert api.ok("GET", f"/schemas/ids/{made.body['id']}")["schema"] == ORDER


def test_references_are_import_paths(api: Registry) -> None:
    post(api, "order", ORDER)
    made = post(api, "basket", IMPORTING, references=REFERENCES)
    assert made.status == 200
    found = api.call(
        "POST", "/subjects/basket", {"schemaType": "PROTOBUF", "schema": IMPORTING, "references": REFERENCES}
    )
    assert found.body["id"] == made.body["id"]
    missing = post(api, "lone", IMPORTING)
    assert missing.error == (422, 42201)
    assert 'Import "order.proto" was not found' in missing.body["message"]


def test_an_incompatible_change_is_refused_by_confluents_rules(api: Registry) -> None:
    post(api, "order", ORDER)
    assert post(api, "order", ORDER.replace("int32", "int64")).status == 200
    refused = post(api, "order", ORDER.replace("int32", "string"))
    assert refused.status == 409


def test_without_a_compiler_the_caller_may_come_again(api: Registry) -> None:
    service.use(CompilerClient("/nowhere/compiler"))
    answer = post(api, "order", ORDER)
    assert answer.status == 503
    assert answer.body["message"].startswith(CompilerUnavailable.template.partition(":")[0])
    assert api.ok("GET", "/subjects") == []
