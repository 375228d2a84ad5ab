"""Who may write and not read learns nothing that was stored before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.registry.client import Registry, record

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

# The order of properties does not count.
SECRET = record({"name": "a", "type": "int", "first": "secret", "second": 2})
GUESSED = record({"name": "a", "type": "int", "second": 2, "first": "secret"})
VERSIONS = "/subjects/s/versions"


@pytest.fixture
def writer(api: Registry, api_with: Callable[..., Registry]) -> Registry:
    """One who writes subjects and settings, where there is a schema and a record already."""
    api.registered("s", SECRET)
    api.level("s", "FULL")
    return api_with("subject.write", "config.write", "mode.write").with_new_members()


@pytest.mark.parametrize("body", [{"schema": ""}, {"schema": " "}, {}])
def test_no_schema_is_not_answered_with_the_latest(writer: Registry, body: dict[str, str]) -> None:
    there, absent = (writer.call("POST", path, body) for path in (VERSIONS, "/subjects/none/versions"))
    assert there.error == (422, 42201)
    assert there.raw == absent.raw


def test_a_reader_is_answered_with_the_latest(writer: Registry, api: Registry) -> None:
    assert json.loads(api.ok("POST", VERSIONS, {"schema": ""})["schema"]) == SECRET


def test_a_known_meaning_is_answered_in_the_callers_spelling(writer: Registry, api: Registry) -> None:
    mine, readers = writer.register("s", GUESSED), api.register("s", GUESSED)
    assert mine.body["id"] == readers.body["id"]
    assert readers.body["schema"] == api.ok("GET", f"{VERSIONS}/1")["schema"]
    assert mine.body["schema"] == json.dumps(GUESSED, separators=(",", ":"))


def test_a_refusal_quotes_no_schema(writer: Registry) -> None:
    answer = writer.register("s", record({"name": "b", "type": "string"}))
    assert answer.error == (409, 40901)
    assert b"secret" not in answer.raw
    assert b"oldSchema:" not in answer.raw


def test_a_change_of_settings_shows_what_was_sent_alone(writer: Registry) -> None:
    assert writer.ok("PUT", "/config/s", {}) == {}
    assert writer.ok("PUT", "/config/s", {"normalize": True}) == {"normalize": True}


def test_settings_that_are_deleted_are_not_shown(writer: Registry, api: Registry) -> None:
    api.mode("s", "READWRITE")
    assert writer.ok("DELETE", "/mode/s") == {}
    assert writer.ok("DELETE", "/config/s") == {}
    assert writer.ok("DELETE", "/config") == {}
