"""Rolling back: an older version's schema becomes the next version, by the checks in force."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import Registry, optional, record
from tests.registry.lives.asking import SUBJECT, refused, set_state, traces
from tests.registry.policies.asking import Native
from tests.registry.policies.test_in_force import named

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

ONE, TWO = record("a"), record("a", optional("b"))
# Readers with version 1 do not find the field that version 2 has instead.
OTHER = record(optional("c"))


def roll_back(native: Native, version: int, **more: object) -> Any:
    return native.call("POST", f"{SUBJECT}/rollback", {"version": version, **more})


def test_old_text_becomes_the_next_version(api: Registry, native: Native, scope: Scope) -> None:
    first = api.registered("s", ONE)
    api.registered("s", TWO)
    answer = roll_back(native, 1)
    assert answer.status_code == 201
    assert answer.json() == {"subject": "s", "version": 3, "id": first, "brings_back": 1, "is_new": True}
    assert json.loads(api.get("/subjects/s/versions/latest").body["schema"]) == ONE
    said, noted = traces(scope, "version.registered")
    assert said == noted.after == {"subject": "s", "version": 3, "brings_back": 1}
    # The latest needs no way back.
    again = roll_back(native, 1)
    assert (again.status_code, again.json()["version"], again.json()["is_new"]) == (200, 3, False)
    assert refused(roll_back(native, 9)) == (404, "version_not_found")


def test_references_and_metadata_come_back_too(api: Registry, native: Native) -> None:
    api.registered("part", {"type": "record", "name": "Part", "fields": []})
    references = [{"name": "Part", "subject": "part", "version": 1}]
    user = record({"name": "p", "type": "Part"})
    owned = {"properties": {"owner": "us"}}
    api.registered("s", user, references=references, metadata=owned)
    api.level("s", "NONE")
    api.registered("s", record(optional("b")))
    assert roll_back(native, 1).status_code == 201
    back = api.get("/subjects/s/versions/3").body
    assert (back["references"], back["metadata"]) == (references, owned)


def test_a_refusal_is_explained_and_names_the_right(api: Registry, native: Native, scope: Scope) -> None:
    api.registered("s", ONE)
    api.level("s", "NONE")
    api.registered("s", OTHER)
    api.level("s", "BACKWARD")
    answer = roll_back(native, 1)
    assert refused(answer) == (409, "rollback_refused")
    document = answer.json()
    assert "check.skip" in document["detail"]
    assert [one["rule"] for one in document["findings"]]
    assert api.versions("s") == [1, 2]
    # Who holds the right may, and that he did is noted.
    assert roll_back(native, 1, skip_check=True).status_code == 201
    _, noted = traces(scope, "version.registered")
    assert noted.after == {"subject": "s", "version": 3, "brings_back": 1, "check_skipped": True}


def test_who_may_skip_the_check(api: Registry, api_with: Callable[..., Registry]) -> None:
    api.registered("s", ONE)
    api.registered("s", TWO)
    writer = Native(api_with("subject.read", "subject.write").token)
    skipped = roll_back(writer, 1, skip_check=True)
    assert refused(skipped) == (403, "right_missing")
    assert "check.skip" in skipped.json()["detail"]
    assert roll_back(writer, 1).status_code == 201
    reader = Native(api_with("subject.read").token)
    assert refused(roll_back(reader, 1)) == (403, "right_missing")


def test_what_policies_ask_of_the_schema_itself_is_never_skipped(api: Registry, native: Native) -> None:
    api.registered("s", ONE)
    api.registered("s", TWO)
    native.enforce(named("docs", required={"docs": ["record"]}))
    assert refused(roll_back(native, 1, skip_check=True)) == (422, "content_refused")


def test_a_disabled_version_does_not_come_back(api: Registry, native: Native) -> None:
    api.registered("s", ONE)
    api.registered("s", TWO)
    set_state(native, 1, "disabled")
    assert refused(roll_back(native, 1)) == (409, "version_disabled")
    set_state(native, 1, "deprecated")
    assert roll_back(native, 1).status_code == 201
    api.ok("PUT", "/mode/s", {"mode": "READONLY"})
    assert refused(roll_back(native, 2)) == (409, "read_only")
