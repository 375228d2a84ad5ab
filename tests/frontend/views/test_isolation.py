"""What may not be seen looks missing: each page, each way to be a stranger, one answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from django.test import Client

from tests.cast import issued_for
from tests.contract.addresses import claimed_by

if TYPE_CHECKING:
    from tests.cast import Actor
    from tests.frontend.conftest import SignedIn

VALUES = {
    "tenant": "north",
    "namespace": "default",
    "subject": "orders-value",
    "module": "shop.orders",
    "policy": "careful",
    "rule_id": "FROZEN",
    "record": "1",
    "name": "id",
    "pk": "1",
    "provider_id": "corp",
    "key_id": "0" * 12,
    "principal": "person:alice",
    "role": "viewer",
    "run": "00000000-0000-0000-0000-000000000000",
}
PAGES = claimed_by("pages")
# Open to everybody, or only there to be posted to.
DOOR = {page.pattern for page in PAGES if page.pattern.lstrip("^").startswith(("sign-", "invitation"))}
MANUALS = ("api/docs", "rules/")
OPEN = {*DOOR, "theme", *(page.pattern for page in PAGES if page.pattern.startswith(MANUALS))}
# Pages that take back what their form sends.
ENDINGS = (
    "t/<str:tenant>/",
    "/deleted",
    "/register",
    "/life",
    "-/new",
    "-/bind",
    "-/unbind",
    "/edit",
    "/revert",
    "<uuid:run>",
    "<str:key_id>",
    "/members/",
    "<str:principal>",
    "<str:role>",
)
FORMS = [page.path(VALUES) for page in PAGES if page.pattern.endswith(ENDINGS)]
OWN = {page.path(VALUES) for page in PAGES if page.pattern.startswith("account/")} - {"/account/"}
WRITABLE = {"/theme", *OWN, *FORMS}
READ_ONLY = [
    address
    for address in (page.path(VALUES) for page in PAGES if page.pattern not in DOOR)
    if address not in WRITABLE
]


def pages_with(name: str) -> list[str]:
    """The address of each page that has this variable."""
    return [page.path(VALUES) for page in PAGES if name in page.names]


def without_the_moment(answer: bytes) -> str:
    """The page without what differs from request to request: its id, the form's token, its address."""
    text = re.sub(r'(csrfmiddlewaretoken" value=")[^"]*', r"\1", answer.decode())
    text = re.sub(r'(<code id="request-id">)[^<]*', r"\1", text)
    return re.sub(r'(name="next" value=")[^"]*', r"\1", text)


@pytest.mark.parametrize("address", pages_with("tenant"))
def test_a_foreign_tenant_looks_like_none(as_mallory: Client, orders: str, address: str) -> None:
    foreign, unknown = as_mallory.get(address), as_mallory.get(address.replace("north", "nowhere"))
    assert foreign.status_code == unknown.status_code == 404
    assert without_the_moment(foreign.content) == without_the_moment(unknown.content)


@pytest.mark.parametrize("address", pages_with("namespace"))
def test_a_namespace_without_a_role_looks_like_none(as_carol: Client, orders: str, address: str) -> None:
    closed, unknown = as_carol.get(address), as_carol.get(address.replace("default", "nowhere"))
    assert closed.status_code == unknown.status_code == 404
    assert without_the_moment(closed.content) == without_the_moment(unknown.content)


@pytest.mark.parametrize("address", pages_with("subject"))
def test_an_unreadable_subject_looks_like_none(signed_in: SignedIn, orders: str, address: str) -> None:
    client = signed_in("dora", "viewer", subjects="payments-*")
    hidden, unknown = client.get(address), client.get(address.replace("orders", "nothing"))
    assert hidden.status_code == unknown.status_code == 404
    assert without_the_moment(hidden.content) == without_the_moment(unknown.content)


def test_what_is_another_tenants_is_nowhere_in_ones_own(
    as_mallory: Client, alice: Actor, bob: Actor, orders: str
) -> None:
    """Mallory may do everything in *south*, and finds there nothing of *north*."""
    token = issued_for(alice).record.key_id
    values = {**VALUES, "tenant": "south", "principal": bob.key, "key_id": token}
    ghosts = {**values, "subject": "ghosts-value", "principal": "person:ghost", "key_id": "1" * 12}

    def told(address: str) -> tuple[int, str]:
        answer = as_mallory.get(address)
        return answer.status_code, without_the_moment(answer.content).replace("ghosts-value", "orders-value")

    pages = [page for page in PAGES if {"subject", "principal", "key_id"} & {*page.names}]
    assert [one.pattern for one in pages if told(one.path(values)) != told(one.path(ghosts))] == []
    assert {told(one.path(values))[0] for one in pages} == {404}


@pytest.mark.parametrize("address", pages_with("subject"))
def test_a_readable_subject_is_there(as_bob: Client, orders: str, address: str) -> None:
    """Otherwise the refusals above would prove nothing."""
    assert as_bob.get(address).status_code == 200


@pytest.mark.parametrize(
    "address", ["/t/nowhere/", *(page.path(VALUES) for page in PAGES if page.pattern not in OPEN)]
)
def test_strangers_are_asked_to_sign_in_whatever_is_there(client: Client, orders: str, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 302
    assert unquote(answer.headers["Location"]) == f"/sign-in?next={address}"


def test_carol_chooses_among_her_namespaces_only(as_carol: Client, north: object) -> None:
    page = as_carol.get("/t/north/").content.decode()
    assert "/t/north/ns/payments/" in page
    assert "/t/north/ns/default/" not in page


@pytest.mark.parametrize(
    "tail", ["a~2fb/-/", "a~b/-/", "./-/", "~41/-/", "__GLOBAL/-/", "x/-/nothing", "/-/"]
)
def test_an_address_that_no_page_has_is_not_found(as_bob: Client, tail: str) -> None:
    assert as_bob.get(f"/t/north/ns/default/s/{tail}").status_code == 404


@pytest.mark.parametrize("address", READ_ONLY)
def test_pages_are_read_only(as_alice: Client, orders: str, address: str) -> None:
    assert as_alice.post(address).status_code == 405


@pytest.mark.parametrize("address", FORMS)
def test_a_form_of_a_foreign_tenant_looks_like_none(as_mallory: Client, north: object, address: str) -> None:
    foreign, unknown = as_mallory.post(address), as_mallory.post(address.replace("north", "nowhere"))
    assert foreign.status_code == unknown.status_code == 404
    assert without_the_moment(foreign.content) == without_the_moment(unknown.content)


@pytest.mark.parametrize("address", FORMS)
def test_a_form_without_its_token_changes_nothing(alice: Actor, address: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice.user)
    answer = client.post(address, {"text": "name: careful", "do": "save"})
    assert answer.status_code == 403
    assert "The form could not be checked" in answer.content.decode()
