"""States of versions: what deprecated and disabled ones are still served for, and who says so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.registry.client import Registry, optional, record
from tests.registry.lives.asking import WHY, at, put_state, refused, set_state, traces
from tests.registry.policies.asking import Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

ONE, TWO, THREE = record("a"), record("a", optional("b")), record("a", optional("b"), optional("c"))


@pytest.fixture(autouse=True)
def versions(api: Registry) -> None:
    """Two versions of a subject."""
    api.registered("s", ONE)
    api.registered("s", TWO)


def test_a_state_is_changed_with_a_reason(api: Registry, native: Native, scope: Scope) -> None:
    born = native.call("GET", at(1, "state"))
    assert born.json() == {
        "subject": "s",
        "version": 1,
        "state": "enabled",
        "since": None,
        "transitions": ["deprecated", "disabled"],
        "revision": 1,
        "changes": [],
    }
    body = {"state": "deprecated", "reason": WHY}
    changed = native.call("PUT", at(1, "state"), body, If_Match=born.headers["ETag"])
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"2"')
    (step,) = changed.json()["changes"]
    assert (step["before"], step["after"], step["reason"], step["changed_by"]) == (
        "enabled", "deprecated", WHY, "person:alice"
    )  # fmt: skip
    assert step["changed_at"] == changed.json()["since"]
    # It is told to who waits for it, and noted with what was before.
    said, noted = traces(scope, "version.state_changed")
    assert said == {"subject": "s", "version": 1, "before": "enabled", "after": "deprecated", "reason": WHY}
    assert (noted.object_name, noted.before, noted.after) == (
        "s/1", {"state": "enabled"}, {"state": "deprecated", "reason": WHY}
    )  # fmt: skip
    # Whoever read it before is told that somebody was faster; nobody changes it without saying what he read.
    assert refused(native.call("PUT", at(1, "state"), body, If_Match='"1"')) == (412, "changed_meanwhile")
    assert refused(native.call("PUT", at(1, "state"), body)) == (428, "version_not_named")
    # What it is already, it stays.
    assert set_state(native, 1, "deprecated")["revision"] == 2
    assert native.call("GET", at(1, "state"), If_None_Match='"2"').status_code == 304


def test_what_cannot_be_changed(api: Registry, native: Native) -> None:
    assert put_state(native, 1, "gone").status_code == 400
    assert put_state(native, 1, "disabled", reason=" ").status_code == 400
    assert refused(put_state(native, 9, "disabled")) == (404, "version_not_found")
    assert refused(put_state(native, 1, "disabled", "nobody")) == (404, "subject_not_found")
    api.delete("/subjects/s/versions/1")
    assert refused(put_state(native, 1, "disabled")) == (404, "version_not_found")
    api.ok("PUT", "/mode/s", {"mode": "READONLY"})
    assert refused(put_state(native, 2, "disabled")) == (409, "read_only")


def test_who_may_change_it(api_with: Callable[..., Registry]) -> None:
    reader = Native(api_with("subject.read").token)
    assert refused(put_state(reader, 1, "disabled")) == (403, "right_missing")
    assert reader.call("GET", at(1, "state")).status_code == 200
    stranger = Native(api_with("subject.read", "version.promote", subjects=("other",)).token)
    assert refused(put_state(stranger, 1, "disabled")) == (404, "subject_not_found")


def test_a_deprecated_version_is_served_with_a_warning(api: Registry, native: Native) -> None:
    number = api.get("/subjects/s/versions/2").body["id"]
    reads = [
        "/subjects/s/versions/2",
        "/subjects/s/versions/latest",
        "/subjects/s/versions/2/schema",
        f"/schemas/ids/{number}",
        f"/schemas/ids/{number}/schema",
    ]
    before = {path: api.get(path) for path in reads}
    assert not any("Deprecation" in answer.headers for answer in before.values())
    since = set_state(native, 2, "deprecated")["since"]
    for path in reads:
        answer = api.get(path)
        assert answer.body == before[path].body
        assert answer.headers["Deprecation"].startswith("@")
        assert f"deprecated since {since[:10]}" in answer.headers["Warning"]
    # Registering it again and looking it up are answered as ever, and warned about too.
    assert "Deprecation" in api.register("s", TWO).headers
    assert "Deprecation" in api.look_up("s", TWO).headers
    # A schema that somebody uses without a warning is read by id without one.
    api.registered("t", TWO)
    assert "Deprecation" not in api.get(f"/schemas/ids/{number}").headers
    assert "Deprecation" in api.get(f"/schemas/ids/{number}?subject=s").headers
    set_state(native, 2, "enabled")
    assert "Deprecation" not in api.get("/subjects/s/versions/2").headers


def test_a_disabled_version_is_read_for_old_data_alone(api: Registry, native: Native) -> None:
    number = api.get("/subjects/s/versions/2").body["id"]
    set_state(native, 2, "disabled")
    assert api.get("/subjects/s/versions/latest").body["version"] == 1
    assert api.look_up("s", TWO).error == (404, 40403)
    refusal = api.register("s", TWO)
    assert refusal.error == (422, 42205)
    assert "version.promote" in refusal.body["message"]
    # Data that were written with it are still read, and so is what refers to it.
    assert json.loads(api.get(f"/schemas/ids/{number}").body["schema"]) == TWO
    assert api.get("/subjects/s/versions/2").body["version"] == 2
    assert "disabled since" in api.get("/subjects/s/versions/2").headers["Warning"]
    assert api.versions("s") == [1, 2]
    # The list of the newest ones leaves it out as well.
    assert [one["version"] for one in api.ok("GET", "/schemas?latestOnly=true")] == [1]


def test_where_all_are_disabled_there_is_no_latest(api: Registry, native: Native) -> None:
    set_state(native, 1, "disabled")
    set_state(native, 2, "disabled")
    assert api.get("/subjects/s/versions/latest").error == (404, 40402)
    assert api.delete("/subjects/s/versions/latest").error == (404, 40402)
    # Nothing is held against a new one, which is the next number all the same.
    assert api.register("s", record("z")).body["version"] == 3


def test_nothing_is_held_against_a_disabled_version(api: Registry, native: Native) -> None:
    other = record("a", {"name": "b", "type": "string", "default": ""})
    assert api.register("s", other).error == (409, 40901)
    assert api.check("s/versions/latest", other).body["is_compatible"] is False
    set_state(native, 2, "disabled")
    assert api.check("s/versions/latest", other).body["is_compatible"] is True
    # Who asks about it by its number is answered about it.
    assert api.check("s/versions/2", other).body["is_compatible"] is False
    api.registered("s", other)
    # What came meanwhile was not held against it, so that it cannot come back between them.
    assert refused(put_state(native, 2, "enabled")) == (409, "restore_refused")
    assert refused(put_state(native, 2, "deprecated")) == (409, "restore_refused")
    api.level("s", "NONE")
    assert set_state(native, 2, "enabled")["state"] == "enabled"


def test_a_disabled_version_takes_no_new_references(api: Registry, native: Native) -> None:
    part = {"type": "record", "name": "Part", "fields": []}
    api.registered("part", part)
    user = record({"name": "p", "type": "Part"})
    references = [{"name": "Part", "subject": "part", "version": 1}]
    number = api.registered("u", user, references=references)
    set_state(native, 1, "disabled", "part")
    # What refers to it already still does.
    assert api.register("u", user, references=references).status == 200
    assert api.get(f"/schemas/ids/{number}").status == 200
    refusal = api.register("w", user, references=references)
    assert refusal.error == (422, 42205)
    assert "Version 1 of subject 'part' is disabled" in refusal.body["message"]
    newest = [{**references[0], "version": -1}]
    assert api.register("w", user, references=newest).status == 422


def test_a_disabled_version_stays_so_when_it_is_deleted_and_restored(api: Registry, native: Native) -> None:
    set_state(native, 2, "disabled")
    api.delete("/subjects/s/versions/2")
    restored = native.call("POST", at(2, "restore").replace("/versions/2", ""), {"version": 2})
    assert restored.json()["versions"] == [2]
    assert native.ok("GET", at(2, "state"))["state"] == "disabled"
    # With the version goes its life.
    api.delete("/subjects/s/versions/2")
    api.delete("/subjects/s/versions/2?permanent=true")
    assert refused(native.call("GET", at(2, "state"))) == (404, "version_not_found")


def test_an_import_repeats_what_is_disabled(api: Registry, native: Native) -> None:
    set_state(native, 2, "disabled")
    number = api.get("/subjects/s/versions/2").body["id"]
    api.ok("PUT", "/mode/s?force=true", {"mode": "IMPORT"})
    assert api.register("s", TWO, id=number, version=2).body["version"] == 2
    # An import judges nothing, nor does who ends it.
    assert set_state(native, 2, "enabled")["state"] == "enabled"
