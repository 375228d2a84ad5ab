"""Modules and Confluent's subjects share what they store, and each can be had as the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection

from accord.formats.protobuf.descriptors import FileDescriptorSet
from accord_server.kit import tenancy
from registry.services import exposing
from tests.registry.client import Registry
from tests.registry.descriptors.asking import GROWN, TEXTS, Shelf
from tests.registry.lives.asking import set_state
from tests.registry.policies.asking import Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

V1 = "/modules/shop/versions/1"
ORDERS_1 = "/subjects/orders-value/versions/1"
ORDERS = {"file": "order.proto", "subject": "orders-value"}


@pytest.fixture
def api(shelf: Shelf) -> Registry:
    """The registry of the same namespace."""
    return Registry(shelf.token)


def files(scope: Scope) -> int:
    with tenancy.tenant_context(scope.tenant.id), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM registry_protofile")
        return int(cursor.fetchone()[0])


def test_a_file_becomes_a_subject_after_what_it_imports(shelf: Shelf, api: Registry) -> None:
    shelf.push("shop", TEXTS)
    made = shelf.ok("POST", f"{V1}/subjects", ORDERS)["registered"]
    assert [(one["subject"], one["version"]) for one in made] == [("item.proto", 1), ("orders-value", 1)]
    schema = api.ok("GET", f"/schemas/ids/{made[1]['id']}")
    assert schema["references"] == [{"name": "item.proto", "subject": "item.proto", "version": 1}]
    assert shelf.ok("POST", f"{V1}/subjects", ORDERS)["registered"] == made
    shelf.push("shop", GROWN)
    later = shelf.ok("POST", "/modules/shop/versions/latest/subjects", ORDERS)["registered"]
    assert [one["version"] for one in later] == [1, 2]


def test_both_store_a_file_once(shelf: Shelf, scope: Scope) -> None:
    shelf.push("shop", TEXTS)
    assert files(scope) == 3
    shelf.ok("POST", f"{V1}/subjects", {"file": "item.proto", "subject": "item.proto"})
    # The schema itself has no path of its own.
    assert files(scope) == 4
    shelf.ok("POST", f"{V1}/subjects", ORDERS)
    assert files(scope) == 5


def test_a_version_of_a_subject_is_a_whole_set(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    shelf.ok("POST", f"{V1}/subjects", ORDERS)
    reply = shelf.get("/subjects/orders-value/versions/latest")
    made = FileDescriptorSet.FromString(reply.raw).file
    assert [one.name for one in made] == ["item.proto", "google/protobuf/timestamp.proto", "schema.proto"]
    again = shelf.get("/subjects/orders-value/versions/1", If_None_Match=reply.headers["ETag"])
    assert (again.status, again.raw) == (304, b"")
    small = shelf.get("/subjects/orders-value/versions/1?message=shop.Item")
    assert [one.name for one in FileDescriptorSet.FromString(small.raw).file] == ["item.proto"]
    assert shelf.get("/subjects/orders-value/versions/9").error == (404, "version_not_found")


def test_a_set_tells_nothing_of_what_may_not_be_read(shelf: Shelf, shelf_with: Callable[..., Shelf]) -> None:
    shelf.push("shop", TEXTS)
    shelf.ok("POST", f"{V1}/subjects", ORDERS)
    narrow = shelf_with("subject.read", subjects=("orders-value",))
    assert narrow.get("/subjects/orders-value/versions/1").error == (404, "version_not_found")
    both = shelf_with("subject.read", subjects=("orders-value", "item.proto"))
    assert both.get("/subjects/orders-value/versions/1").status == 200


def test_a_deprecated_version_is_served_with_a_warning(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    shelf.ok("POST", f"{V1}/subjects", ORDERS)
    before = shelf.get(ORDERS_1)
    assert "Deprecation" not in before.headers
    since = set_state(Native(shelf.token), 1, "deprecated", subject="orders-value")["since"]
    for answer in (shelf.get(ORDERS_1), shelf.get(ORDERS_1, If_None_Match=before.headers["ETag"])):
        assert answer.headers["Deprecation"].startswith("@")
        assert f"deprecated since {since[:10]}" in answer.headers["Warning"]
    assert answer.status == 304


def test_only_protobuf_has_descriptors(shelf: Shelf, api: Registry) -> None:
    api.register("avro", "int")
    assert shelf.get("/subjects/avro/versions/1").error == (404, "no_descriptors")


def test_what_cannot_be_a_subject_is_refused(shelf: Shelf, api: Registry) -> None:
    shelf.push("shop", TEXTS)
    assert shelf.call("POST", f"{V1}/subjects", {**ORDERS, "file": "x"}).error == (404, "not_in_set")
    assert shelf.call("POST", f"{V1}/subjects", {"file": "item.proto"}).error == (422, "invalid_upload")
    assert shelf.call("POST", f"{V1}/subjects", {**ORDERS, "subject": 1}).error == (422, "invalid_upload")
    api.mode("orders-value", "READONLY")
    assert shelf.call("POST", f"{V1}/subjects", ORDERS).error == (409, "read_only")


def test_a_subject_with_slashes(shelf: Shelf) -> None:
    shelf.push("shop", {"a/b/item.proto": TEXTS["item.proto"]})
    path = {"file": "a/b/item.proto", "subject": "a/b/item.proto"}
    shelf.ok("POST", f"{V1}/subjects", path)
    assert shelf.get("/subjects/a%2Fb%2Fitem.proto/versions/1").status == 200
    assert b"message Item" in shelf.get(f"{V1}/files/a/b/item.proto").raw


def test_one_call_makes_so_many_subjects_and_no_more(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.push("shop", TEXTS)
    monkeypatch.setattr(exposing, "MOST_EXPOSED", 1)
    refused = shelf.call("POST", f"{V1}/subjects", ORDERS)
    assert refused.error == (422, "invalid_upload")
    assert "order.proto imports 1 files" in refused.body["detail"]
    assert shelf.ok("POST", f"{V1}/subjects", {"file": "item.proto", "subject": "items"})["registered"]
