"""Binding a policy to each kind of place, and taking it off."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from registry.policy_records import PolicyPlace
from registry.queries.policies import binding_changes, list_bindings
from tests import factories
from tests.frontend.policies import bind, scope_at, store
from tests.frontend.views.test_policies import CAREFUL, LIST, POLICY, plain
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from django.test import Client

    from tenants.records import TenantRecord
    from tests.cast import Actor
    from tests.frontend.conftest import SignedIn

BIND, UNBIND = LIST + "-/bind", LIST + "-/unbind"
PLACES = {
    "tenant north": {"reach": "tenant"},
    "namespace default": {"reach": "namespace", "namespace": "default"},
    "subject prefix orders-": {"reach": "prefix", "namespace": "default", "name": "orders-"},
    "subject :.ctx:a/b": {"reach": "subject", "namespace": "default", "name": ":.ctx:a/b"},
}


def places(actor: Actor) -> list[str]:
    return [str(one.place) for one in list_bindings(scope_at(actor), limit=50).rows]


def sent_back(client: Client, address: str, place: dict[str, str]) -> dict[str, str]:
    """Return the form of a page as a browser sends it."""
    page = client.get(address, place).content.decode()
    return dict(re.findall(r'<input type="hidden" name="((?!csrf)\w+)" value="([^"]*)"', html.unescape(page)))


@pytest.mark.parametrize("words", PLACES)
def test_a_policy_is_bound_and_taken_off(as_alice: Client, alice: Actor, words: str) -> None:
    store(alice, CAREFUL)
    answer = as_alice.post(BIND, {**PLACES[words], "policy": "careful"})
    assert (answer.status_code, answer.headers["Location"]) == (302, POLICY + "#bound")
    assert places(alice) == [words]
    assert words in plain(text_of(as_alice, POLICY))
    assert as_alice.post(UNBIND, PLACES[words]).status_code == 409
    assert as_alice.post(UNBIND, sent_back(as_alice, UNBIND, PLACES[words])).status_code == 302
    assert places(alice) == []


def test_what_is_bound_there_is_shown_before_it_is_replaced(as_alice: Client, alice: Actor) -> None:
    bind(alice, CAREFUL)
    store(alice, "name: loose")
    form = {**PLACES["namespace default"], "policy": "loose", "reason": "try it"}
    late = as_alice.post(BIND, form)
    assert late.status_code == 409
    assert "The policy bound there now is careful." in plain(late.content.decode())
    sent = {**form, "seen": "1", "seen_at": "?reach=namespace&namespace=default"}
    assert as_alice.post(BIND, sent).status_code == 302
    scope = scope_at(alice)
    told = binding_changes(scope, PolicyPlace(scope.namespace), limit=5).rows
    assert [(one.number, one.policy, one.reason) for one in told] == [
        (2, "loose", "try it"),
        (1, "careful", ""),
    ]
    assert as_alice.post(BIND, {**sent, "policy": "careful"}).status_code == 409


def test_the_form_knows_the_place_and_what_is_bound_there(as_alice: Client, alice: Actor) -> None:
    bind(alice, CAREFUL, "orders-", is_prefix=True)
    page = text_of(as_alice, BIND + "?reach=prefix&namespace=default&name=orders-&policy=careful")
    assert "The policy bound there now is careful." in page
    assert 'value="prefix" required checked' in page
    assert 'name="name" value="orders-"' in page
    assert '<option value="careful" selected>' in page


def test_without_policies_the_form_leads_to_the_editor(as_alice: Client) -> None:
    page = text_of(as_alice, BIND)
    assert "There is no policy to bind yet" in page
    assert f'href="{LIST}-/new"' in page


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({}, "Choose the namespace"),
        ({"reach": "sideways", "namespace": "default"}, "Choose the namespace"),
        ({"reach": "namespace", "namespace": "nowhere"}, "Choose the namespace"),
        ({"reach": "subject", "namespace": "default"}, "Write the subject"),
        ({"reach": "subject", "namespace": "default", "name": "__GLOBAL"}, "No subject can be named so."),
        ({"reach": "prefix", "namespace": "default", "name": ":.:"}, "it has no name"),
        ({"reach": "tenant", "policy": "gone"}, "Policy 'gone' not found."),
    ],
)
def test_what_cannot_be_bound_is_said_and_the_form_stays(
    as_alice: Client, alice: Actor, form: dict[str, str], says: str
) -> None:
    store(alice, CAREFUL)
    answer = as_alice.post(BIND, {"policy": "careful", **form})
    assert answer.status_code == 422
    assert says in plain(answer.content.decode())
    assert places(alice) == []


def test_a_form_offers_only_what_one_may_do(north: TenantRecord, alice: Actor, signed_in: SignedIn) -> None:
    store(alice, CAREFUL)
    factories.make_namespace(north, "staging")
    page = text_of(signed_in("dora", "steward", subjects="orders-*"), BIND)
    assert '<option value="default">' in page
    assert "staging" not in page
    assert 'value="tenant"' not in page


@pytest.mark.parametrize("place", [PLACES["tenant north"], PLACES["namespace default"]])
def test_binding_beyond_ones_right_names_the_right(
    alice: Actor, signed_in: SignedIn, place: dict[str, str]
) -> None:
    bind(alice, CAREFUL)
    client = signed_in("dora", "steward", subjects="orders-*")
    answer = client.post(BIND, {**place, "policy": "careful"})
    assert answer.status_code == 404
    assert places(alice) == ["namespace default"]


def test_who_only_reads_is_told_the_right(as_bob: Client, alice: Actor) -> None:
    bind(alice, CAREFUL)
    for address, form in ((BIND, {"policy": "careful"}), (UNBIND, {})):
        sent = {**PLACES["namespace default"], **form}
        for answer in (as_bob.get(address, sent), as_bob.post(address, sent)):
            assert answer.status_code == 403
            assert "<code>policy.write</code>" in answer.content.decode()
    assert places(alice) == ["namespace default"]


@pytest.mark.parametrize("place", [{}, {"reach": "namespace", "namespace": "default"}])
def test_nothing_can_be_taken_off_where_nothing_is(as_alice: Client, place: dict[str, str]) -> None:
    assert as_alice.get(UNBIND, place).status_code == 404
    assert as_alice.post(UNBIND, place).status_code == 404


def test_before_a_policy_is_taken_off_it_is_asked(as_alice: Client, alice: Actor) -> None:
    bind(alice, CAREFUL, "orders-", is_prefix=True)
    page = plain(text_of(as_alice, UNBIND + "?reach=prefix&namespace=default&name=orders-"))
    assert "careful is bound to subject prefix orders- in default" in page


def test_a_reason_for_taking_off_is_kept_and_asked_for_once(as_alice: Client, alice: Actor) -> None:
    bind(alice, CAREFUL)
    form = {**PLACES["namespace default"], "reason": "not ours"}
    assert 'name="reason" value=""' in text_of(as_alice, UNBIND + "?reach=namespace&namespace=default")
    late = as_alice.post(UNBIND, form)
    assert (late.status_code, 'name="reason" value="not ours"' in late.content.decode()) == (409, True)
    assert "has changed since you looked" in late.content.decode()
    sent = {**form, "seen": "1", "seen_at": "?reach=namespace&namespace=default"}
    assert as_alice.post(UNBIND, sent).status_code == 302
    scope = scope_at(alice)
    told = binding_changes(scope, PolicyPlace(scope.namespace), limit=1).rows
    assert [(one.policy, one.reason) for one in told] == [(None, "not ours")]
