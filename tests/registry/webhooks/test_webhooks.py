"""Webhooks: made, changed, told of what happens, tried again, and never sent where they must not go."""

from __future__ import annotations

import itertools
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from accord_server.kit import outbox_drain, tenancy
from accord_server.kit.models import Outbox
from accord_server.kit.outbox import Event
from registry.models import Webhook, WebhookMessage
from registry.queries.webhooks import shown_message, tenants_with_due_messages
from registry.services import webhook_sending, webhooks
from registry.services.webhook_sending import PAUSES_S
from registry.tasks import prune_webhook_messages, send_webhooks
from tenants.models import AuditRecord
from tests.registry.client import Registry, record
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.registry.webhooks.receiving import Receiver

pytestmark = pytest.mark.django_db

WEBHOOKS = f"{NAMESPACE}/webhooks"


def made(native: Native, url: str, **members: Any) -> Any:
    """A new webhook, with its secret."""
    return native.ok("POST", WEBHOOKS, {"url": url, **members})


def happen() -> None:
    """Do what is to be done outside of requests: side effects first, then what they make."""
    outbox_drain.drain()
    send_webhooks()


def messages(native: Native, webhook: Any, query: str = "") -> Any:
    return native.ok("GET", f"{WEBHOOKS}/{webhook['id']}/messages{query}")["items"]


def details(native: Native, webhook: Any, message: Any) -> Any:
    return native.ok("GET", f"{WEBHOOKS}/{webhook['id']}/messages/{message['id']}")


