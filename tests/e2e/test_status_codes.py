"""Plain HTTP: each status and error code of the endpoints built so far, against the running platform."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64encode
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from accord_server.dev.state import PROJECT

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

# What does not count as a token, whoever asks: in which form, the name of an issued one or a made-up value.
WORTHLESS = [
    "Bearer revoked",
    "Basic revoked",
    "Bearer nonsense",
    "Basic nonsense",
    "Bearer ",
    "Basic !",
    "Digest x",
]
INT = {"schema": '"int"'}
STRING = {"schema": '"string"'}


def code(platform: Platform, method: str, path: str, body: object = None, **extra: Any) -> tuple[int, int]:
    answer = platform.call(method, path, body, **extra)
    assert answer.headers["Content-Type"].startswith("application/")
    return answer.status_code, answer.json()["error_code"]


@pytest.fixture(scope="module")
def tokens(platform: Platform) -> dict[str, str]:
    """Tokens of this run that open less than its own."""
    words = (sys.executable, "-m", "tests.e2e.issue")
    done = subprocess.run(words, env=platform.environment(), cwd=PROJECT, stdout=subprocess.PIPE, check=True)
    issued: dict[str, str] = json.loads(done.stdout)
    return issued


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def subject(platform: Platform, topic: str) -> str:
    """A subject with one live version holding ``"int"``."""
    platform.call("POST", f"/subjects/{topic}/versions", INT).raise_for_status()
    return topic


def test_unknown_subject_is_40401(platform: Platform, topic: str) -> None:
    assert code(platform, "GET", f"/subjects/{topic}/versions") == (404, 40401)
    assert code(platform, "GET", f"/subjects/{topic}/versions/1") == (404, 40401)
    assert code(platform, "DELETE", f"/subjects/{topic}") == (404, 40401)
    assert code(platform, "POST", f"/subjects/{topic}", INT) == (404, 40401)


def test_unknown_version_is_40402(platform: Platform, subject: str) -> None:
    assert code(platform, "GET", f"/subjects/{subject}/versions/9") == (404, 40402)
    assert code(platform, "DELETE", f"/subjects/{subject}/versions/9") == (404, 40402)
    assert code(platform, "POST", f"/compatibility/subjects/{subject}/versions/9", INT) == (404, 40402)


def test_unknown_schema_is_40403(platform: Platform, subject: str) -> None:
    assert code(platform, "GET", "/schemas/ids/2000000000") == (404, 40403)
    assert code(platform, "GET", "/schemas/ids/2000000000/schema") == (404, 40403)
    assert code(platform, "POST", f"/subjects/{subject}", STRING) == (404, 40403)


def test_the_order_of_the_two_deletes_is_kept(platform: Platform, subject: str) -> None:
    version = f"/subjects/{subject}/versions/1"
    assert code(platform, "DELETE", f"{version}?permanent=true") == (404, 40407)
    assert code(platform, "DELETE", f"/subjects/{subject}?permanent=true") == (404, 40405)
    assert platform.call("DELETE", version).json() == 1
    assert code(platform, "DELETE", version) == (404, 40406)
    assert code(platform, "DELETE", f"/subjects/{subject}") == (404, 40404)
    assert platform.call("DELETE", f"/subjects/{subject}?permanent=true").json() == [1]


def test_unset_config_and_mode_are_40408_and_40409(platform: Platform, topic: str) -> None:
    assert code(platform, "GET", f"/config/{topic}") == (404, 40408)
    assert code(platform, "GET", f"/mode/{topic}") == (404, 40409)
    assert platform.call("GET", f"/config/{topic}?defaultToGlobal=True").status_code == 200


def test_an_incompatible_schema_is_40901(platform: Platform, subject: str) -> None:
    assert code(platform, "POST", f"/subjects/{subject}/versions", STRING) == (409, 40901)


@pytest.mark.parametrize("text", ["", "{", '"nothing"', "[]]", '{"type":"record"}'])
def test_an_invalid_schema_is_42201(platform: Platform, topic: str, text: str) -> None:
    assert code(platform, "POST", f"/subjects/{topic}/versions", {"schema": text}) == (422, 42201)


@pytest.mark.parametrize("number", ["0", "-2", "abc", "earliest", "2147483648"])
def test_an_impossible_version_is_42202(platform: Platform, subject: str, number: str) -> None:
    assert code(platform, "GET", f"/subjects/{subject}/versions/{number}") == (422, 42202)


def test_bad_levels_and_modes_are_42203_and_42204(platform: Platform, topic: str) -> None:
    assert code(platform, "PUT", f"/config/{topic}", {"compatibility": "BOGUS"}) == (422, 42203)
    assert code(platform, "PUT", f"/mode/{topic}", {"mode": "BOGUS"}) == (422, 42204)


def test_a_read_only_subject_refuses_with_42205(platform: Platform, subject: str) -> None:
    platform.call("PUT", f"/mode/{subject}", {"mode": "READONLY"}).raise_for_status()
    new = {"schema": '"long"'}
    assert code(platform, "POST", f"/subjects/{subject}/versions", new) == (422, 42205)
    assert code(platform, "DELETE", f"/subjects/{subject}") == (422, 42205)
    assert platform.call("POST", f"/subjects/{subject}/versions", INT).status_code == 200


def test_a_referenced_version_is_42206(platform: Platform, topic: str) -> None:
    fixed = {"type": "fixed", "name": "F", "size": 2}
    platform.register(f"{topic}-f", fixed).raise_for_status()
    user = {"type": "record", "name": "U", "fields": [{"name": "f", "type": "F"}]}
    reference = {"name": "F", "subject": f"{topic}-f", "version": 1}
    body = {"schema": json.dumps(user), "references": [reference]}
    platform.call("POST", f"/subjects/{topic}/versions", body).raise_for_status()
    assert code(platform, "DELETE", f"/subjects/{topic}-f/versions/1") == (422, 42206)


@pytest.mark.parametrize(
    "name", ["__GLOBAL", "__EMPTY", "a\x01b", "a\nb", "x/versions", "x/versions/1", "x/"]
)
def test_an_impossible_subject_is_42208(platform: Platform, name: str) -> None:
    path = f"/subjects/{quote(name, safe='')}/versions"
    assert code(platform, "POST", path, INT) == (422, 42208)


def test_transport_errors_have_the_wire_shape(platform: Platform) -> None:
    assert code(platform, "GET", "/nowhere") == (404, 404)
    assert code(platform, "PUT", "/subjects", {}) == (405, 405)
    assert code(platform, "GET", "/subjects", headers={"Accept": "text/plain"}) == (406, 406)
    assert code(platform, "GET", "/schemas/ids/abc") == (404, 404)


def test_a_foreign_body_type_is_415(platform: Platform, topic: str) -> None:
    headers = {"Content-Type": "text/plain"}
    path = f"/subjects/{topic}/versions"
    assert code(platform, "POST", path, INT, headers=headers) == (415, 415)


def test_without_a_token_the_answer_is_401(platform: Platform) -> None:
    answer = platform.call("GET", "/subjects", headers={"Authorization": ""})
    assert (answer.status_code, answer.json()["error_code"]) == (401, 401)
    assert "WWW-Authenticate" in answer.headers


@pytest.mark.parametrize("form", WORTHLESS)
def test_a_token_that_does_not_count_is_401(platform: Platform, tokens: dict[str, str], form: str) -> None:
    scheme, _, name = form.partition(" ")
    value = tokens.get(name, name)
    if scheme == "Basic" and value != "!":
        value = b64encode(f"api-key:{value}".encode()).decode()
    answer = platform.call("GET", "/subjects", headers={"Authorization": f"{scheme} {value}"})
    assert (answer.status_code, answer.json()["error_code"]) == (401, 401)
    assert 'Basic realm="Accord"' in answer.headers["WWW-Authenticate"]


def test_a_token_that_is_used_up_is_401(platform: Platform, tokens: dict[str, str]) -> None:
    last = platform.call("GET", "/subjects", headers=bearing(tokens["once"]))
    assert last.status_code == 200
    assert code(platform, "GET", "/subjects", headers=bearing(tokens["once"])) == (401, 401)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/subjects/{}/versions", {"schema": '"long"'}),
        ("DELETE", "/subjects/{}", None),
        ("DELETE", "/subjects/{}/versions/1", None),
        ("POST", "/compatibility/subjects/{}/versions/latest", INT),
        ("PUT", "/config/{}", {"compatibility": "NONE"}),
        ("PUT", "/config", {"compatibility": "NONE"}),
        ("PUT", "/mode/{}", {"mode": "READONLY"}),
    ],
)
def test_a_missing_right_is_403(
    platform: Platform, tokens: dict[str, str], subject: str, method: str, path: str, body: object
) -> None:
    headers = bearing(tokens["reader"])
    assert code(platform, method, path.format(subject), body, headers=headers) == (403, 403)
    assert platform.call("GET", f"/subjects/{subject}/versions", headers=headers).json() == [1]


def test_a_subject_of_others_is_as_if_it_were_not(
    platform: Platform, tokens: dict[str, str], subject: str
) -> None:
    headers = bearing(tokens["orders"])
    there = platform.call("GET", f"/subjects/{subject}/versions", headers=headers)
    nowhere = platform.call("GET", f"/subjects/x{subject}/versions", headers=headers)
    assert (there.status_code, there.json()["error_code"]) == (404, 40401)
    assert there.text.replace(subject, "") == nowhere.text.replace(f"x{subject}", "")
    assert subject not in platform.call("GET", "/subjects", headers=headers).json()


@pytest.mark.parametrize("name", ["sandbox", "foreign"])
def test_a_foreign_namespace_or_tenant_is_404(platform: Platform, tokens: dict[str, str], name: str) -> None:
    assert code(platform, "GET", "/subjects", headers=bearing(tokens[name])) == (404, 404)
    assert code(platform, "POST", "/subjects/s/versions", INT, headers=bearing(tokens[name])) == (404, 404)


@pytest.mark.parametrize("place", ["other/default", "demo/nowhere", "nowhere/default"])
def test_places_that_are_not_ours_are_404(platform: Platform, tokens: dict[str, str], place: str) -> None:
    path = place.replace("other", tokens["tenant"])
    elsewhere = platform.elsewhere(path)
    assert code(elsewhere, "GET", "/subjects") == (404, 404)
    assert code(elsewhere, "POST", "/subjects/s/versions", INT) == (404, 404)


def test_narrow_tokens_open_their_own_place(platform: Platform, tokens: dict[str, str]) -> None:
    theirs = {"demo/sandbox": tokens["sandbox"], f"{tokens['tenant']}/default": tokens["foreign"]}
    for place, token in theirs.items():
        answer = platform.elsewhere(place).call("GET", "/subjects", headers=bearing(token))
        assert answer.status_code == 200, answer.text
