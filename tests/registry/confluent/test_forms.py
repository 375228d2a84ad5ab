"""Texts with their references written out, and references with their contexts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord_server.kit.hot_path import ANSWERS, HotPath
from tests.registry.client import PROBE, record
from tests.registry.confluent.test_hot_reads import answer, environ_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.registry.client import Answer, Registry

pytestmark = pytest.mark.django_db

ZIP = {"type": "fixed", "name": "Zip", "namespace": "geo", "size": 4}
ADDRESS = record({"name": "zip", "type": "geo.Zip"}, name="Address", namespace="geo")
USER = record({"name": "home", "type": "geo.Address"}, name="User")
WRITTEN_OUT = (
    '{"type":"record","name":"User","fields":[{"name":"home","type":'
    '{"type":"record","name":"Address","namespace":"geo","fields":[{"name":"zip","type":'
    '{"type":"fixed","name":"Zip","size":4}}]}}]}'
)
BY_NAME = '{"type":"record","name":"User","fields":[{"name":"home","type":"geo.Address"}]}'
TO_ADDRESS = {"name": "geo.Address", "subject": "address", "version": 1}
READS = {
    "by id": "/schemas/ids/3",
    "text by id": "/schemas/ids/3/schema",
    "version": "/subjects/user/versions/1",
    "latest": "/subjects/user/versions/latest",
    "text of a version": "/subjects/user/versions/1/schema",
}
RESOLVED = "?format=resolved"


def look_up(api: Registry, schema: object = USER, query: str = RESOLVED) -> Answer:
    return api.look_up("user", schema, query=query, references=[TO_ADDRESS])


def text_of(answer: Answer) -> str:
    """The schema in an answer, which may be all of it."""
    body: dict[str, Any] = json.loads(answer.raw)
    return str(body["schema"]) if "schema" in body else answer.raw.decode()


@pytest.fixture
def user(api: Registry) -> None:
    """Subjects zip, address and user, ids 1 to 3, each referring to the one before."""
    api.registered("zip", ZIP)
    api.registered("address", ADDRESS, references=[{"name": "geo.Zip", "subject": "zip", "version": 1}])
    api.registered("user", USER, references=[TO_ADDRESS])


@pytest.mark.parametrize("path", READS.values(), ids=READS)
def test_referenced_types_are_written_out_on_request(api: Registry, user: None, path: str) -> None:
    assert text_of(api.get(path + RESOLVED)) == WRITTEN_OUT
    for form in ("", "?format=", "?format=RESOLVED", "?format=serialized"):
        assert text_of(api.get(path + form)) == BY_NAME


def test_a_look_up_writes_out_what_it_found(api: Registry, user: None) -> None:
    assert text_of(look_up(api)) == WRITTEN_OUT
    assert text_of(look_up(api, query="")) == BY_NAME


def test_a_registration_answers_in_the_form_too(api: Registry, user: None) -> None:
    """Whether it stores anything or not; what it stores is the same."""
    for subject in ("user", "user2"):
        made = api.register(subject, USER, query=RESOLVED, references=[TO_ADDRESS])
        assert text_of(made) == WRITTEN_OUT
        assert made.body["references"] == [TO_ADDRESS]
        assert api.ok("GET", f"/subjects/{subject}/versions/1")["schema"] == BY_NAME


def test_a_registration_behind_which_something_is_hidden_answers_as_it_is_stored(
    api: Registry, user: None, api_with: Callable[..., Registry]
) -> None:
    writer = api_with("subject.read", "subject.write", "reference.use", subjects=("user*", "address"))
    made = writer.register("user2", USER, query=RESOLVED, references=[TO_ADDRESS])
    assert (made.status, text_of(made)) == (200, BY_NAME)


def test_case_060_nothing_but_the_text_changes(api: Registry, user: None) -> None:
    newer = api.with_new_members()
    for path in (READS["by id"], READS["version"]):
        stored, resolved = newer.ok("GET", path), newer.ok("GET", path + RESOLVED)
        assert resolved == {**stored, "schema": WRITTEN_OUT}
        assert resolved["references"] == [TO_ADDRESS]


def test_a_text_without_references_is_the_same_in_both_forms(api: Registry) -> None:
    api.registered("s", PROBE)
    assert api.ok("GET", f"/schemas/ids/1{RESOLVED}") == api.ok("GET", "/schemas/ids/1")


def test_what_is_softly_deleted_is_still_written_out(api: Registry, user: None) -> None:
    for name in ("user", "address", "zip"):
        api.delete(f"/subjects/{name}")
    assert text_of(api.get(READS["by id"] + RESOLVED)) == WRITTEN_OUT
    assert text_of(api.get(READS["version"] + f"{RESOLVED}&deleted=true")) == WRITTEN_OUT


def test_types_of_another_context_are_written_out(api: Registry, user: None) -> None:
    reference = {**TO_ADDRESS, "subject": ":.:address"}
    api.registered(":.c1:user", USER, references=[reference])
    assert text_of(api.get(f"/schemas/ids/1/schema{RESOLVED}&subject=:.c1:user")) == WRITTEN_OUT


@pytest.mark.parametrize("readable", [("user",), ("user", "address"), ("user", "zip")], ids="+".join)
@pytest.mark.parametrize("path", READS.values(), ids=READS)
def test_a_text_behind_which_something_is_hidden_looks_missing(
    api: Registry, user: None, api_with: Callable[..., Registry], path: str, readable: tuple[str, ...]
) -> None:
    reader = api_with("schema.read", "subject.read", subjects=readable)
    absent = path.replace("ids/3", "ids/9").replace("versions/1", "versions/9")
    expected = reader.get(absent + RESOLVED).raw.decode().replace("9", "3" if "ids" in path else "1")
    if path == READS["latest"]:
        expected = '{"error_code":40402,"message":"Version -1 not found."}'
    refused = reader.get(path + RESOLVED)
    assert (refused.status, refused.raw.decode()) == (404, expected)
    assert text_of(reader.get(path)) == BY_NAME


def test_a_look_up_finds_nothing_behind_which_something_is_hidden(
    api: Registry, user: None, api_with: Callable[..., Registry]
) -> None:
    reader = api_with("subject.read", subjects=("user", "address"))
    assert text_of(look_up(reader, query="")) == BY_NAME
    hidden, absent = look_up(reader), look_up(reader, record("z"))
    assert (hidden.status, hidden.raw) == (absent.status, absent.raw) == (404, absent.raw)


@pytest.mark.parametrize(
    ("right", "path"), [("schema.read", READS["by id"]), ("subject.read", READS["version"])]
)
def test_either_right_to_a_text_lets_it_be_written_out(
    api: Registry, user: None, api_with: Callable[..., Registry], right: str, path: str
) -> None:
    assert text_of(api_with(right).get(path + RESOLVED)) == WRITTEN_OUT


def test_the_same_content_elsewhere_does_not_open_a_hidden_subject(
    api: Registry, user: None, api_with: Callable[..., Registry]
) -> None:
    api.registered("own", ZIP)
    reader = api_with("schema.read", "subject.read", subjects=("user", "address", "own"))
    assert reader.get("/schemas/ids/1").status == 200
    assert reader.get(READS["by id"] + RESOLVED).error == (404, 40403)


def test_writing_out_costs_one_statement_more(api: Registry, user: None) -> None:
    counts = []
    for path in (READS["by id"], READS["by id"] + RESOLVED):
        with CaptureQueriesContext(connection) as captured:
            api.ok("GET", path)
        counts.append(len(captured))
    assert counts[1] == counts[0] + 1


@pytest.mark.django_db(transaction=True)
def test_each_form_is_remembered_for_itself(
    api: Registry, user: None, api_with: Callable[..., Registry]
) -> None:
    """The hot path gives nobody a form that somebody else may see."""
    hot, before = HotPath(WSGIHandler()), ANSWERS.hits
    narrow = api_with("schema.read", subjects=("user",))

    def text(token: str, query: str) -> bytes:
        return answer(hot, environ_of("/schemas/ids/3/schema", token, query))[2]

    for _ in range(3):
        assert text(api.token, "format=resolved").decode() == WRITTEN_OUT
        assert text(api.token, "").decode() == text(narrow.token, "").decode() == BY_NAME
        assert b"40403" in text(narrow.token, "format=resolved")
    assert ANSWERS.hits > before


@pytest.mark.parametrize("spelling", ["referenceFormat", "reference_format"])
def test_subjects_of_references_are_qualified_on_request(api: Registry, user: None, spelling: str) -> None:
    api.registered(":.c1:address", record(name="Address", namespace="geo"))
    references = [TO_ADDRESS, {"name": "geo.Zip", "subject": ":.:zip", "version": 1}]
    api.registered(":.c1:user", USER, references=references)
    qualified = [{**references[0], "subject": ":.c1:address"}, {**references[1], "subject": "zip"}]
    for path in ("/subjects/:.c1:user/versions/1?", "/schemas/ids/2?subject=:.c1:user&"):
        assert api.ok("GET", f"{path}{spelling}=qualified")["references"] == qualified
        assert api.ok("GET", f"{path}{spelling}=other")["references"] == references


def test_in_the_default_context_the_bare_name_is_the_qualified_one(api: Registry, user: None) -> None:
    shown = api.ok("GET", "/schemas/ids/3?referenceFormat=qualified")["references"]
    assert shown == [TO_ADDRESS]
