"""The pages of tokens: issuing with a live sentence, the secret shown once, the list, the steps of a life."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.test import Client

from frontend.pages.tokens import STATES
from tenants import services
from tenants.models import TokenState
from tenants.principals import operator_scope
from tenants.queries.tokens import tokens_of
from tenants.records import TokenRules
from tenants.services.roles import create_role
from tenants.services.tenancy import update_tenant
from tests import factories
from tests.cast import bearer, issued_for
from tests.frontend.views.test_subjects import statements, text_of
from tests.places import place

if TYPE_CHECKING:
    import pytest
    from django.http import HttpResponse

    from tenants.records import TokenRecord
    from tests.cast import Actor, ScopeFor

LIST = "/t/north/tokens/"
NEW = LIST + "-/new"
FORM: dict[str, Any] = {
    "grants": "1",
    "name": "orders service",
    "owner": "person:alice",
    "preset-0": "consumer",
    "namespace-0": ["default"],
    "subjects-0": "orders-*\r\ntopic:payments\r\n",
    "lifetime": "30",
    "unit": "d",
}


def sent(client: Client, do: str, **changes: Any) -> HttpResponse:
    return client.post(NEW, {**FORM, "do": do, **changes})  # type: ignore[return-value]  # a test client's answer is one


def said(client: Client, **changes: Any) -> str:
    """The part that is swapped while one types."""
    values = {**FORM, "do": "say", **{name.replace("_0", "-0"): value for name, value in changes.items()}}
    answer = client.post(NEW, values, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "<html" not in text
    return re.sub(r"</?bdi>", "", text).replace("&quot;", '"').replace("&#x27;", "'")


def newest(scope_for: ScopeFor, actor: Actor) -> TokenRecord:
    return tokens_of(scope_for(actor))[0]


def test_the_sentence_says_what_where_when_and_whence(as_alice: Client) -> None:
    page = said(as_alice, within="10.0.0.0/8", outside="10.1.0.0/16, ::1", max_uses="7")
    assert (
        "In the namespace default, on subjects that begin with “orders-” and the key and the value of" in page
    )
    assert (
        "topic “payments”, it may: read a subject, its versions and their schemas; read a schema by" in page
    )
    assert "only from 10.0.0.0/8, never from 10.1.0.0/16 and ::1/128, for 7 requests." in page
    assert "It counts until" in page


def test_the_sentence_knows_contexts_namespaces_and_reaches(as_alice: Client) -> None:
    page = said(as_alice, namespace_0=["*"], subjects_0="a\r\n:.lab:b*\r\n:.lab:*")
    assert (
        "In every namespace, on the subject “a”, subjects that begin with “b” of the context “.lab” and"
        in page
    )
    page = said(as_alice, preset_0="own", subjects_0="*", **{"right-0": ["export", "tenant.read"]})
    assert "In the namespace default it may: export the content of a namespace." in page
    assert "In the whole tenant it may: see the tenant and its settings." in page
    many = "\r\n".join(f"s{number}" for number in range(12))
    assert "“s9” and 2 more," in said(as_alice, subjects_0=many)


def test_the_sentence_warns(as_alice: Client, as_bob: Client, alice: Actor) -> None:
    own = {"preset_0": "own", "right-0": ["subject.purge", "export"]}
    page = said(as_alice, **own)
    assert "export cannot be given on a part" in page
    assert "Take care who gets it: subject.purge" in page
    assert "person:bob does not hold subject.purge there" in said(as_bob, owner="person:bob", **own)
    factories.make_account(alice.tenant, "robot")
    assert "service:robot does not hold schema.read there" in said(as_alice, owner="service:robot")
    scope = operator_scope(alice.tenant.ref)
    update_tenant(scope, name=None, rules=TokenRules(forbidden=frozenset({"schema.read"})), expected=None)
    page = said(as_alice)
    assert "This tenant lets no token do schema.read." in page
    assert "GUID" not in page


def test_nothing_that_can_be_said_yet(as_alice: Client) -> None:
    assert "Nothing yet." in said(as_alice, namespace_0=[])
    assert "Nothing yet." in said(as_alice, preset_0="own", owner="service:nobody")


def test_a_token_is_issued_and_its_secret_shown_once(
    as_alice: Client, alice: Actor, scope_for: ScopeFor, orders: str
) -> None:
    answer = sent(as_alice, "issue", within="127.0.0.1 10.0.0.0/8")
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    secret = re.findall(r'id="secret">([^<]+)<', answer.content.decode())[0]
    record = newest(scope_for, alice)
    assert (record.name, record.owner, len(record.grants)) == ("orders service", "person:alice", 1)
    path = "/sr/north/default/subjects/orders-value/versions/1"
    assert Client().get(path, headers={"Authorization": bearer(secret)}).status_code == 200
    page = text_of(as_alice, LIST + record.key_id)
    assert secret not in page
    assert record.key_id in page


def test_what_is_wrong_is_said_beside_the_field(as_alice: Client, scope_for: ScopeFor, alice: Actor) -> None:
    factories.make_account(alice.tenant, "robot")
    for changes, field in (
        ({"name": " "}, "name"),
        ({"preset-0": "own"}, "rights-0"),
        ({"namespace-0": ["nowhere"]}, "namespace-0"),
        ({"subjects-0": "ok\r\ntopic:"}, "subjects-0"),
        ({"subjects-0": ""}, "subjects-0"),
        ({"subjects-0": "x\n" * 51}, "subjects-0"),
        ({"lifetime": "367"}, "lifetime"),
        ({"lifetime": "soon"}, "lifetime"),
        ({"owner": "service:nobody"}, "owner"),
        ({"ci": "on", "owner": "service:nobody"}, "lifetime"),
        ({"within": "10.0.0.1/8"}, "within"),
        ({"outside": "1.1.1.1 " * 51}, "outside"),
        ({"max_uses": "0"}, "max_uses"),
    ):
        answer = sent(as_alice, "issue", **changes)
        assert answer.status_code == 422
        assert f'id="flaw-{field}"' in answer.content.decode()
    assert tokens_of(scope_for(alice)) == ()


def test_what_the_caller_may_not_do_cannot_be_handed_out(
    as_alice: Client, as_bob: Client, scope_for: ScopeFor, alice: Actor
) -> None:
    answer = sent(as_bob, "issue", owner="person:bob", **{"preset-0": "producer"})
    assert answer.status_code == 422
    assert "which you do not hold there" in answer.content.decode()
    assert sent(as_bob, "issue", owner="person:alice").status_code == 403
    assert "Principal &#x27;x&#x27; not found" in sent(as_alice, "issue", owner="x").content.decode()
    assert tokens_of(scope_for(alice)) == ()


def test_a_form_grows_and_shrinks_without_script(as_alice: Client, scope_for: ScopeFor, alice: Actor) -> None:
    page = sent(as_alice, "add").content.decode()
    assert 'name="grants" value="2"' in page
    assert "topic:payments" in page
    second = {
        "grants": "2",
        "preset-1": "own",
        "right-1": ["export"],
        "namespace-1": ["*"],
        "subjects-1": "*",
    }
    assert sent(as_alice, "issue", **second).status_code == 200
    assert len(newest(scope_for, alice).grants) == 2
    page = sent(as_alice, "drop-0", **second).content.decode()
    assert 'name="grants" value="1"' in page
    assert "topic:payments" not in page
    assert 'name="grants" value="1"' in sent(as_alice, "drop-0").content.decode()


def test_an_address_fills_the_form(as_alice: Client, alice: Actor) -> None:
    factories.make_account(alice.tenant, "robot", role="viewer")
    page = text_of(as_alice, NEW + "?preset=ci-check&ns=default&subjects=orders-*&owner=service:robot")
    assert '<option value="ci-check" selected>' in page
    assert 'value="default" checked' in page
    assert "on subjects that begin with “orders-”, it may:" in page
    assert '<option value="service:robot" selected>' in page


def test_a_token_for_a_ci_job(as_alice: Client, alice: Actor, scope_for: ScopeFor) -> None:
    factories.make_account(alice.tenant, "robot", role="viewer")
    answer = sent(as_alice, "issue", owner="service:robot", ci="on", lifetime="2", unit="h")
    assert answer.status_code == 200
    assert newest(scope_for, alice).kind.name == "CI"


def test_people_see_their_own_tokens_and_no_others(
    as_bob: Client, as_alice: Client, alice: Actor, bob: Actor
) -> None:
    hers, his = issued_for(alice, name="hers").record, issued_for(bob, name="his").record
    page = text_of(as_bob, LIST)
    assert "his" in page
    assert hers.key_id not in page
    assert as_bob.get(LIST + his.key_id).status_code == 200
    foreign, unknown = as_bob.get(LIST + hers.key_id), as_bob.get(LIST + "0" * 12)
    assert foreign.status_code == unknown.status_code == 403
    both = text_of(as_alice, LIST)
    assert hers.key_id in both
    assert his.key_id in both
    assert hers.key_id not in text_of(as_alice, LIST + "?owner=person:bob")
    assert as_alice.get(LIST + "?owner=person:nobody").status_code == 422
    assert as_alice.get(LIST + "0" * 12).status_code == 404


def test_the_list_is_filtered_and_paged(
    as_alice: Client, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "There is no token yet" in text_of(as_alice, LIST)
    monkeypatch.setattr("frontend.views.tokens.PAGE_SIZE", 1)
    for name in ("first one", "second one"):
        issued_for(alice, name=name)
    page = text_of(as_alice, LIST + "?state=active")
    assert "second one" in page
    assert "first one" not in page
    following = page.partition(f'rel="next" href="{LIST}')[2].partition('"')[0].replace("&amp;", "&")
    page = text_of(as_alice, LIST + following)
    assert "first one" in page
    assert f'href="{LIST}?state=active"' in page
    assert "No token fits the filters" in text_of(as_alice, LIST + "?state=revoked")
    end = place(alice, LIST, "2000-01-01T00:00:00+00:00 000000000000")
    assert "The list ends here" in text_of(as_alice, f"{LIST}?after={end}")


def test_the_list_costs_the_same_however_long_it_is(as_alice: Client, alice: Actor) -> None:
    issued_for(alice)
    text_of(as_alice, LIST)
    few = statements(as_alice, LIST)
    for _ in range(5):
        issued_for(alice)
    assert statements(as_alice, LIST) == few <= 20


def step(client: Client, record: TokenRecord, do: str, **more: Any) -> HttpResponse:
    return client.post(LIST + record.key_id, {"do": do, "seen": record.revision, **more})  # type: ignore[return-value]  # as above


def test_the_steps_of_a_life(as_alice: Client, alice: Actor, scope_for: ScopeFor) -> None:
    record = issued_for(alice).record
    for do, state in (("suspend", "suspended"), ("resume", "active"), ("revoke", "revoked")):
        assert step(as_alice, newest(scope_for, alice), do).status_code == 302
        assert newest(scope_for, alice).state == state
    assert step(as_alice, record, "resume").status_code == 409
    assert step(as_alice, newest(scope_for, alice), "nonsense").status_code == 400
    page = text_of(as_alice, LIST + record.key_id)
    assert "Revoked" in page
    assert 'name="do"' not in page


def test_rolling_shows_the_new_secret_and_keeps_the_old_for_a_while(
    as_alice: Client, alice: Actor, scope_for: ScopeFor
) -> None:
    record = issued_for(alice).record
    answer = step(as_alice, record, "roll", grace="1h")
    assert 'id="secret"' in answer.content.decode()
    assert len(newest(scope_for, alice).secrets) == 2
    assert step(as_alice, newest(scope_for, alice), "roll").status_code == 409
    assert "End the older secret now" in text_of(as_alice, LIST + record.key_id)
    assert step(as_alice, newest(scope_for, alice), "drop").status_code == 302
    assert len(newest(scope_for, alice).secrets) == 1


def test_a_token_that_waits_is_approved_by_whoever_may(
    as_alice: Client, as_bob: Client, alice: Actor, scope_for: ScopeFor
) -> None:
    update_tenant(operator_scope(alice.tenant.ref), name=None, rules=TokenRules(approval=True), expected=None)
    assert "somebody who manages tokens must approve it" in text_of(as_bob, NEW)
    assert sent(as_bob, "issue", owner="person:bob").status_code == 200
    record = newest(scope_for, alice)
    assert record.state == "pending"
    page = text_of(as_bob, LIST + record.key_id)
    assert "Waits for approval" in page
    assert 'value="approve"' not in page
    assert step(as_bob, record, "approve").status_code == 403
    assert step(as_alice, record, "approve").status_code == 302
    assert newest(scope_for, alice).state == "active"


def test_every_state_has_its_words() -> None:
    assert set(STATES) == set(TokenState.values)


def test_of_one_who_left_nothing_is_held(as_alice: Client, alice: Actor, bob: Actor) -> None:
    record = issued_for(bob, "schema.read").record
    services.remove_principal(operator_scope(alice.tenant.ref), principal=bob.key, expected=None)
    assert "does not hold schema.read" in text_of(as_alice, LIST + record.key_id)


def test_what_others_may_do_is_shown_to_whoever_may_read_it(as_bob: Client, bob: Actor) -> None:
    """Nor does the sentence say whether there is somebody of a name."""
    operator = operator_scope(bob.tenant.ref)
    rights = frozenset({"token.read", "token.manage"})
    create_role(operator, name="issuer", rights=rights, summary="")
    services.bind_role(operator, principal=bob.key, role="issuer")
    alice, nobody = (said(as_bob, owner=f"person:{name}").replace(name, "X") for name in ("alice", "nobody"))
    assert "you may not see what that is" in alice
    assert alice == nobody
    record = issued_for(bob, "schema.read").record
    assert "you may not see" not in text_of(as_bob, LIST + record.key_id)


def test_names_are_printed_harmlessly(as_alice: Client) -> None:
    hostile = "<script>alert(1)</script>"
    page = sent(as_alice, "issue", name=hostile, **{"subjects-0": hostile}).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
