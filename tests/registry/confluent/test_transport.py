"""Transport: negotiation, generic failures, flags, paging, request ids."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from tests.registry.client import PROBE, V1, optional, record

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

V = "application/vnd.schemaregistry+json"
JSON = "application/json"
BODY = {"schema": json.dumps(PROBE)}


def test_case_001_the_root_answers_an_empty_object(api: Registry) -> None:
    assert api.ok("GET", "/") == api.ok("POST", "/", {}) == api.ok("GET", "") == {}


@pytest.mark.parametrize(
    ("accept", "answered"),
    [
        (V1, V1),
        (V, V),
        (JSON, JSON),
        ("*/*", V1),
        ("", V1),
        (f"{V1}, {V}, {JSON}", V1),
        ("application/json, text/plain, */*", V1),
        ("text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", V1),
        ("application/*", V1),
        (f"{V};q=0.2, {JSON};q=0.9", JSON),
        (f"{JSON}; charset=utf-8", JSON),
        ("application/json;q=0, */*", V1),
    ],
)
def test_case_002_the_answer_has_the_type_asked_for(api: Registry, accept: str, answered: str) -> None:
    assert api.get("/subjects", Accept=accept).headers["Content-Type"] == answered


@pytest.mark.parametrize("accept", ["text/plain", "application/json;q=0", "image/*", "nonsense"])
def test_case_003_what_we_cannot_write_is_406(api: Registry, accept: str) -> None:
    answer = api.get("/subjects", Accept=accept)
    assert answer.body == {"error_code": 406, "message": "HTTP 406 Not Acceptable"}
    assert (answer.status, answer.headers["Content-Type"]) == (406, V1)


def test_errors_have_the_type_asked_for(api: Registry) -> None:
    answer = api.get("/subjects/none/versions", Accept=JSON)
    assert (answer.error, answer.headers["Content-Type"]) == ((404, 40401), JSON)


def test_case_004_the_type_of_a_body(api: Registry) -> None:
    for kind in (JSON, V, V1, f"{JSON}; charset=utf-8", "application/octet-stream", ""):
        assert api.call("POST", "/subjects/s/versions", BODY, Content_Type=kind).status == 200
    answer = api.call("POST", "/subjects/s/versions", BODY, Content_Type="text/plain")
    assert answer.error == (415, 415)
    assert answer.body["message"] == "HTTP 415 Unsupported Media Type"


def test_a_read_may_carry_any_content_type(api: Registry) -> None:
    assert api.call("GET", "/subjects", Content_Type="text/plain").status == 200


def test_case_005_an_unknown_path_and_a_wrong_method(api: Registry) -> None:
    assert api.get("/nowhere").body == {"error_code": 404, "message": "HTTP 404 Not Found"}
    wrong = api.call("PUT", "/subjects", {})
    assert wrong.body == {"error_code": 405, "message": "HTTP 405 Method Not Allowed"}
    assert wrong.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_case_006_broken_empty_and_bare_bodies(api: Registry) -> None:
    assert api.call("POST", "/subjects/s/versions", b"{").error == (400, 400)
    assert api.call("POST", "/subjects/s/versions", b"").error == (422, 422)
    assert api.call("POST", "/subjects/s/versions", b"null").error == (422, 422)
    empty = api.call("POST", "/subjects/s/versions", {})
    assert (empty.error, empty.body["message"]) == ((422, 42201), "Empty schema")


def test_case_007_unknown_members_are_ignored(api: Registry) -> None:
    members: dict[str, Any] = {
        "metadata": {"properties": {"k": "v"}},
        "propagateSchemaTags": True,
        "novel": [1],
    }
    assert api.register("s", PROBE, **members).status == 200


def test_case_008_the_request_id_comes_back_or_is_made(api: Registry) -> None:
    assert api.get("/subjects", X_Request_ID="abc").headers["X-Request-ID"] == "abc"
    assert UUID(api.get("/subjects").headers["X-Request-ID"]).version == 4


@pytest.mark.parametrize(
    ("text", "counts"), [("true", True), ("True", True), ("TRUE", True), ("1", False), ("yes", False)]
)
def test_case_009_only_the_word_true_sets_a_flag(api: Registry, text: str, counts: bool) -> None:
    api.registered("gone", PROBE)
    api.delete("/subjects/gone")
    assert (api.ok("GET", f"/subjects?deleted={text}") == ["gone"]) is counts


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("limit=0", ["a", "b", "c"]),
        ("limit=-1", ["a", "b", "c"]),
        ("offset=0&limit=-1", ["a", "b", "c"]),
        ("offset=1&limit=1", ["b"]),
        ("offset=9", []),
        ("offset=-1&limit=2", ["a", "b"]),
        ("&&limit=", ["a", "b", "c"]),
        ("novel=1", ["a", "b", "c"]),
    ],
)
def test_case_010_lists_are_paged(api: Registry, query: str, names: list[str]) -> None:
    for name in ("b", "c", "a"):
        api.registered(name, PROBE)
    assert api.ok("GET", f"/subjects?{query}") == names


@pytest.mark.parametrize("query", ["limit=x", "offset=1.5", "limit=99999999999999"])
def test_a_number_that_is_none_is_404(api: Registry, query: str) -> None:
    assert api.get(f"/subjects?{query}").error == (404, 404)


def test_case_011_a_slash_at_the_end_changes_nothing(api: Registry) -> None:
    api.registered("s", PROBE)
    body = {"schema": json.dumps(record("other"))}
    bare = api.call("POST", "/compatibility/subjects/s/versions", body)
    slashed = api.call("POST", "/compatibility/subjects/s/versions/", body)
    assert bare.status == slashed.status == 200
    assert bare.raw == slashed.raw
    assert api.ok("GET", "/config/") == api.ok("GET", "/config")
    assert api.ok("GET", "/subjects/") == ["s"]
    assert api.call("POST", "/subjects/s/versions/", {"schema": json.dumps(PROBE)}).status == 200


def test_head_and_options_work_wherever_get_does(api: Registry) -> None:
    api.registered("s", PROBE)
    head, whole = api.call("HEAD", "/subjects"), api.get("/subjects")
    assert (head.status, head.raw) == (200, b"")
    assert head.headers["Content-Length"] == str(len(whole.raw))
    options = api.call("OPTIONS", "/subjects/s/versions")
    assert (options.status, options.headers["Allow"]) == (200, "GET, HEAD, OPTIONS, POST")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "OPTIONS"])
@pytest.mark.parametrize("path", ["/subjects/none/versions", "/nowhere", "/schemas/ids/7", "/subjects"])
def test_every_answer_has_a_length(api: Registry, method: str, path: str) -> None:
    answer = api.call(method, path)
    lengths = {"HEAD": api.get(path).raw}
    assert answer.headers["Content-Length"] == str(len(lengths.get(method, answer.raw)))


def test_nothing_is_redirected(api: Registry) -> None:
    for path in ("/subjects/", "/config/", "/schemas/types/", "//subjects"):
        assert api.get(path).status in {200, 404}


def test_members_of_newer_servers_come_only_on_request(api: Registry) -> None:
    new = {"guid", "schemaType", "ts", "deleted"}
    api.registered("s", record("a"))
    path = "/subjects/s/versions/1"
    assert not new & set(api.ok("GET", path))
    assert new <= set(api.with_new_members().ok("GET", path))
    assert set(api.register("s", record("a", optional("b"))).body) == {"id", "version", "schema"}


@pytest.mark.parametrize(("version", "told"), [("python/2.16.0", True), ("java/8.1.1", True), (" ", False)])
def test_who_names_its_version_is_told_the_guid_too(api: Registry, version: str, told: bool) -> None:
    number = api.registered("s", record("a"))
    for path in ("/subjects/s/versions/1", f"/schemas/ids/{number}"):
        assert ("guid" in api.get(path, Confluent_Client_Version=version).body) is told


def test_associations_are_a_cheap_not_found(api: Registry) -> None:
    """New serializers ask before the first message, for key and value."""
    answer = api.get("/associations/resources/-/orders?resourceType=topic&associationType=value")
    assert (answer.status, answer.headers["Content-Type"]) == (404, V1)
    assert answer.body["error_code"] == 40410


def test_case_135_what_serves_here(api: Registry) -> None:
    told = api.ok("GET", "/v1/metadata/id")
    assert told["scope"]["clusters"] == {
        "kafka-cluster": "north/default",
        "schema-registry-cluster": "schema-registry",
    }
    assert (told["id"], told["scope"]["path"]) == ("", [])
    version = api.ok("GET", "/v1/metadata/version")
    assert set(version) == {"version", "commitId"}
    assert int(version["commitId"], 16) == 0
    assert api.ok("GET", "/v1/metadata/deployment") == {"attributes": []}