def refused(native: Native, method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
    answer = native.call(method, path, body, **headers)
    return answer.status_code, answer.json()["code"]


def rows(scope: Scope) -> Any:
    return WebhookMessage.objects.scoped(scope)


def make_due(scope: Scope) -> None:
    """Let the pause of every message be over."""
    with tenancy.tenant_context(scope.tenant.id):
        rows(scope).update(due_at=timezone.now() - timedelta(seconds=1))


def test_a_receiver_is_told_what_was_registered(native: Native, api: Registry, receiver: Receiver) -> None:
    webhook = made(native, receiver.url, events=["version.registered"], description="ours")
    api.registered("orders", record("a"))
    happen()
    (told,) = receiver.received
    assert told.is_signed_by(webhook["secret"])
    assert told.headers["content-type"] == "application/json"
    document = told.document
    assert document.pop("timestamp")
    assert document == {
        "type": "version.registered",
        "tenant": "north",
        "namespace": "default",
        "data": {"subject": "orders", "version": 1},
    }
    (message,) = messages(native, webhook)
    assert (message["event"], message["state"], message["attempts"]) == ("version.registered", "delivered", 1)
    found = details(native, webhook, message)
    assert found["body"]["data"] == {"subject": "orders", "version": 1}
    assert [(one["number"], one["status"], one["error"]) for one in found["tried"]] == [(1, 204, "")]
    assert told.headers["webhook-id"] == f"msg_{message['id']}"


def test_who_did_not_ask_is_not_told(native: Native, api: Registry, receiver: Receiver) -> None:
    made(native, receiver.url, events=["version.deleted"])
    made(native, receiver.url, enabled=False)
    api.registered("orders", record("a"))
    happen()
    assert receiver.received == []
    api.delete("/subjects/orders/versions/1")
    happen()
    assert [one.document["type"] for one in receiver.received] == ["version.deleted"]


def test_an_event_becomes_one_message_however_often_it_is_handled(
    native: Native, api: Registry, receiver: Receiver, scope: Scope
) -> None:
    webhook = made(native, receiver.url)
    api.registered("orders", record("a"))
    happen()
    with tenancy.tenant_context(scope.tenant.id):
        row = Outbox.objects.scoped(scope).get(topic="version.registered")
        webhook_sending.fan_out(
            Event(row.pk, row.topic, row.tenant_id, row.namespace_id, "", row.payload, attempt=2)
        )
    happen()
    assert len(receiver.received) == len(messages(native, webhook)) == 1


def test_what_is_of_the_whole_tenant_is_told_everywhere(native: Native, receiver: Receiver) -> None:
    made(native, receiver.url, events=["policy.changed"])
    native.create("name: ours")
    happen()
    assert [one.document["data"]["policy"] for one in receiver.received] == ["ours"]


def test_what_fails_is_tried_again_until_it_arrives(
    native: Native, api: Registry, receiver: Receiver, scope: Scope
) -> None:
    receiver.answers = [500, 302, 200]
    webhook = made(native, receiver.url)
    api.registered("orders", record("a"))
    happen()
    happen()  # its pause is not over
    assert len(receiver.received) == 1
    for _ in range(3):
        make_due(scope)
        happen()
    (message,) = messages(native, webhook)
    assert [one["status"] for one in details(native, webhook, message)["tried"]] == [500, 302, 200]
    assert len({one.headers["webhook-id"] for one in receiver.received}) == 1
    assert message["state"] == "delivered"


def test_pauses_grow_and_end(native: Native, receiver: Receiver, scope: Scope) -> None:
    receiver.answers = [503]
    webhook = made(native, receiver.url)
    native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    for pause in PAUSES_S:
        before = timezone.now()
        happen()
        with tenancy.tenant_context(scope.tenant.id):
            due = rows(scope).get().due_at
        assert timedelta(seconds=pause) <= due - before < timedelta(seconds=pause + 60)
        make_due(scope)
    happen()
    (message,) = messages(native, webhook, "?state=failed")
    assert (message["attempts"], message["due_at"]) == (len(PAUSES_S) + 1, None)
    assert messages(native, webhook, "?state=pending") == []


def test_a_message_that_was_given_up_is_sent_again(native: Native, receiver: Receiver, scope: Scope) -> None:
    receiver.answers = [410, 200]
    webhook = made(native, receiver.url)
    message = native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    path = f"{WEBHOOKS}/{webhook['id']}/messages/{message['id']}/replay"
    assert refused(native, "POST", path) == (409, "webhook_message_under_way")
    happen()
    now = native.ok("GET", f"{WEBHOOKS}/{webhook['id']}")
    assert (now["enabled"], now["disabled_because"]) == (
        False,
        "The receiver answered 410: it is gone for good.",
    )
    native.ok("POST", path)
    happen()
    assert len(receiver.received) == 1  # nothing is sent while it is off
    native.ok("PATCH", f"{WEBHOOKS}/{webhook['id']}", {"enabled": True}, If_Match="*")
    happen()
    assert [one.document["type"] for one in receiver.received] == ["webhook.tried"] * 2
    assert messages(native, webhook)[0]["state"] == "delivered"


def test_a_private_address_is_not_called(native: Native, scope: Scope) -> None:
    webhook = made(native, "https://localhost/hooks")
    native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    happen()
    (attempt,) = details(native, webhook, messages(native, webhook)[0])["tried"]
    assert attempt["status"] is None
    assert "private network" in attempt["error"]


def test_a_lost_sender_is_replaced(
    native: Native, receiver: Receiver, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = made(native, receiver.url)
    native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    with monkeypatch.context() as broken:
        broken.setattr(webhook_sending, "_send", _die)
        with pytest.raises(SystemExit):
            happen()
    happen()
    assert receiver.received == []  # it is claimed
    make_due(scope)
    happen()
    assert [one["state"] for one in messages(native, webhook)] == ["delivered"]


def _die(*_arguments: object) -> Any:
    raise SystemExit


def test_a_webhook_deleted_while_it_is_called_leaves_nothing(
    native: Native, receiver: Receiver, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = made(native, receiver.url)
    native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    real = webhook_sending._send  # noqa: SLF001  # replaced by itself and something else

    def send(claimed: Any) -> Any:
        native.ok("DELETE", f"{WEBHOOKS}/{webhook['id']}", If_Match='"1"')
        tenancy.activate(scope.tenant.id)
        return real(claimed)

    monkeypatch.setattr(webhook_sending, "_send", send)
    happen()
    with tenancy.tenant_context(scope.tenant.id):
        assert not rows(scope).exists()
        assert not Webhook.objects.scoped(scope).exists()


def test_one_turn_is_short(native: Native, receiver: Receiver) -> None:
    webhook = made(native, receiver.url)
    for _ in range(webhook_sending.TURN + 2):
        native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    assert webhook_sending.send_due(seconds=0) == 0
    assert webhook_sending.send_due(seconds=60) == webhook_sending.TURN + 2


def test_who_does_not_answer_has_short_turns(native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    webhook = made(native, "https://hooks.example.org/")
    for _ in range(3):
        native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    rounds: list[int] = []
    late = webhook_sending.Outcome(None, "late", 0)
    clock = itertools.count(step=webhook_sending.TURN_S * 2 / 3)
    monkeypatch.setattr(webhook_sending, "time", SimpleNamespace(monotonic=lambda: next(clock)))

    def due() -> list[UUID]:
        found = tenants_with_due_messages()
        rounds.append(len(found))
        return found

    monkeypatch.setattr(webhook_sending, "tenants_with_due_messages", due)
    monkeypatch.setattr(webhook_sending, "_send", lambda _claimed: late)
    assert webhook_sending.send_due(seconds=1000) == 3
    assert rounds == [1, 1, 1, 0]


def test_a_secret_is_rolled_without_a_gap(native: Native, receiver: Receiver, scope: Scope) -> None:
    webhook = made(native, receiver.url)
    rolled = native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/roll", If_Match='"1"')
    assert rolled["secret"] != webhook["secret"]
    assert rolled["roll_ends_at"]
    native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    happen()
    both = receiver.received[-1]
    assert both.is_signed_by(webhook["secret"])
    assert both.is_signed_by(rolled["secret"])
    with tenancy.tenant_context(scope.tenant.id):
        Webhook.objects.scoped(scope).update(roll_ends_at=timezone.now())
    native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    happen()
    assert not receiver.received[-1].is_signed_by(webhook["secret"])
    assert native.ok("GET", f"{WEBHOOKS}/{webhook['id']}")["roll_ends_at"] is None


def test_secrets_are_told_once(native: Native, receiver: Receiver, scope: Scope) -> None:
    webhook = made(native, receiver.url)
    path = f"{WEBHOOKS}/{webhook['id']}"
    shown = [native.call("GET", one).content.decode() for one in (WEBHOOKS, path, f"{path}/messages")]
    with tenancy.tenant_context(scope.tenant.id):
        logged = str(list(AuditRecord.objects.scoped(scope).values_list("before", "after")))
    assert not any(webhook["secret"] in one for one in (*shown, logged))
    assert "hooks" not in logged  # the path of an address may be what opens it


def test_changes_are_made_for_one_revision(native: Native) -> None:
    webhook = made(native, "https://hooks.example.org/", events=["version.deleted", "version.deleted"])
    assert webhook["events"] == ["version.deleted"]
    path = f"{WEBHOOKS}/{webhook['id']}"
    changed = native.call(
        "PATCH", path, {"events": ["*", "version.deleted"], "description": "all"}, If_Match='"1"'
    )
    assert (changed.json()["events"], changed.headers["ETag"]) == (["*"], '"2"')
    again = native.ok("PATCH", path, {"url": "https://hooks.example.org/"}, If_Match='"2"')
    assert again["revision"] == 2  # nothing changed
    assert refused(native, "PATCH", path, {"enabled": False}, If_Match='"1"') == (412, "webhook_changed")
    assert refused(native, "DELETE", path, If_Match='"1"') == (412, "webhook_changed")
    assert refused(native, "PATCH", path, {"enabled": False}) == (428, "version_not_named")
    native.ok("DELETE", path, If_Match='"2"')
    assert refused(native, "GET", path) == (404, "webhook_not_found")


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "ftp://example.org/"},
        {"url": "https://user:pw@example.org/"},
        {"url": "https://example.org/", "events": ["version.read"]},
        {"url": "https://example.org/", "events": []},
    ],
)
def test_what_nobody_could_have_is_refused(native: Native, wrong: dict[str, Any]) -> None:
    assert refused(native, "POST", WEBHOOKS, wrong) == (422, "webhook_invalid")


def test_a_change_says_what_changes(native: Native) -> None:
    webhook = made(native, "https://hooks.example.org/")
    answer = native.call("PATCH", f"{WEBHOOKS}/{webhook['id']}", {}, If_Match="*")
    assert (answer.status_code, "Name what is to change" in answer.content.decode()) == (400, True)


def test_there_are_never_too_many(native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MOST", 2)
    first, second = (made(native, f"https://hooks.example.org/{number}") for number in range(2))
    assert refused(native, "POST", WEBHOOKS, {"url": "https://hooks.example.org/"}) == (
        409,
        "webhook_limit_reached",
    )
    part = native.ok("GET", f"{WEBHOOKS}?limit=1")
    assert [one["id"] for one in part["items"]] == [first["id"]]
    rest = native.ok("GET", f"{WEBHOOKS}?limit=1&cursor={part['next']}")
    assert [one["id"] for one in rest["items"]] == [second["id"]]


def test_messages_are_listed_newest_first(native: Native) -> None:
    webhook = made(native, "https://hooks.example.org/")
    path = f"{WEBHOOKS}/{webhook['id']}"
    first, second = (native.ok("POST", f"{path}/try")["id"] for _ in range(2))
    part = native.ok("GET", f"{path}/messages?limit=1")
    rest = native.ok("GET", f"{path}/messages?limit=1&cursor={part['next']}")
    assert [one["id"] for one in part["items"] + rest["items"]] == [second, first]
    assert refused(native, "GET", f"{path}/messages?state=lost")[0] == 400
    assert refused(native, "GET", f"{path}/messages/{2**40}") == (404, "webhook_message_not_found")
    assert refused(native, "GET", f"{WEBHOOKS}/{uuid4()}/messages") == (404, "webhook_not_found")


def test_old_messages_are_forgotten(native: Native, scope: Scope) -> None:
    webhook = made(native, "https://hooks.example.org/")
    for _ in range(2):
        native.ok("POST", f"{WEBHOOKS}/{webhook['id']}/try")
    assert prune_webhook_messages() == 0
    with tenancy.tenant_context(scope.tenant.id):
        newest = rows(scope).order_by("pk").last()
        rows(scope).exclude(pk=newest.pk).update(
            ended_at=timezone.now() - timedelta(days=31), state="delivered"
        )
    assert prune_webhook_messages() == 1
    assert [one["id"] for one in messages(native, webhook)] == [shown_message(scope.tenant.id, newest.pk)]


def test_ids_are_not_those_of_rows(native: Native, scope: Scope) -> None:
    webhook = made(native, "https://hooks.example.org/")
    assert UUID(webhook["id"]).version == 4
    path = f"{WEBHOOKS}/{webhook['id']}"
    seen = [native.ok("POST", f"{path}/try")["id"] for _ in range(3)]
    with tenancy.tenant_context(scope.tenant.id):
        keys = list(rows(scope).order_by("pk").values_list("pk", flat=True))
    assert keys not in (seen, sorted(seen))
    assert [details(native, webhook, {"id": one})["id"] for one in seen] == seen
    assert refused(native, "GET", f"{path}/messages/{keys[0]}") == (404, "webhook_message_not_found")
    assert refused(native, "POST", f"{path}/messages/{keys[0]}/replay")[0] == 404
    assert refused(native, "POST", f"{path}/messages/{seen[0]}/replay")[1] == "webhook_message_under_way"
