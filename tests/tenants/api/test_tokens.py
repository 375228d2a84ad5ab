"""Tokens over HTTP: issued, approved, narrowed, rolled, ended, and reported when they leak."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.models import Outbox
from accord_server.kit.scope import PrincipalKind
from tenants.decisions import decisions
from tenants.errors import RightMissing, TokenPending
from tenants.grants import parse_grants
from tenants.models import AuditRecord, Tenant, TokenSecret
from tenants.pacing import buckets
from tenants.principals import ANYBODY, operator_scope
from tenants.queries import scope_for_user
from tenants.records import IssueToken
from tenants.services import issue_token, resume_token, suspend_token
from tenants.services.token_life import approve_token
from tenants.services.uses import flush_uses
from tenants.tokens import TokenKind
from tenants.usage import usage
from tests import factories
from tests.cast import bearer
from tests.contract.refusals import Caller, document, spoiled

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

TOKENS = "/api/v1/tenants/north/tokens"
SUBJECTS = "/sr/north/default/subjects"
CONFIG = "/sr/north/default/config"
READER = [{"actions": ["subject.list", "subject.read"], "namespaces": ["default"]}]


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    factories.make_account(alice.tenant, "robot", role="admin")
    return Caller(bearer(token_for(alice)))


def issue(caller: Caller, grants: Any = READER, **members: Any) -> Any:
    body = {"name": "ours", "owner": "service:robot", "grants": grants, **members}
    return caller.send("POST", TOKENS, body)


def issued(caller: Caller, grants: Any = READER, **members: Any) -> Any:
    answer = issue(caller, grants, **members)
    assert answer.status_code == 201, answer.content
    return document(answer)


def works(value: str, path: str = SUBJECTS) -> int:
    return Caller(bearer(value)).send("GET", path).status_code


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, document(answer)["code"]


def step(caller: Caller, token: Any, name: str, body: Any = None) -> Any:
    return caller.send("POST", f"{TOKENS}/{token['key_id']}/{name}", {} if body is None else body)


def tenant_rules(actor: Actor, **rules: Any) -> None:
    with tenancy.tenant_context(actor.tenant.id):
        Tenant.objects.filter(id=actor.tenant.id).update(**rules)


def test_one_is_issued_with_a_value_that_is_never_shown_again(admin: Caller) -> None:
    made = issued(admin, networks={"in": ["127.0.0.0/8"], "not_in": []}, max_uses=9, expires_in="30d")
    shown = document(admin.send("GET", f"{TOKENS}/{made['key_id']}"))
    assert works(made["token"]) == 200
    assert "token" not in shown
    assert {name: value for name, value in made.items() if name != "token"} == shown
    assert (shown["kind"], shown["owner"], shown["state"]) == ("service", "service:robot", "active")
    assert shown["grants"] == [
        {"namespaces": ["default"], "subjects": ["*"], "actions": ["subject.list", "subject.read"]}
    ]
    assert made["secrets"][0]["last"] == made["token"][-4:]


def test_a_repeated_request_does_not_show_the_value_again(admin: Caller) -> None:
    body = {"name": "ours", "owner": "service:robot", "grants": READER}
    first, again = (admin.send("POST", TOKENS, body, {"Idempotency-Key": "k"}) for _ in range(2))
    assert document(first)["key_id"] == document(again)["key_id"]
    assert document(first)["token"]
    assert document(again)["token"] is None


def test_presets_are_rights_by_name_and_namespaces_are_named_as_in_addresses(admin: Caller) -> None:
    made = issued(admin, [{"preset": "ci-check", "subjects": ["orders-*"]}], kind="ci")
    assert made["grants"][0]["actions"] == ["compat.check", "config.read", "subject.read"]
    assert (made["kind"], made["grants"][0]["namespaces"]) == ("ci", ["*"])


@pytest.mark.parametrize(
    ("members", "status", "place"),
    [
        ({"grants": []}, 400, "grants"),
        ({"grants": [{"preset": "consumer", "actions": ["export"]}]}, 400, "grants/0"),
        ({"grants": [{"actions": ["subject.dream"]}]}, 422, "/0/actions/0"),
        ({"grants": [{"preset": "consumer", "namespaces": ["nowhere"]}]}, 422, "/0/namespaces/0"),
        ({"expires_in": "forever"}, 400, "expires_in"),
        ({"expires_in": "999d"}, 422, "366 days"),
        ({"networks": {"in": ["10.0.0.1/8"]}}, 422, "/conditions/networks/in/0"),
        ({"kind": "operator"}, 400, "kind"),
        ({"name": ""}, 400, "name"),
    ],
)
def test_what_cannot_be_issued_is_named(admin: Caller, members: Any, status: int, place: str) -> None:
    answer = admin.send("POST", TOKENS, {"name": "x", "owner": "service:robot", "grants": READER, **members})
    assert answer.status_code == status
    assert place in document(answer)["detail"]


def test_without_a_lifetime_it_lives_as_long_as_the_tenant_lets_it(admin: Caller, alice: Actor) -> None:
    tenant_rules(alice, token_lifetime_days=7)
    mine = Caller(bearer(factories.make_token(operator_scope(alice.tenant.ref), alice.key).value))
    made = issued(mine)
    assert made["expires_at"] < (timezone.now() + timedelta(days=8)).isoformat()


def test_rules_of_the_tenant_count_at_once(admin: Caller, alice: Actor) -> None:
    """A token that the rules forbid is not ended: it counts again with them."""
    made = issued(admin, expires_in="30d")
    limited = issued(admin, max_uses=5, expires_in="5d")
    tenant_rules(alice, token_lifetime_days=7, token_forbidden=["subject.list"])
    decisions.clear()
    assert works(made["token"]) == 401
    assert works(limited["token"], "/sr/north/default/subjects/x/versions") == 404
    assert document(Caller(bearer(limited["token"])).send("GET", SUBJECTS)) == []
    tenant_rules(alice, token_lifetime_days=366)
    assert works(made["token"]) == 200


def test_it_counts_where_its_networks_say(admin: Caller) -> None:
    inside = issued(admin, networks={"in": ["127.0.0.1"]})
    outside = issued(admin, networks={"in": ["10.0.0.0/8"]})
    refused = issued(admin, networks={"not_in": ["127.0.0.0/8", "::1"]})
    assert [works(one["token"]) for one in (inside, inside, outside, refused)] == [200, 200, 401, 401]


def test_children_are_narrower_and_counted_with_their_parent(admin: Caller) -> None:
    wide = [{"actions": ["subject.list", "config.read", "token.manage", "token.read"]}]
    parent = issued(admin, wide, networks={"in": ["127.0.0.0/8"]}, expires_in="1d")
    caller = Caller(bearer(parent["token"]))
    child = issued(caller, [{"actions": ["subject.list", "config.read"]}], expires_in="30d")
    assert works(child["token"], CONFIG) == 200
    assert (child["parent"], child["expires_at"]) == (parent["key_id"], parent["expires_at"])
    assert code(issue(caller, [{"actions": ["subject.write"]}])) == (403, "grant_too_wide")
    assert code(issue(caller, child["grants"], networks={"in": ["10.0.0.0/8"]})) == (422, "invalid_detail")
    within = {"in": ["127.0.0.1"]}
    assert issue(caller, [{"actions": ["subject.list"]}], networks=within).status_code == 201
    narrowed = {"grants": [{"actions": ["subject.list"]}]}
    answer = admin.send("PATCH", f"{TOKENS}/{parent['key_id']}", narrowed, {"If-Match": "*"})
    assert answer.status_code == 200
    assert works(child["token"], CONFIG) == 403
    assert step(admin, parent, "revoke").status_code == 200
    assert works(child["token"]) == 401


def test_a_change_never_widens(admin: Caller) -> None:
    made = issued(admin)
    there = f"{TOKENS}/{made['key_id']}"
    wider = admin.send("PATCH", there, {"grants": [{"preset": "producer"}]}, {"If-Match": "*"})
    assert code(wider) == (403, "grant_too_wide")
    renamed = admin.send("PATCH", there, {"name": "x", "description": "y"}, {"If-Match": '"1"'})
    assert (document(renamed)["name"], renamed.headers["ETag"]) == ("x", '"2"')
    assert code(admin.send("PATCH", there, {"name": "z"}, {"If-Match": '"1"'})) == (412, "changed_meanwhile")
    step(admin, made, "revoke")
    assert code(admin.send("PATCH", there, {"name": "z"}, {"If-Match": "*"})) == (409, "token_is_over")


def test_where_it_is_asked_for_the_tokens_of_people_wait(admin: Caller, alice: Actor, carol: Actor) -> None:
    tenant_rules(alice, token_approval=True)
    scope = scope_for_user(carol.user, "north")
    grants = parse_grants(
        [{"namespaces": [str(one) for one in scope.grants[0].namespaces or ()], "actions": ["subject.list"]}]
    )
    made = issue_token(scope, command=IssueToken(carol.key, TokenKind.PERSON, "mine", grants))
    there = "/sr/north/payments/subjects"
    pending = {"key_id": made.record.key_id}
    assert (made.record.state, works(made.value, there)) == ("pending", 401)
    for way in (suspend_token, resume_token):
        with pytest.raises(TokenPending):
            way(scope, key_id=made.record.key_id)
    with pytest.raises(RightMissing):
        approve_token(scope, key_id=made.record.key_id)
    assert code(step(admin, pending, "roll")) == (409, "token_pending")
    approved = document(step(admin, pending, "approve"))
    assert (approved["state"], approved["approved_by"], works(made.value, there)) == (
        "active",
        alice.key,
        200,
    )
    assert code(step(admin, pending, "refuse")) == (409, "token_not_pending")
    assert issued(admin)["state"] == "active"
    refused = issue_token(scope, command=IssueToken(carol.key, TokenKind.PERSON, "other", grants))
    assert document(step(admin, {"key_id": refused.record.key_id}, "refuse"))["state"] == "revoked"


def test_a_roll_whose_answer_was_lost_is_taken_back(admin: Caller) -> None:
    old = issued(admin)
    assert step(admin, old, "drop-new-secret")["ETag"] == '"1"'  # there is nothing to drop
    lost = document(step(admin, old, "roll"))
    (kept,) = document(step(admin, old, "drop-new-secret"))["secrets"]
    assert (kept["slot"], kept["expires_at"]) == (1, None)
    assert [works(one["token"]) for one in (old, lost)] == [200, 401]
    new = document(step(admin, old, "roll", {"grace": "0m"}))
    # Nothing counts beside the new one any more, so that there is nothing to go back to.
    step(admin, old, "drop-new-secret")
    assert [works(one["token"]) for one in (old, new)] == [401, 200]


def test_a_rolled_token_has_two_values_for_a_while(admin: Caller, alice: Actor) -> None:
    old = issued(admin)
    new = document(step(admin, old, "roll", {"grace": "1h"}))
    assert [works(one["token"]) for one in (old, new)] == [200, 200]
    assert [(one["slot"], one["expires_at"] is None) for one in new["secrets"]] == [(1, False), (2, True)]
    assert code(step(admin, old, "roll")) == (409, "token_rolling")
    assert len(document(step(admin, old, "drop-old-secret"))["secrets"]) == 1
    assert [works(one["token"]) for one in (old, new)] == [401, 200]
    last = document(step(admin, old, "roll", {"grace": "0m"}))
    assert [works(one["token"]) for one in (new, last)] == [401, 200]
    assert document(step(admin, old, "roll"))["secrets"][-1]["slot"] == 2
    assert code(step(admin, old, "roll", {"grace": "8d"})) == (422, "invalid_lifetime")
    with tenancy.tenant_context(alice.tenant.id):
        rows = AuditRecord.objects.scoped(operator_scope(alice.tenant.ref)).filter(action="token.roll")
        assert not any(one["token"] in str(row.after) for row in rows for one in (old, new, last))


def test_the_end_of_a_grace_ends_the_old_value(admin: Caller, alice: Actor) -> None:
    old = issued(admin)
    new = document(step(admin, old, "roll"))
    with tenancy.tenant_context(alice.tenant.id):
        rows = TokenSecret.objects.scoped(operator_scope(alice.tenant.ref)).filter(slot=1)
        rows.filter(token__key_id=old["key_id"]).update(expires_at=timezone.now() - timedelta(hours=1))
    assert [works(one["token"]) for one in (old, new)] == [401, 200]
    assert works(document(step(admin, old, "roll"))["token"]) == 200


def test_a_leaked_token_never_counts_again_and_nobody_learns_whether_it_was_one(
    admin: Caller, alice: Actor
) -> None:
    made = issued(admin)
    found = [spoiled(made["token"]), "accs_nothing", "", made["token"], f" {made['token']}\n"]
    stranger = Caller(None)
    answers = [stranger.send("POST", "/api/v1/leaked-tokens", {"token": one}) for one in found[:2]]
    assert works(made["token"]) == 200
    answers += [stranger.send("POST", "/api/v1/leaked-tokens", {"token": one}) for one in found[3:]]
    assert {(one.status_code, one.content) for one in answers} == {(202, b'{"received":true}')}
    assert works(made["token"]) == 401
    assert document(admin.send("GET", f"{TOKENS}/{made['key_id']}"))["state"] == "compromised"
    assert code(step(admin, made, "resume")) == (409, "token_is_over")
    with tenancy.tenant_context(alice.tenant.id):
        scope = operator_scope(alice.tenant.ref)
        (event,) = Outbox.objects.scoped(scope).filter(topic="token.compromised")
        (record,) = AuditRecord.objects.scoped(scope).filter(action="token.compromise")
    assert (event.payload["token"], event.payload["by"]) == (made["key_id"], ANYBODY.key)
    assert record.actor_kind == PrincipalKind.ANONYMOUS


def test_a_list_shows_a_part_of_what_is_asked_for(admin: Caller, alice: Actor) -> None:
    names = [issued(admin, name=f"t{number}")["key_id"] for number in range(3)]
    step(admin, {"key_id": names[0]}, "suspend")

    def found(query: str) -> list[str]:
        return [one["key_id"] for one in document(admin.send("GET", f"{TOKENS}?{query}"))["items"]]

    assert found("owner=service:robot") == names[::-1]
    assert found("owner=service:robot&state=suspended") == names[:1]
    assert len(found(f"owner={alice.key}")) == 1
    first = document(admin.send("GET", f"{TOKENS}?limit=2"))
    rest = document(admin.send("GET", f"{TOKENS}?limit=9&cursor={first['next']}"))
    assert len({one["key_id"] for one in first["items"] + rest["items"]}) == 4
    assert code(admin.send("GET", f"{TOKENS}/{'0' * 12}")) == (404, "token_not_found")


def test_a_list_costs_the_same_however_long_it_is(admin: Caller) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as counted:
            admin.send("GET", TOKENS)
        return len(counted)

    cost()
    few = cost()
    for _ in range(4):
        issued(admin)
    assert cost() == few


def test_rights_that_were_used_are_told_from_those_that_never_were(admin: Caller, alice: Actor) -> None:
    made = issued(admin)
    assert works(made["token"]) == 200
    usage.push()
    flush_uses()
    report = document(admin.send("GET", f"{TOKENS}/{made['key_id']}/rights"))
    assert (list(report["used"]), report["unused"]) == (["subject.list"], ["subject.read"])
    secret = document(admin.send("GET", f"{TOKENS}/{made['key_id']}"))["secrets"][0]
    assert secret["last_used_at"] is not None


def test_it_counts_for_the_clients_it_names(admin: Caller) -> None:
    made = issued(admin, clients=["java", "curl"])
    assert document(admin.send("GET", f"{TOKENS}/{made['key_id']}"))["clients"] == ["curl", "java"]
    caller = Caller(bearer(made["token"]))
    told = [
        caller.send("GET", SUBJECTS, None, {"User-Agent": name}).status_code
        for name in ("Java/21.0.2", "curl/8.5.0", "python-requests/2", "")
    ]
    assert told == [200, 200, 401, 401]
    assert code(issue(admin, clients=["typewriter"]))[0] == 400


def test_what_descends_from_it_shares_its_pace_and_counts_for_no_more_clients(
    admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "clock", lambda: 1.0)
    wide = [{"actions": ["token.manage", "subject.list"]}]
    parent = issued(admin, wide, clients=["other"], requests_per_second=2)
    caller = Caller(bearer(parent["token"]))
    listing = [{"actions": ["subject.list"]}]
    assert code(issue(caller, listing, clients=["java"])) == (422, "invalid_detail")
    child = Caller(bearer(document(issue(caller, listing))["token"]))
    buckets.clear()
    told = [one.send("GET", SUBJECTS).status_code for one in (caller, child, child)]
    assert told == [200, 200, 429]
