"""Routes and hostile subjects: no name that can be registered is ever read as something else."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accord.errors import InvalidSubject
from accord.naming import split_subject, validate_new_subject
from accord_server.kit.error_tables import HttpError
from registry.api.confluent.urls import RESOLVER, ROUTES, Route, Unseen
from tenants.rights import RIGHTS

if TYPE_CHECKING:
    from registry.api.confluent.routing import Match

PIECES = [
    "/",
    "//",
    "/versions/1",
    "versions",
    "schema",
    "metadata",
    "latest",
    "1",
    "%",
    "%2F",
    ":",
    ":.c:",
    "+",
    "ü",
    ".",
    "..",
    "subjects",
    "config",
    "referencedby",
    "?",
    "#",
    "a",
]
PIECED = st.lists(st.sampled_from([*PIECES, " "]), min_size=1, max_size=6).map("".join)
SUBJECTS = PIECED | st.text(min_size=1, max_size=30)
WITH_SUBJECT = [route for route in ROUTES if "{subject}" in route.template]


def resolve(method: str, path: str, raw: str | None = None) -> Match[Route]:
    return RESOLVER.resolve(method, path, raw)


def registrable(subject: str) -> bool:
    try:
        validate_new_subject(split_subject(subject))
    except (InvalidSubject, UnicodeEncodeError):
        return False
    return bool(split_subject(subject).name)


def fill(route: Route, subject: str) -> str:
    return route.template.replace("{version}", "7").replace("{subject}", subject)


@given(subject=SUBJECTS, route=st.sampled_from(WITH_SUBJECT), slash=st.sampled_from(["", "/"]))
def test_a_registrable_subject_is_read_in_one_way(subject: str, route: Route, slash: str) -> None:
    assume(registrable(subject))
    decoded = resolve(route.method, fill(route, subject) + slash)
    exact = resolve(route.method, fill(route, subject), fill(route, quote(subject, safe="")) + slash)
    for match in (decoded, exact):
        assert match.methods[route.method] is route
        assert match.values["subject"] == subject


@given(path=st.text(max_size=60), method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]))
def test_any_path_is_a_route_or_a_refusal(path: str, method: str) -> None:
    assert outcome(method, "/" + path) in {200, 404, 405}


def outcome(method: str, path: str) -> int:
    try:
        return 200 if resolve(method, path, quote(path)).methods else 0
    except HttpError as refusal:
        return refusal.status


@pytest.mark.parametrize("subject", ["x/versions", "x/versions/1", "x/metadata", "x/", "x/versions/1/schema"])
def test_names_that_end_like_the_api_still_reach_registration(subject: str) -> None:
    """There they are refused by name, with and without the path as it was sent."""
    path = f"/subjects/{subject}/versions"
    for raw in (None, f"/subjects/{quote(subject, safe='')}/versions"):
        assert resolve("POST", path, raw).values["subject"] == subject


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/subjects/s/versions/1/nowhere", 404),
        ("POST", "/subjects/s/versions/1", 405),
        ("PUT", "/subjects/s", 405),
        ("DELETE", "/schemas/ids/1", 405),
        ("PATCH", "/config", 405),
        ("GET", "//subjects", 404),
    ],
)
def test_unknown_paths_and_wrong_methods(method: str, path: str, status: int) -> None:
    with pytest.raises(HttpError) as refusal:
        resolve(method, path)
    assert refusal.value.status == status


def test_a_path_as_it_was_sent_is_believed_first() -> None:
    match = resolve("POST", "/subjects/a/versions/1", "/subjects/a%2Fversions%2F1")
    assert match.template == "/subjects/{subject}"


def test_a_proxy_that_decoded_the_slash_does_no_harm() -> None:
    match = resolve("GET", "/subjects/a/b/versions/1", "/subjects/a/b/versions/1")
    assert match.values == {"subject": "a/b", "version": "1"}


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.template}")
def test_the_table_says_what_tests_need(route: Route) -> None:
    """Every right exists, and a route that needs one says what the unentitled see."""
    assert route.template.startswith("/")
    assert {route.right, route.permanent_right} <= {*RIGHTS, ""}
    assert (route.unseen is Unseen.NOTHING_HIDDEN) is (not route.right)
