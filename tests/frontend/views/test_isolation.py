"""What may not be seen looks missing: each page, each way to be a stranger, one answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from tests.frontend.conftest import SignedIn

TAILS = ["", "versions", "diff?from=1&to=2", "raw"]
SUBJECT = "/t/north/ns/default/s/orders-value/-/"


def without_the_moment(answer: bytes) -> str:
    """The page without what differs from request to request: its id, the form's token, its address."""
    text = re.sub(r'(csrfmiddlewaretoken" value=")[^"]*', r"\1", answer.decode())
    text = re.sub(r'(<code id="request-id">)[^<]*', r"\1", text)
    return re.sub(r'(name="next" value=")[^"]*', r"\1", text)


@pytest.mark.parametrize("tail", TAILS)
def test_a_foreign_tenant_looks_like_none(as_mallory: Client, orders: str, tail: str) -> None:
    foreign = as_mallory.get(SUBJECT + tail)
    unknown = as_mallory.get(SUBJECT.replace("north", "nowhere") + tail)
    assert foreign.status_code == unknown.status_code == 404
    assert without_the_moment(foreign.content) == without_the_moment(unknown.content)


@pytest.mark.parametrize("address", ["/t/north/", "/t/north/ns/default/"])
def test_a_foreign_tenants_own_pages_look_like_none(as_mallory: Client, orders: str, address: str) -> None:
    foreign, unknown = as_mallory.get(address), as_mallory.get(address.replace("north", "nowhere"))
    assert foreign.status_code == unknown.status_code == 404
    assert without_the_moment(foreign.content) == without_the_moment(unknown.content)


@pytest.mark.parametrize("tail", TAILS)
def test_a_namespace_without_a_role_looks_like_none(as_carol: Client, orders: str, tail: str) -> None:
    closed = as_carol.get(SUBJECT + tail)
    unknown = as_carol.get(SUBJECT.replace("default", "nowhere") + tail)
    assert closed.status_code == unknown.status_code == 404
    assert without_the_moment(closed.content) == without_the_moment(unknown.content)


@pytest.mark.parametrize("tail", TAILS)
def test_an_unreadable_subject_looks_like_none(signed_in: SignedIn, orders: str, tail: str) -> None:
    client = signed_in("dora", "viewer", subjects="payments-*")
    hidden = client.get(SUBJECT + tail)
    unknown = client.get(SUBJECT.replace("orders", "nothing") + tail)
    assert hidden.status_code == unknown.status_code == 404
    assert without_the_moment(hidden.content) == without_the_moment(unknown.content)


@pytest.mark.parametrize("address", ["/", "/t/north/", "/t/nowhere/", "/t/north/ns/default/", SUBJECT])
def test_strangers_are_asked_to_sign_in_whatever_is_there(client: Client, orders: str, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/sign-in?next={address}"


def test_carol_chooses_among_her_namespaces_only(as_carol: Client, north: object) -> None:
    page = as_carol.get("/t/north/").content.decode()
    assert "/t/north/ns/payments/" in page
    assert "/t/north/ns/default/" not in page


@pytest.mark.parametrize(
    "tail", ["a~2fb/-/", "a~b/-/", "./-/", "~41/-/", "__GLOBAL/-/", "x/-/nothing", "/-/"]
)
def test_an_address_that_no_page_has_is_not_found(as_bob: Client, tail: str) -> None:
    assert as_bob.get(f"/t/north/ns/default/s/{tail}").status_code == 404


@pytest.mark.parametrize("address", ["/t/north/ns/default/", SUBJECT, "/rules/"])
def test_pages_are_read_only(as_alice: Client, orders: str, address: str) -> None:
    assert as_alice.post(address).status_code == 405
