"""Callers without credentials, over HTTP: what an open namespace gives them, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client, RequestFactory

from accord_server.kit import tenancy
from accord_server.kit.hot_path import HotPath
from registry.models import Version
from tenants.models import AuditRecord
from tests.factories import make_namespace
from tests.registry.client import Registry, record
from tests.registry.confluent.test_hot_reads import answer, statements
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import Actor
    from tests.registry.client import Answer

pytestmark = pytest.mark.django_db
OPENING = f"{NAMESPACE}/anonymous-access"


class Stranger(Registry):
    """Calls without any credentials."""

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Send a request."""
        return super().call(method, path, body, **{**headers, "Authorization": ""})


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice."""
    return Native(api.token)


@pytest.fixture
def stranger() -> Stranger:
    """Somebody on the same network."""
    return Stranger("")


def test_an_open_namespace_is_read_and_not_written(native: Native, api: Registry, stranger: Registry) -> None:
    number = api.registered("s", record("a"))
    closed = stranger.get(f"/schemas/ids/{number}")
    assert closed.error == (401, 401)
    told = native.ok("PUT", OPENING, {"access": "read"}, If_Match="*")
    assert (told["access"], told["subjects"], told["created_by"]) == ("read", ["*"], "person:alice")
    assert native.ok("GET", OPENING) == told
    assert stranger.ok("GET", "/subjects") == ["s"]
    assert stranger.ok("GET", f"/schemas/ids/{number}") == api.ok("GET", f"/schemas/ids/{number}")
    assert stranger.ok("GET", "/subjects/s/versions/latest")["id"] == number
    assert stranger.ok("GET", "/config")["compatibilityLevel"] == "BACKWARD"
    for refused in (
        stranger.register("s", record("b")),
        stranger.delete("/subjects/s"),
        stranger.call("PUT", "/config", {"compatibility": "NONE"}),
        stranger.call("PUT", "/mode", {"mode": "IMPORT"}),
    ):
        assert refused.error == (403, 403)


def test_where_writing_is_open_versions_say_that_nobody_knows_whose_they_are(
    native: Native, stranger: Registry, alice: Actor, scope: Scope
) -> None:
    native.ok("PUT", OPENING, {"access": "write", "subjects": ["orders-*"]}, If_Match="*")
    assert stranger.registered("orders-value", record("a")) == 1
    assert stranger.register("other", record("a")).error == (403, 403)
    assert stranger.delete("/subjects/orders-value").error == (403, 403)
    with tenancy.tenant_context(alice.tenant.id):
        (version,) = Version.objects.scoped(scope)
        rows = AuditRecord.objects.scoped(scope).filter(actor_kind="anonymous")
        assert [row.action for row in rows] == ["version.registered"]
    assert version.created_by == "anonymous:anyone"


def test_what_is_not_open_looks_missing(native: Native, api: Registry, stranger: Registry) -> None:
    hidden = api.registered("secret", record("x", name="Secret"))
    native.ok("PUT", OPENING, {"access": "read", "subjects": ["orders-*"]}, If_Match="*")
    assert stranger.ok("GET", "/subjects") == []
    assert (
        stranger.get(f"/schemas/ids/{hidden}").error == stranger.get("/schemas/ids/99").error == (404, 40403)
    )
    assert stranger.get("/subjects/secret/versions").error == (404, 40401)


def test_an_open_namespace_opens_no_other(native: Native, alice: Actor, stranger: Registry) -> None:
    make_namespace(alice.tenant, "elsewhere")
    native.ok("PUT", OPENING, {"access": "write"}, If_Match="*")
    for prefix in ("/sr/north/elsewhere", "/sr/south/default", "/sr/north/nothing"):
        assert Stranger("", prefix).get("/subjects").error == (401, 401)
    assert stranger.ok("GET", "/subjects") == []


def test_the_native_interface_stays_closed(native: Native) -> None:
    native.ok("PUT", OPENING, {"access": "write"}, If_Match="*")
    for path in (OPENING, f"{NAMESPACE}/schemas/digests/{'0' * 64}", f"{NAMESPACE}/checks"):
        assert Client().get(path).status_code == 401


def test_a_wrong_token_is_refused_where_none_would_be_let_in(native: Native, api: Registry) -> None:
    native.ok("PUT", OPENING, {"access": "read"}, If_Match="*")
    assert Registry(api.token[:-1]).get("/subjects").error == (401, 401)


def test_closing_counts_at_once_for_what_is_kept_in_memory(
    native: Native, api: Registry, stranger: Registry
) -> None:
    number = api.registered("s", record("a"))
    native.ok("PUT", OPENING, {"access": "read"}, If_Match="*")
    assert (
        stranger.get(f"/schemas/ids/{number}").status == stranger.get(f"/schemas/ids/{number}").status == 200
    )
    assert native.ok("DELETE", OPENING, If_Match="*")["access"] is None
    assert stranger.get(f"/schemas/ids/{number}").error == (401, 401)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"access": "admin"},
        {"access": "read", "subjects": []},
        {"access": "read", "subjects": "*"},
        {"access": "read", "rights": ["mode.write"]},
    ],
)
def test_what_cannot_be_opened_is_refused(native: Native, body: dict[str, object]) -> None:
    assert native.call("PUT", OPENING, body, If_Match="*").status_code == 400
    assert native.ok("GET", OPENING)["access"] is None


def test_a_selector_that_cannot_be_read_is_named(native: Native) -> None:
    answer = native.call("PUT", OPENING, {"access": "read", "subjects": ["a\u0001"]}, If_Match="*")
    assert answer.status_code in {400, 422}
    assert "subjects" in json.loads(answer.content)["detail"]


@pytest.mark.django_db(transaction=True)
def test_what_is_answered_from_memory_ends_with_the_opening(native: Native, api: Registry) -> None:
    api.registered("s", record("a"))
    hot, asked = HotPath(WSGIHandler()), RequestFactory().get("/sr/north/default/schemas/ids/1").environ
    assert answer(hot, asked)[0] == "401 Unauthorized"
    native.ok("PUT", OPENING, {"access": "read"}, If_Match="*")
    # News of how the cast was made may still arrive, and empties the memory.
    assert 0 in [statements(lambda: answer(hot, asked)) for _ in range(5)]
    assert answer(hot, asked)[0] == "200 OK"
    wrong = {**asked, "HTTP_AUTHORIZATION": "Bearer x"}
    assert answer(hot, wrong)[0] == "401 Unauthorized"
    native.ok("PUT", OPENING, {"access": "read", "subjects": ["other"]}, If_Match="*")
    assert answer(hot, asked)[0] == "404 Not Found"
    native.ok("DELETE", OPENING, If_Match="*")
    assert answer(hot, asked)[0] == "401 Unauthorized"


def test_what_is_open_is_changed_by_whoever_saw_it(native: Native) -> None:
    closed = native.call("GET", OPENING).headers["ETag"]
    opened = native.call("PUT", OPENING, {"access": "read"}, If_Match=closed).headers["ETag"]
    for method, body in (("PUT", {"access": "write"}), ("DELETE", None)):
        late = native.call(method, OPENING, body, If_Match=closed)
        assert (late.status_code, late.json()["code"]) == (412, "changed_meanwhile")
    assert native.call("DELETE", OPENING, If_Match=opened).headers["ETag"] == closed
