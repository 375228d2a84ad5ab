"""Reads answered from memory are those that Django would answer, byte for byte, and end in time."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import psycopg
import pytest
import requests
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from hypothesis import example, given, settings
from hypothesis import strategies as st

from accord_server.kit.hot_path import ANSWERS, HotPath
from accord_server.kit.paths import RAW_PATH
from registry.api.confluent import hot_reads
from registry.api.confluent.urls import ROUTES
from tenants.principals import operator_scope
from tenants.services import revoke_token
from tests.cast import issued_for
from tests.registry.client import PROBE, V1, Registry, optional, record
from tests.registry.lives.asking import set_state
from tests.registry.policies.asking import Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess
    from tests.servers import Servers

BOUND_S, MARGIN_S, PATIENCE_S = 2.0, 1.0, 30.0
PREFIX = "/sr/north/default"
BY_ID = "/schemas/ids/1"
COMMITS = pytest.mark.django_db(transaction=True)

ACCEPTS = ("", "*/*", V1, "application/json", "application/*;q=0.5", "text/html", f"text/html, {V1};q=0.1")
HOT_PATHS = ("1", "1/", "1/schema", "2", "2/schema")
PATHS = (
    *HOT_PATHS * 3,
    "1",
    "1/",
    "1/schema",
    "01",
    "2",
    "2/schema",
    "3",
    "999",
    "-1",
    "x",
    "1/subjects",
    "1//",
    "1/schema/x",
)
# What callers say of what they take, and of themselves.
NEWNESS = (("", ""), ("true", ""), ("TRUE ", " "), ("no", "java/8.1.1"), ("", "python/2.16.0"))
QUERIES: st.SearchStrategy[list[tuple[str, str]]] = st.lists(
    st.tuples(
        st.sampled_from(("subject", "fetchMaxId", "format", "deleted", "other")),
        st.sampled_from(("", "true", "s", ":.other:", "é")),
    ),
    max_size=3,
) | st.just([])


def environ_of(
    path: str, token: str = "", query: str = "", method: str = "GET", **variables: str
) -> dict[str, Any]:
    sent = {"HTTP_AUTHORIZATION": f"Bearer {token}", "HTTP_X_REQUEST_ID": "one", "HTTP_ACCEPT": V1}
    given = {name: value for name, value in {**sent, **variables}.items() if value}
    request = RequestFactory().generic(method, PREFIX + path, QUERY_STRING=query)
    return {**request.environ, **given}


def answer(application: Any, environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], bytes]:
    """Call a WSGI application as a server does."""
    seen: list[Any] = []
    body = application(dict(environ), lambda *started: seen.extend(started))
    whole = b"".join(body)
    getattr(body, "close", lambda: None)()
    return seen[0], seen[1], whole


def statements(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def announces(act: Callable[[], object]) -> bool:
    """Tell whether other processes are told that answers changed."""
    with CaptureQueriesContext(connection) as captured:
        act()
    return any("pg_notify" in one["sql"] and "namespace:" in one["sql"] for one in captured)


@COMMITS
def test_answers_from_memory_are_those_of_django(api: Registry, api_with: Callable[..., Registry]) -> None:
    for subject, schema in (("s", PROBE), ("t", record("a")), ("t", record("a", optional("b")))):
        api.registered(subject, schema)
    tokens = (
        api.token,
        api_with("schema.read", subjects=("s",)).token,
        api_with("subject.read").token,
        "wrong",
    )
    django = WSGIHandler()
    hot = HotPath(django)

    @settings(max_examples=120)
    @given(
        st.sampled_from(PATHS), st.sampled_from(tokens), QUERIES, st.sampled_from(ACCEPTS),
        st.sampled_from(("GET", "HEAD", "OPTIONS")), st.sampled_from(NEWNESS),
    )  # fmt: skip
    @example("1", tokens[0], [], V1, "GET", ("true", ""))
    @example("1", tokens[0], [], V1, "GET", ("", "python/2.16.0"))
    @example("1", tokens[0], [], V1, "HEAD", ("", ""))
    def alike(
        path: str,
        token: str,
        query: list[tuple[str, str]],
        accept: str,
        method: str,
        newness: tuple[str, str],
    ) -> None:
        sent = (accept, *newness)
        names = ("ACCEPT", "CONFLUENT_ACCEPT_UNKNOWN_PROPERTIES", "CONFLUENT_CLIENT_VERSION")
        variables = {f"HTTP_{name}": value for name, value in zip(names, sent, strict=True)}
        asked = environ_of(f"/schemas/ids/{path}", token, urlencode(query), method, **variables)
        expected = answer(django, asked)
        assert [answer(hot, asked) for _ in range(2)] == [expected] * 2

    before = ANSWERS.hits
    alike()
    assert ANSWERS.hits > before + 10


@COMMITS
def test_further_answers_cost_no_statement(api: Registry) -> None:
    api.registered("s", PROBE)
    asked, hot = environ_of(BY_ID, api.token), HotPath(WSGIHandler())
    # News of how the cast was made may still arrive, and empties the memory.
    assert 0 in [statements(lambda: answer(hot, asked)) for _ in range(5)]


@COMMITS
def test_what_one_may_see_another_may_not(api: Registry, api_with: Callable[..., Registry]) -> None:
    api.registered("s", PROBE)
    stranger, hot = api_with("schema.read", subjects=("orders-*",)), HotPath(WSGIHandler())
    assert answer(hot, environ_of(BY_ID, api.token))[0] == "200 OK"
    assert answer(hot, environ_of(BY_ID, stranger.token))[0] == "404 Not Found"
    assert answer(hot, environ_of(BY_ID, api.token))[0] == "200 OK"


@COMMITS
def test_another_tenant_never_meets_an_answer(api: Registry, mallory: Actor, token_for: TokenFor) -> None:
    api.registered("s", PROBE)
    hot, theirs = HotPath(WSGIHandler()), token_for(mallory)
    assert answer(hot, environ_of(BY_ID, api.token))[0] == "200 OK"
    assert answer(hot, environ_of(BY_ID, theirs))[2] == b'{"error_code":404,"message":"HTTP 404 Not Found"}'


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("DELETE", "/subjects/s", None),
        ("PUT", "/config/s", {"compatibility": "FULL"}),
        ("PUT", "/mode/s", {"mode": "READONLY"}),
        ("POST", "/subjects/t/versions", {"schema": json.dumps(PROBE)}),
    ],
)
@COMMITS
def test_changes_are_announced(api: Registry, method: str, path: str, body: object) -> None:
    api.registered("s", PROBE)
    assert announces(lambda: api.ok(method, path, body))


@COMMITS
def test_an_import_is_announced(api: Registry) -> None:
    api.mode("s", "IMPORT")
    assert announces(lambda: api.registered("s", PROBE, id=10, version=1))


@COMMITS
def test_new_ids_are_not_announced(api: Registry) -> None:
    """Or every registration would empty the memory of every process."""
    assert not announces(lambda: api.registered("s", PROBE))


@COMMITS
def test_a_schema_deleted_for_good_is_gone_at_once(api: Registry) -> None:
    api.registered("s", PROBE)
    asked, hot = environ_of(BY_ID, api.token), HotPath(WSGIHandler())
    assert answer(hot, asked)[0] == "200 OK"
    api.delete("/subjects/s")
    assert answer(hot, asked)[0] == "200 OK"
    api.delete("/subjects/s?permanent=true")
    assert answer(hot, asked)[0] == "404 Not Found"


@COMMITS
def test_a_warning_is_given_from_memory_and_ends_at_once(api: Registry) -> None:
    api.registered("s", PROBE)
    asked, hot = environ_of(BY_ID, api.token), HotPath(WSGIHandler())
    assert "Deprecation" not in dict(answer(hot, asked)[1])
    set_state(Native(api.token), 1, "deprecated")
    first = answer(hot, asked)
    assert "Deprecation" in dict(first[1])
    assert statements(lambda: answer(hot, asked)) == 0
    assert answer(hot, asked) == first
    set_state(Native(api.token), 1, "enabled")
    assert "Deprecation" not in dict(answer(hot, asked)[1])


@COMMITS
def test_an_id_that_comes_into_sight_is_seen_at_once(
    api: Registry, api_with: Callable[..., Registry]
) -> None:
    """A missing id is remembered only while no subject begins to use it."""
    api.registered("hidden", PROBE)
    api.registered("orders-value", record("a"))
    reader, hot = api_with("schema.read", subjects=("orders-*",)), HotPath(WSGIHandler())
    for path in ("/schemas/ids/2", BY_ID, BY_ID):
        found = answer(hot, environ_of(path, reader.token))
    assert found[0] == "404 Not Found"
    api.registered("orders-key", PROBE)
    assert answer(hot, environ_of(BY_ID, reader.token))[0] == "200 OK"


@COMMITS
def test_a_new_id_is_seen_at_once(api: Registry) -> None:
    api.registered("s", PROBE)
    hot = HotPath(WSGIHandler())
    assert [answer(hot, environ_of(path, api.token))[0][:3] for path in (BY_ID, "/schemas/ids/2")] == [
        "200",
        "404",
    ]
    api.registered("t", record("a"))
    assert answer(hot, environ_of("/schemas/ids/2", api.token))[0] == "200 OK"


def seconds_until(status: int, url: str, token: str) -> float:
    """Ask until another process answers so."""
    begin = time.monotonic()
    while time.monotonic() - begin < PATIENCE_S:
        sent = {"Authorization": f"Bearer {token}"}
        if requests.get(url, headers=sent, timeout=20).status_code == status:
            break
    return time.monotonic() - begin


@COMMITS
def test_a_schema_deleted_elsewhere_is_gone_in_time(
    api: Registry, granian_server: Callable[..., RunningProcess]
) -> None:
    api.registered("s", PROBE)
    url = granian_server().url + PREFIX + BY_ID
    assert seconds_until(200, url, api.token) < PATIENCE_S
    api.delete("/subjects/s")
    api.delete("/subjects/s?permanent=true")
    assert seconds_until(404, url, api.token) < BOUND_S + MARGIN_S


@COMMITS
def test_a_process_that_hears_nothing_is_bound_to_two_seconds(
    api: Registry, servers: Servers, granian_server: Callable[..., RunningProcess]
) -> None:
    api.registered("s", PROBE)
    url = granian_server().url + PREFIX + BY_ID
    assert seconds_until(200, url, api.token) < PATIENCE_S
    api.delete("/subjects/s")
    deafen(servers)
    api.delete("/subjects/s?permanent=true")
    assert seconds_until(404, url, api.token) < BOUND_S + MARGIN_S


def deafen(servers: Servers) -> None:
    """Cut the listening connections of every process."""
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND query LIKE 'LISTEN %%'"
    )
    with psycopg.connect(servers.superuser_url, autocommit=True) as superuser:
        assert superuser.execute(cut, [connection.settings_dict["NAME"]]).rowcount >= 1


@COMMITS
def test_a_revoked_token_is_out_in_time(alice: Actor, granian_server: Callable[..., RunningProcess]) -> None:
    issued = issued_for(alice)
    Registry(issued.value).registered("s", PROBE)
    url = granian_server().url + PREFIX + BY_ID
    assert seconds_until(200, url, issued.value) < PATIENCE_S
    revoke_token(operator_scope(alice.tenant.ref), key_id=issued.record.key_id)
    assert seconds_until(401, url, issued.value) < BOUND_S + MARGIN_S


def test_only_reads_by_id_are_marked() -> None:
    assert [route.template for route in ROUTES if route.is_immutable] == [
        "/schemas/ids/{id}",
        "/schemas/ids/{id}/schema",
    ]


@pytest.mark.parametrize(
    "query",
    ["subject=s", "%73ubject=s", "a=b&subject=", "fetchMaxId=true", "fetchMaxId=false", "\xe9", "a" * 300],
)
def test_questions_about_more_than_the_row_are_not_read(query: str) -> None:
    assert hot_reads.read({**environ_of(BY_ID), "QUERY_STRING": query}) is None


@pytest.mark.parametrize("raw", [f"{PREFIX}/schemas/ids/1%2Fschema", f"{PREFIX}/schemas/ids%2F1/schema"])
def test_a_path_that_was_sent_otherwise_is_not_read(raw: str) -> None:
    asked = environ_of(f"{BY_ID}/schema")
    assert hot_reads.read(asked) is not None
    assert hot_reads.read({**asked, RAW_PATH: raw}) is None


@pytest.mark.parametrize(
    "path",
    [
        "/schemas/ids/1/x",
        "/schemas/ids/",
        "/schemas/ids/1234567890",
        "/subjects",
        "/contexts/.c/schemas/ids/1",
        "/schemas/guids/1",
    ],
)
def test_other_paths_are_not_read(path: str) -> None:
    assert hot_reads.read(environ_of(path)) is None


def test_the_order_of_parameters_means_nothing() -> None:
    one, other = (hot_reads.read(environ_of(BY_ID, query=query)) for query in ("a=1&b=2&a=3", "b=2&a=1&a=3"))
    assert one == other is not None
    assert one != hot_reads.read(environ_of(BY_ID, query="a=3&b=2&a=1"))
