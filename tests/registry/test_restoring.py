"""Bringing back what was soft-deleted, over the native API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.registry.client import Registry, optional, record
from tests.registry.policies.asking import NAMESPACE, Native

pytestmark = pytest.mark.django_db

ONE, TWO, THREE = record("a"), record("a", optional("b")), record("a", optional("b"), optional("c"))


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice."""
    return Native(api.token)


def restore(native: Native, version: int | None = None, subject: str = "s") -> tuple[int, Any]:
    """Bring back a version, or the whole subject: the status, and the versions or the code of the error."""
    answer = native.call("POST", f"{NAMESPACE}/subjects/{subject}/restore", {"version": version})
    return answer.status_code, answer.json().get("versions", answer.json().get("code"))


def test_a_version_comes_back_with_its_number_and_id(api: Registry, native: Native) -> None:
    api.registered("s", ONE)
    number = api.registered("s", TWO)
    api.delete("/subjects/s/versions/2")
    assert restore(native, 2) == (200, [2])
    assert api.versions("s") == [1, 2]
    assert api.ok("GET", "/subjects/s/versions/latest")["id"] == number
    # What is live already stays as it is; what never was cannot come back.
    assert restore(native, 2) == (200, [])
    assert restore(native, 3) == (404, "version_not_found")
    assert restore(native, 1, "nobody") == (404, "subject_not_found")


def test_a_subject_comes_back_as_it_was(api: Registry, native: Native) -> None:
    for schema in (ONE, TWO, THREE):
        api.registered("s", schema)
    api.delete("/subjects/s/versions/1")
    assert restore(native) == (200, [])
    api.delete("/subjects/s")
    assert api.get("/subjects/s/versions").error == (404, 40401)
    # The version that was deleted before stays deleted.
    assert restore(native) == (200, [2, 3])
    assert api.versions("s") == [2, 3]
    assert restore(native, subject="nobody") == (404, "subject_not_found")


def test_what_was_purged_is_gone(api: Registry, native: Native) -> None:
    api.registered("s", ONE)
    api.delete("/subjects/s")
    api.delete("/subjects/s?permanent=true")
    assert restore(native) == (404, "subject_not_found")
    assert restore(native, 1) == (404, "subject_not_found")


def test_a_version_must_go_with_those_after_it(api: Registry, native: Native) -> None:
    api.registered("s", record("a"))
    api.registered("s", record("a", {"name": "b", "type": "string", "default": ""}))
    api.delete("/subjects/s/versions/2")
    api.registered("s", record("a", {"name": "b", "type": "long", "default": 0}))
    answer = native.call("POST", f"{NAMESPACE}/subjects/s/restore", {"version": 2})
    assert answer.status_code == 409
    document = answer.json()
    assert document["code"] == "restore_refused"
    assert document["detail"].startswith(
        "Version 2 of subject 's' cannot come back: under BACKWARD, version 3 could not follow version 2"
    )
    assert api.versions("s") == [1, 3]
    api.ok("PUT", "/config/s", {"compatibility": "NONE"})
    assert restore(native, 2) == (200, [2])


def test_a_version_must_go_with_those_before_it(api: Registry, native: Native) -> None:
    api.ok("PUT", "/config/s", {"compatibility": "NONE"})
    api.registered("s", record("a"))
    api.registered("s", record("a", "b"))
    api.delete("/subjects/s/versions/2")
    api.ok("PUT", "/config/s", {"compatibility": "BACKWARD"})
    assert restore(native, 2) == (409, "restore_refused")
    api.ok("PUT", "/config/s", {"compatibility": "FORWARD"})
    assert restore(native, 2) == (200, [2])


def test_a_transitive_level_looks_past_the_next_version(api: Registry, native: Native) -> None:
    api.registered("s", record("a"))
    api.registered("s", record(optional("x")))
    api.delete("/subjects/s/versions/1")
    api.registered("s", record({"name": "a", "type": "string", "default": ""}))
    # Version 3 reads what version 2 writes, but not what version 1 wrote.
    assert restore(native, 1) == (200, [1])
    api.delete("/subjects/s/versions/1")
    api.level("s", "BACKWARD_TRANSITIVE")
    assert restore(native, 1) == (409, "restore_refused")


def test_a_read_only_subject_stays_as_it_is(api: Registry, native: Native) -> None:
    api.registered("s", ONE)
    api.delete("/subjects/s")
    api.ok("PUT", "/mode/s", {"mode": "READONLY"})
    assert restore(native) == (409, "read_only")
    assert restore(native, 1) == (409, "read_only")


def test_in_import_mode_nothing_is_judged(api: Registry, native: Native) -> None:
    api.registered("s", record("a"))
    api.delete("/subjects/s")
    api.registered("s", record("b"))
    api.ok("PUT", "/mode/s?force=true", {"mode": "IMPORT"})
    assert restore(native, 1) == (200, [1])


def test_what_refers_comes_back_after_what_it_refers_to(api: Registry, native: Native) -> None:
    api.registered("address", record("city", name="Address"))
    uses = {"references": [{"name": "Address", "subject": "address", "version": 1}]}
    api.registered("s", record({"name": "home", "type": "Address"}), **uses)
    api.delete("/subjects/s")
    api.delete("/subjects/address")
    assert restore(native) == (422, "reference_not_found")
    assert restore(native, 1, "address") == (200, [1])
    assert restore(native) == (200, [1])
