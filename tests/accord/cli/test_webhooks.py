"""`accord webhook`: made, listed, changed, tried, and what became of its messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program
    from tests.accord.client.stand_in import StandIn

CALLS = "/api/v1/tenants/north/namespaces/default/webhooks"
ID = "7d0cf4f5-5f0e-4c39-9d11-6a2a3f7c0001"
ONE = f"{CALLS}/{ID}"
MADE: dict[str, Any] = {
    "id": ID,
    "url": "https://hooks.example.org/",
    "events": ["version.registered"],
    "description": "ours",
    "enabled": True,
    "disabled_because": None,
}
OFF = {**MADE, "enabled": False, "disabled_because": "gone", "events": ["*"], "description": ""}
TOLD = [f"{ID} on: https://hooks.example.org/", "  told of version.registered", "  ours"]
PENDING: dict[str, Any] = {
    "id": 7,
    "event": "webhook.tried",
    "state": "pending",
    "due_at": "2030-01-01",
    "ended_at": None,
}
ENDED = {**PENDING, "id": 6, "state": "failed", "due_at": None, "ended_at": "2029-01-01"}
TRIED = [
    {"at": "2028-01-01", "status": None, "error": "nobody is there", "milliseconds": 0},
    {"at": "2028-01-02", "status": 500, "error": "", "milliseconds": 12},
]


def at(registry: StandIn) -> tuple[str, str]:
    return "--url", f"{registry.url}/sr/north/default"


def test_a_webhook_is_made_and_its_secret_told(accord: Program, registry: StandIn) -> None:
    registry.answer(f"POST {CALLS}", {**MADE, "secret": "whsec_x"}, 201)
    wanted = ("https://hooks.example.org/", "--event", "version.registered", "--description", "ours")
    done = accord("webhook", "create", *wanted, *at(registry))
    assert (done.exit_code, done.stdout.splitlines()) == (0, [*TOLD, "  secret whsec_x"])
    assert registry.asked[0].body == {
        "url": "https://hooks.example.org/",
        "events": ["version.registered"],
        "description": "ours",
    }
    accord("webhook", "create", "https://hooks.example.org/", *at(registry))
    assert "events" not in registry.asked[1].body


def test_webhooks_are_listed(accord: Program, registry: StandIn) -> None:
    registry.answer(f"GET {CALLS}?limit=200", {"items": [MADE, OFF], "next": None})
    done = accord("webhook", "list", *at(registry))
    off = [f"{ID} off: https://hooks.example.org/", "  told of *", "  gone"]
    assert done.stdout.splitlines() == [*TOLD, *off]
    as_json = accord("webhook", "list", "--json", *at(registry))
    assert json.loads(as_json.stdout) == [MADE, OFF]


@pytest.mark.parametrize(
    ("options", "body"),
    [
        (("--disable",), {"enabled": False}),
        (("--enable", "--event", "a", "--event", "b"), {"enabled": True, "events": ["a", "b"]}),
        (("--url-to-call", "https://other.example.org/"), {"url": "https://other.example.org/"}),
    ],
)
def test_what_is_named_is_changed(
    accord: Program, registry: StandIn, options: tuple[str, ...], body: dict[str, Any]
) -> None:
    registry.answer(f"PATCH {ONE}", OFF)
    done = accord("webhook", "change", ID, *options, "--json", *at(registry))
    assert (done.exit_code, json.loads(done.stdout)) == (0, OFF)
    assert registry.asked[0].body == body


def test_a_change_of_nothing_is_refused(accord: Program, registry: StandIn) -> None:
    done = accord("webhook", "change", ID, *at(registry))
    assert (done.exit_code, registry.asked) == (2, [])
    assert "Name what is to change" in done.stderr


def test_a_secret_is_rolled(accord: Program, registry: StandIn) -> None:
    registry.answer(f"POST {ONE}/roll", {**MADE, "secret": "whsec_y"})
    done = accord("webhook", "roll", ID, *at(registry))
    assert done.stdout.splitlines() == [*TOLD, "  secret whsec_y"]


def test_a_webhook_is_deleted(accord: Program, registry: StandIn) -> None:
    registry.answer(f"DELETE {ONE}", None, 204)
    done = accord("webhook", "delete", ID, *at(registry))
    assert (done.exit_code, done.stdout) == (0, f"webhook {ID} is deleted\n")


def test_a_webhook_is_tried(accord: Program, registry: StandIn) -> None:
    registry.answer(f"POST {ONE}/try", PENDING, 202)
    done = accord("webhook", "try", ID, *at(registry))
    assert done.stdout.splitlines() == ["7 pending: webhook.tried, next 2030-01-01"]


def test_messages_are_listed(accord: Program, registry: StandIn) -> None:
    registry.answer(f"GET {ONE}/messages?limit=200", {"items": [PENDING, ENDED], "next": None})
    registry.answer(f"GET {ONE}/messages?state=failed&limit=200", {"items": [ENDED], "next": None})
    done = accord("webhook", "messages", ID, *at(registry))
    assert done.stdout.splitlines() == [
        "7 pending: webhook.tried, next 2030-01-01",
        "6 failed: webhook.tried, 2029-01-01",
    ]
    failed = accord("webhook", "messages", ID, "--state", "failed", "--json", *at(registry))
    assert json.loads(failed.stdout) == [ENDED]


def test_a_message_is_shown_with_every_attempt(accord: Program, registry: StandIn) -> None:
    registry.answer(f"GET {ONE}/messages/6", {**ENDED, "tried": TRIED})
    done = accord("webhook", "message", ID, "6", *at(registry))
    assert done.stdout.splitlines() == [
        "6 failed: webhook.tried, 2029-01-01",
        "  2028-01-01 nobody is there",
        "  2028-01-02 answered 500 in 12 ms",
    ]


def test_a_message_is_sent_again(accord: Program, registry: StandIn) -> None:
    registry.answer(f"POST {ONE}/messages/6/replay", PENDING, 202)
    done = accord("webhook", "replay", ID, "6", "--json", *at(registry))
    assert json.loads(done.stdout) == PENDING
