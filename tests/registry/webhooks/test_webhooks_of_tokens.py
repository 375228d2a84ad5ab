"""Webhooks that are told of tokens: those that name it, by whoever may see the tokens of the tenant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from accord_server.kit import outbox_drain
from registry.queries.webhooks import OF_TENANT
from registry.services.events import TOPICS
from registry.tasks import send_webhooks
from tenants.principals import operator_scope
from tenants.services.events import TOPICS as TOKEN_TOPICS
from tenants.services.quotas import fold_tenant, set_limits
from tests.registry.policies.asking import NAMESPACE, TENANT, Native

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor
    from tests.registry.webhooks.receiving import Receiver

pytestmark = pytest.mark.django_db

WEBHOOKS = f"{NAMESPACE}/webhooks"
TOKENS = f"{TENANT}/tokens"
REFERENCE = Path(__file__).parents[3] / "docs/reference/native-api.md"


def is_denied(native: Native, method: str, path: str, body: object = None, **headers: str) -> bool:
    """Tell whether a call is refused for want of the right to see tokens."""
    answer = native.call(method, path, body, **headers)
    return answer.status_code == 403 and "'token.read'" in answer.json()["detail"]


@pytest.fixture(autouse=True)
def _quiet_before(native: Native) -> None:
    """What the fixtures did is nobody's business: it has been told to nobody."""
    assert native.token
    outbox_drain.drain()


def told(receiver: Receiver) -> list[Any]:
    """What has arrived since the last time."""
    outbox_drain.drain()
    send_webhooks()
    found = [one.document for one in receiver.received]
    receiver.received.clear()
    return found


def issue(native: Native) -> Any:
    wanted = {"owner": "person:alice", "name": "mine", "grants": [{"actions": ["subject.read"]}]}
    return native.ok("POST", TOKENS, wanted)


def test_whoever_names_it_is_told_of_the_life_of_a_token(native: Native, receiver: Receiver) -> None:
    native.ok("POST", WEBHOOKS, {"url": receiver.url, "events": list(TOKEN_TOPICS)})
    token = issue(native)
    place = f"{TOKENS}/{token['key_id']}"
    native.ok("PATCH", place, {"name": "ours"}, If_Match="*")
    for step in ("roll", "drop-old-secret", "suspend", "resume", "revoke"):
        native.ok("POST", f"{place}/{step}", {}, If_Match="*")
    heard = told(receiver)
    assert [one["type"] for one in heard] == [
        "token.issued", "token.changed", "token.rolled", "token.secret_dropped", "token.suspended",
        "token.resumed", "token.revoked",
    ]  # fmt: skip
    assert {one["data"]["token"] for one in heard} == {token["key_id"]}
    assert (heard[-1]["namespace"], heard[-1]["data"]["name"], heard[-1]["data"]["state"]) == (
        None,
        "ours",
        "revoked",
    )
    assert token["token"] not in str(heard)


def test_all_that_happens_in_a_namespace_is_nothing_of_tokens(native: Native, receiver: Receiver) -> None:
    native.ok("POST", WEBHOOKS, {"url": receiver.url})
    issue(native)
    assert told(receiver) == []
    native.ok("POST", WEBHOOKS, {"url": receiver.url, "events": ["*", "version.deleted", "token.issued"]})
    issue(native)
    assert [one["type"] for one in told(receiver)] == ["token.issued"]


def test_who_may_not_see_tokens_has_nobody_told_of_them(
    native: Native, receiver: Receiver, token_for: TokenFor, alice: Actor
) -> None:
    webhook = native.ok("POST", WEBHOOKS, {"url": receiver.url, "events": ["token.issued"]})
    place = f"{WEBHOOKS}/{webhook['id']}"
    issue(native)
    assert len(told(receiver)) == 1
    (message,) = native.ok("GET", f"{place}/messages")["items"]
    less = Native(token_for(alice, "webhook.read", "webhook.manage"))
    wanted = {"url": receiver.url, "events": ["version.deleted", "token.rolled"]}
    assert is_denied(less, "POST", WEBHOOKS, wanted)
    assert is_denied(less, "PATCH", place, {"url": "https://elsewhere.example.org/"}, If_Match="*")
    assert is_denied(less, "PATCH", place, {"events": ["version.deleted"]}, If_Match="*")
    assert is_denied(less, "GET", f"{place}/messages/{message['id']}")
    other = less.ok("POST", WEBHOOKS, {"url": receiver.url})
    more = {"events": ["token.issued"]}
    assert is_denied(less, "PATCH", f"{WEBHOOKS}/{other['id']}", more, If_Match="*")
    less.ok("DELETE", place, If_Match="*")


def test_who_names_it_is_told_when_a_quota_is_nearly_used_up(
    native: Native, receiver: Receiver, token_for: TokenFor, alice: Actor
) -> None:
    wanted = {"url": receiver.url, "events": ["quota.warned"]}
    less = Native(token_for(alice, "webhook.read", "webhook.manage")).call("POST", WEBHOOKS, wanted)
    assert (less.status_code, "'quota.read'" in less.json()["detail"]) == (403, True)
    native.ok("POST", WEBHOOKS, wanted)
    native.ok("POST", WEBHOOKS, {"url": receiver.url})
    set_limits(operator_scope(alice.tenant.ref), wanted={"namespaces": 1}, expected=None)
    fold_tenant(operator_scope(alice.tenant.ref))
    (heard,) = told(receiver)
    assert (heard["type"], heard["namespace"]) == ("quota.warned", None)
    assert heard["data"] == {"resource": "namespaces", "used": 1, "limit": 1}


def test_every_event_is_in_the_reference() -> None:
    page = REFERENCE.read_text()
    assert [topic for topic in (*TOPICS, *OF_TENANT) if f"`{topic}`" not in page] == []
