"""Credentials, refusals, patience and distrust."""

from __future__ import annotations

import socket
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest
from urllib3 import HTTPResponse

from accord.client import (
    Basic,
    RegistryClient,
    RegistryConflict,
    RegistryDenied,
    RegistryInvalid,
    RegistryNotFound,
    RegistryRefusal,
    RegistryUnavailable,
    RegistryUnreachable,
    RegistryUnreadable,
)
from accord.client.transport import _Backoff
from tests.accord.client.conftest import QUICK
from tests.accord.client.stand_in import stand_in

if TYPE_CHECKING:
    from tests.accord.client.stand_in import StandIn

SUBJECTS = "GET /subjects?deleted=false"


@pytest.fixture
def dead() -> str:
    """An address nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def authorization(registry: StandIn, client: RegistryClient) -> str | None:
    registry.answer(SUBJECTS, [])
    with client:
        client.subjects()
    return registry.asked[0].headers.get("Authorization")


def test_a_token_travels_as_bearer(registry: StandIn) -> None:
    assert authorization(registry, RegistryClient(registry.url, "secret")) == "Bearer secret"


def test_basic_credentials_are_encoded(registry: StandIn) -> None:
    client = RegistryClient(registry.url, credential=Basic("user", "pass:word"))
    assert authorization(registry, client) == "Basic " + b64encode(b"user:pass:word").decode()


def test_credentials_in_the_address_become_basic(registry: StandIn) -> None:
    client = RegistryClient(registry.url.replace("//", "//user:p%40ss@"))
    assert authorization(registry, client) == "Basic " + b64encode(b"user:p@ss").decode()


def test_credentials_in_an_address_go_before_a_token_that_may_be_meant_for_another(registry: StandIn) -> None:
    client = RegistryClient(registry.url.replace("//", "//user:pass@"), "ours")
    assert authorization(registry, client) == "Basic " + b64encode(b"user:pass").decode()


def test_without_credentials_none_are_sent(registry: StandIn) -> None:
    assert authorization(registry, RegistryClient(registry.url)) is None


def test_credentials_show_neither_in_messages_nor_in_values(dead: str) -> None:
    address = dead.replace("//", "//user:hidden@")
    with RegistryClient(address, settings=QUICK) as client, pytest.raises(RegistryUnreachable) as refusal:
        client.subjects()
    assert "hidden" not in refusal.value.message + repr(Basic("user", "hidden"))


def test_a_base_path_is_kept(registry: StandIn) -> None:
    registry.answer("GET /sr/north/default/subjects?deleted=false", ["a"])
    with RegistryClient(f"{registry.url}/sr/north/default/", settings=QUICK) as client:
        assert client.subjects() == ["a"]


@pytest.mark.parametrize("url", ["", " , ", "ftp://x", "not an address", "http://"])
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="address"):
        RegistryClient(url)


REFUSALS = [
    (401, 401, RegistryDenied),
    (403, 403, RegistryDenied),
    (404, 40401, RegistryNotFound),
    (409, 40901, RegistryConflict),
    (422, 42201, RegistryInvalid),
    (429, 429, RegistryUnavailable),
    (503, 503, RegistryUnavailable),
]


@pytest.mark.parametrize(("status", "code", "kind"), REFUSALS)
def test_a_refusal_has_its_kind_and_its_words(
    client: RegistryClient, registry: StandIn, status: int, code: int, kind: type[RegistryRefusal]
) -> None:
    registry.refuse(SUBJECTS, status, code, "because {it} is so")
    with pytest.raises(kind) as refusal:
        client.subjects()
    assert (refusal.value.status, refusal.value.error_code) == (status, code)
    assert refusal.value.message == f"because {{it}} is so (HTTP {status}, code {code})"


def test_a_problem_document_keeps_its_code(client: RegistryClient, registry: StandIn) -> None:
    problem = {"status": 412, "code": "policy_changed", "detail": "it is 4 now"}
    registry.answer(SUBJECTS, problem, 412)
    with pytest.raises(RegistryInvalid, match=r"it is 4 now \(HTTP 412, code policy_changed\)"):
        client.subjects()


def test_a_refusal_without_the_dialect_s_members_still_has_its_kind(
    client: RegistryClient, registry: StandIn
) -> None:
    registry.answer(SUBJECTS, ["odd"], 404)
    with pytest.raises(RegistryNotFound, match="HTTP 404, code -1"):
        client.subjects()


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_transient_status_is_tried_again(client: RegistryClient, registry: StandIn, status: int) -> None:
    registry.answer(SUBJECTS, b"<html>busy</html>", status)
    registry.answer(SUBJECTS, ["a"])
    assert client.subjects() == ["a"]


def test_patience_ends(client: RegistryClient, registry: StandIn) -> None:
    registry.answer(SUBJECTS, b"<html>busy</html>", 502)
    with pytest.raises(RegistryUnavailable, match="HTTP 502"):
        client.subjects()
    assert len(registry.asked) == 1 + QUICK.retries


def test_a_deletion_is_sent_once(client: RegistryClient, registry: StandIn) -> None:
    registry.refuse("DELETE /subjects/a?permanent=false", 503, 503, "busy")
    with pytest.raises(RegistryUnavailable):
        client.delete_subject("a")
    assert len(registry.asked) == 1


def test_the_registry_cannot_ask_for_an_endless_wait() -> None:
    asked = HTTPResponse(headers={"Retry-After": "1000000"})
    assert _Backoff().get_retry_after(asked) == 20


def test_the_next_address_answers_for_a_dead_one(registry: StandIn, dead: str) -> None:
    registry.answer(SUBJECTS, ["a"])
    with RegistryClient(f"{dead},{registry.url}", settings=QUICK) as client:
        assert client.subjects() == ["a"]


def test_the_next_address_is_not_asked_after_a_clear_refusal(registry: StandIn) -> None:
    with stand_in() as other:
        registry.refuse(SUBJECTS, 403, 403, "no")
        with (
            RegistryClient(f"{registry.url},{other.url}", settings=QUICK) as client,
            pytest.raises(RegistryDenied),
        ):
            client.subjects()
        assert other.asked == []


def test_a_redirect_is_not_followed(client: RegistryClient, registry: StandIn) -> None:
    registry.answer(SUBJECTS, [], 307, Location="/elsewhere")
    registry.answer("GET /elsewhere", ["stolen"])
    with pytest.raises(RegistryUnreadable, match="redirect"):
        client.subjects()
    assert len(registry.asked) == 1


def test_an_answer_that_breaks_off_is_not_taken_for_whole(client: RegistryClient, registry: StandIn) -> None:
    registry.answer(SUBJECTS, [], Content_Length="100", Connection="close")
    with pytest.raises(RegistryUnreachable, match="IncompleteRead"):
        client.subjects()


UNREADABLE = [
    (b"<html>welcome</html>", "HTTP 200 without JSON"),
    (b"[" * 5000, "HTTP 200 without JSON"),
    (b'{"a": 1}', "expected a list"),
    (b"[1]", "expected a list of strings"),
    (b"", "expected a list"),
    (b'["' + b"a" * 10_000 + b'"]', "longer than 10000 bytes"),
]


@pytest.mark.parametrize(("body", "reason"), UNREADABLE)
def test_another_kind_of_answer_is_named(
    client: RegistryClient, registry: StandIn, body: bytes, reason: str
) -> None:
    registry.answer(SUBJECTS, body)
    with pytest.raises(RegistryUnreadable, match=reason):
        client.subjects()


VERSION = {"subject": "a", "version": 1, "id": 1, "schema": "{}"}


@pytest.mark.parametrize(
    "change",
    [
        {"id": "1"},
        {"id": True},
        {"schema": None},
        {"schemaType": "XML"},
        {"schemaType": ["AVRO"]},
        {"references": {"name": "a"}},
        {"references": [{"name": "a"}]},
        {"guid": "none"},
    ],
)
def test_a_misshapen_version_is_refused(
    client: RegistryClient, registry: StandIn, change: dict[str, object]
) -> None:
    registry.answer("GET /subjects/a/versions/1?deleted=false", VERSION | change)
    with pytest.raises(RegistryUnreadable, match="expected"):
        client.version("a", 1)
