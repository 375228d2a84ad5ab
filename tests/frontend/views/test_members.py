"""The pages of people, service accounts and roles, and of who may do what."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tenants import services
from tenants.models import Invitation
from tenants.principals import operator_scope
from tenants.queries.people import get_principal
from tenants.queries.roles import WantedBindings, get_role, list_bindings
from tests import factories
from tests.cast import issued_for
from tests.frontend.views.test_subjects import statements, text_of
from tests.places import place

if TYPE_CHECKING:
    import pytest
    from django.http import HttpResponse
    from django.test import Client

    from tests.cast import Actor, ScopeFor

MEMBERS = "/t/north/members/"
ROLES = "/t/north/roles/"
ACCESS = "/t/north/access"


def sent(client: Client, address: str, do: str, **values: Any) -> HttpResponse:
    return client.post(address, {"do": do, **values})  # type: ignore[return-value]  # a test client's answer is one


def held(scope_for: ScopeFor, actor: Actor, key: str) -> list[tuple[str, str | None, str]]:
    found = list_bindings(scope_for(actor, None), wanted=WantedBindings(principal=key), limit=9)
    return [(one.role, one.namespace, one.subjects) for one in found.rows]


def test_the_lists_lead_to_everybody(as_alice: Client, alice: Actor, bob: Actor) -> None:
    factories.make_account(alice.tenant, "robot")
    page = text_of(as_alice, MEMBERS)
    for key in ("person:alice", "person:bob", "service:robot"):
        assert f'href="{MEMBERS}{key}"' in page
        assert as_alice.get(MEMBERS + key).status_code == 200
    assert as_alice.get(MEMBERS + "person:nobody").status_code == 404


def test_the_lists_are_paged_and_cost_the_same(
    as_alice: Client, alice: Actor, bob: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug in ("one", "two"):
        factories.make_account(alice.tenant, slug)
    few = statements(as_alice, MEMBERS)
    assert few <= 20
    monkeypatch.setattr("frontend.views.members.PAGE_SIZE", 1)
    page = text_of(as_alice, MEMBERS)
    assert "person:bob" not in page
    assert "service:two" not in page
    assert "person:bob" in text_of(as_alice, f"{MEMBERS}?after={place(alice, MEMBERS, 'alice')}")
    assert "service:two" in text_of(as_alice, f"{MEMBERS}?accounts={place(alice, MEMBERS, 'one')}")


def test_an_invitation_is_shown_once_and_revoked(as_alice: Client, alice: Actor, scope_for: ScopeFor) -> None:
    answer = sent(as_alice, MEMBERS, "invite", who="erin@example.com", role="viewer", namespace="default")
    assert "no-store" in answer.headers["Cache-Control"]
    secret = re.findall(r'id="secret">([^<]+)<', answer.content.decode())[0]
    page = text_of(as_alice, MEMBERS)
    assert secret not in page
    assert "erin@example.com" in page
    row = Invitation.objects.scoped(scope_for(alice)).get()
    (kept,) = row.bindings
    del kept["namespace_id"]
    assert kept == {"role": "viewer", "namespace": "default", "subjects": "*"}
    assert sent(as_alice, MEMBERS, "revoke", id=row.pk).status_code == 302
    assert "erin@example.com" not in text_of(as_alice, MEMBERS)
    assert sent(as_alice, MEMBERS, "invite", who="bob").status_code == 200


def test_what_cannot_be_added_is_said_beside_its_form(as_alice: Client) -> None:
    for do, values, status in (
        ("invite", {"who": "no address@"}, 422),
        ("invite", {"who": "x", "role": "viewer", "subjects": "a*"}, 422),
        ("invite", {"who": "x" * 2000}, 422),
        ("account", {"slug": "Not A Slug"}, 422),
        ("revoke", {"id": "nonsense"}, 404),
        ("nonsense", {}, 400),
    ):
        assert sent(as_alice, MEMBERS, do, **values).status_code == status
    assert sent(as_alice, MEMBERS, "account", slug="robot", description="Checks").status_code == 302
    again = sent(as_alice, MEMBERS, "account", slug="robot")
    assert again.status_code == 409
    assert 'id="account-error"' in again.content.decode()


def test_roles_are_given_and_taken_away(
    as_alice: Client, alice: Actor, bob: Actor, scope_for: ScopeFor
) -> None:
    page = MEMBERS + bob.key
    given = {"role": "editor", "namespace": "default", "subjects": "orders-*"}
    assert sent(as_alice, page, "bind", **given).status_code == 302
    assert ("editor", "default", "orders-*") in held(scope_for, alice, bob.key)
    text = text_of(as_alice, page)
    assert "in the namespace default" in text
    assert sent(as_alice, page, "bind", role="editor", subjects="a*").status_code == 422
    assert sent(as_alice, page, "bind", role="nonsense").status_code == 422
    binding = re.findall(r'name="id" value="([^"]+)"', text)[0]
    assert sent(as_alice, page, "unbind", id=binding).status_code == 302
    assert len(held(scope_for, alice, bob.key)) == 1
    assert sent(as_alice, page, "unbind", id="nonsense").status_code == 404


def test_somebody_is_suspended_resumed_and_removed(
    as_alice: Client, alice: Actor, bob: Actor, scope_for: ScopeFor
) -> None:
    page = MEMBERS + bob.key
    for do, is_active in (("suspend", False), ("resume", True)):
        seen = get_principal(scope_for(alice), bob.key).revision
        assert sent(as_alice, page, do, seen=seen).status_code == 302
        assert get_principal(scope_for(alice), bob.key).is_active is is_active
    assert sent(as_alice, page, "suspend", seen=1).status_code == 409
    assert sent(as_alice, page, "nonsense").status_code == 400
    seen = get_principal(scope_for(alice), bob.key).revision
    assert sent(as_alice, page, "remove", seen=seen).status_code == 302
    assert "person:bob" not in text_of(as_alice, MEMBERS)


def test_the_last_admin_stays(as_alice: Client, alice: Actor) -> None:
    answer = sent(as_alice, MEMBERS + alice.key, "suspend", seen=1)
    assert answer.status_code == 409
    assert "the last who can give roles" in answer.content.decode()


def test_without_the_rights_there_is_no_tab_and_no_way(as_bob: Client, bob: Actor) -> None:
    page = text_of(as_bob, "/t/north/")
    for address in (MEMBERS, MEMBERS + bob.key, ROLES, ROLES + "viewer", ROLES + "-/new", ACCESS):
        assert f'href="{address}"' not in page
        assert as_bob.get(address).status_code == 403


def test_who_may_see_people_may_not_change_them(as_carol: Client, carol: Actor) -> None:
    services.create_role(operator_scope(carol.tenant.ref), name="reader", rights=frozenset({"member.read"}))
    services.bind_role(operator_scope(carol.tenant.ref), principal=carol.key, role="reader")
    page = text_of(as_carol, MEMBERS + carol.key)
    assert "Seeing them needs role.read." in page
    assert 'name="do"' not in page
    assert 'name="do"' not in text_of(as_carol, MEMBERS)
    assert sent(as_carol, MEMBERS, "account", slug="robot").status_code == 403


def test_a_role_of_the_tenants_own(as_alice: Client, alice: Actor, bob: Actor, scope_for: ScopeFor) -> None:
    wanted = {"name": "release-manager", "summary": "Ships", "right": ["subject.write", "export", "nonsense"]}
    assert sent(as_alice, ROLES + "-/new", "save", **wanted).status_code == 302
    assert get_role(scope_for(alice), "release-manager").rights == {"subject.write", "export"}
    page = ROLES + "release-manager"
    assert sent(as_alice, page, "save", seen=1, summary="Ships", right=["export"]).status_code == 302
    assert sent(as_alice, page, "save", seen=1, right=["export"]).status_code == 409
    assert sent(as_alice, ROLES + "-/new", "save", **wanted).status_code == 409
    assert sent(as_alice, ROLES + "-/new", "save", name="empty").status_code == 422
    assert sent(as_alice, MEMBERS + bob.key, "bind", role="release-manager").status_code == 302
    text = text_of(as_alice, page)
    assert 'value="export" checked' in text
    assert f'href="{MEMBERS}person:bob"' in text
    assert sent(as_alice, page, "delete", seen=2).status_code == 409
    services.unbind_role(scope_for(alice, None), principal=bob.key, role="release-manager")
    assert sent(as_alice, page, "delete", seen=2).status_code == 302
    assert "release-manager" not in text_of(as_alice, ROLES)


def test_a_built_in_role_is_shown_and_stays(as_alice: Client) -> None:
    page = text_of(as_alice, ROLES + "viewer")
    assert "It is built in and cannot be changed." in page
    assert "subject.read" in page
    assert sent(as_alice, ROLES + "viewer", "save", right=["export"]).status_code == 409
    assert as_alice.get(ROLES + "nonsense").status_code == 404


def test_who_may_and_by_what(
    as_alice: Client, alice: Actor, bob: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = f"{ACCESS}?action=subject.read&object=default/orders-value"
    page = text_of(as_alice, asked)
    assert "role admin in the whole tenant" in page
    assert f'href="{MEMBERS}person:bob"' in page
    page = text_of(as_alice, f"{ACCESS}?action=subject.write&object=default&principal=person:bob")
    assert "may not" in page
    key = issued_for(bob, "subject.read").record.key_id
    assert f'href="/t/north/tokens/{key}"' in text_of(as_alice, f"{asked}&principal=token:{key}")
    for query, status in (("action=nonsense", 422), ("action=export&object=nowhere", 404)):
        assert as_alice.get(f"{ACCESS}?{query}").status_code == status
    assert "Answer" not in text_of(as_alice, ACCESS)
    monkeypatch.setattr("frontend.views.roles.PAGE_SIZE", 1)
    page = text_of(as_alice, asked)
    assert "person:bob" not in page
    assert 'rel="next"' in page
    assert "person:bob" in text_of(as_alice, f"{asked}&after={place(alice, ACCESS, 'person:alice')}")
    assert "The list ends here" in text_of(as_alice, f"{asked}&after={place(alice, ACCESS, 'person:zoe')}")
