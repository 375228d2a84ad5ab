"""A namespace at a host of its own answers as it does below its path, from memory too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory

from accord_server.kit.hot_path import HotPath
from accord_server.kit.intake import Intake
from tests.registry.client import PROBE, Registry
from tests.registry.confluent.test_hot_reads import answer, statements

if TYPE_CHECKING:
    from pytest_django import Settings

    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db(transaction=True)
BELOW = "/sr/north/default"


@pytest.fixture
def served(settings: Settings) -> Intake:
    """All that stands before Django, in an installation whose namespaces have hosts."""
    settings.ACCORD_BASE_DOMAIN = "sr.example.org"
    return Intake(HotPath(WSGIHandler()))


def asked(path: str, token: str, host: str = "north.sr.example.org") -> dict[str, Any]:
    made = RequestFactory().get(path, headers={"Authorization": f"Bearer {token}", "Host": host})
    environ: dict[str, Any] = made.environ
    return {**environ, "HTTP_X_REQUEST_ID": "same"}


def test_a_host_answers_as_the_path_does(served: Intake, api: Registry) -> None:
    api.registered("a/b", PROBE)
    # Slashes in their place, as a server tells that keeps the path as it was sent.
    raw = {"RAW_URI": "/subjects/a%2Fb/versions"}
    for path, more in (
        ("/subjects", {}),
        ("/", {}),
        ("/nothing", {}),
        ("/schemas/ids/1", {}),
        ("/subjects/a/b/versions", raw),
    ):
        below = {name: BELOW + value for name, value in more.items()}
        told = answer(served, {**asked(path, api.token), **more})
        assert told == answer(served, {**asked(BELOW + path, api.token, "testserver"), **below})
    assert answer(served, asked("/schemas/ids/1", api.token))[0] == "200 OK"


def test_further_reads_at_a_host_cost_no_statement(served: Intake, api: Registry) -> None:
    api.registered("s", PROBE)
    environ = asked("/schemas/ids/1", api.token)
    # News of how the cast was made may still arrive, and empties the memory.
    assert 0 in [statements(lambda: answer(served, environ)) for _ in range(5)]


def test_a_host_of_one_tenant_opens_nothing_to_another(
    served: Intake, api: Registry, mallory: Actor, token_for: TokenFor
) -> None:
    api.registered("s", PROBE)
    theirs, mine = token_for(mallory), api.token
    assert answer(served, asked("/schemas/ids/1", mine))[0] == "200 OK"
    for token, host in ((theirs, "north"), (mine, "south"), (mine, "nothing--north"), (mine, "nobody")):
        told = answer(served, asked("/schemas/ids/1", token, f"{host}.sr.example.org"))
        assert told[2] == b'{"error_code":404,"message":"HTTP 404 Not Found"}'
    assert replace(api, prefix="/sr/south/default").get("/subjects").status == 404


@pytest.mark.parametrize("path", ["/subjects", "/", "/sr/north/default/subjects", "/api/v1/rules"])
def test_hosts_that_nobody_serves_are_refused(served: Intake, api: Registry, path: str) -> None:
    assert answer(served, asked(path, api.token, "evil.example"))[0] == "400 Bad Request"
