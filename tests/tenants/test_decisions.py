"""What a process remembers of tokens, and for how long."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from accord_server.kit.scope import Principal, PrincipalKind, Scope, TenantRef
from tenants import announcements
from tenants.announcements import obey
from tenants.decisions import Decisions

LONG = timedelta(days=1)


def scope(key_id: str, tenant: int = 1) -> Scope:
    principal = Principal(PrincipalKind.SERVICE, "service:x", "x")
    return Scope(TenantRef(UUID(int=tenant), "north"), None, principal, token_key=key_id)


def key(key_id: str) -> tuple[bytes, str, str | None]:
    return (key_id.encode(), "north", "default")


def remembering(*key_ids: str) -> Decisions:
    known = Decisions(capacity=3)
    for key_id in key_ids:
        known.keep(key(key_id), scope(key_id), lives_for=LONG, drops=known.drops)
    return known


def test_a_decision_is_remembered_for_its_key_alone() -> None:
    known = remembering("a")

    assert known.get(key("a")) == scope("a")
    assert known.get((b"a", "north", None)) is None
    assert known.get((b"a", "south", "default")) is None


@pytest.mark.parametrize("seconds", [0, -1])
def test_what_is_over_is_not_remembered(seconds: int) -> None:
    known = Decisions()
    known.keep(key("a"), scope("a"), lives_for=timedelta(seconds=seconds), drops=known.drops)

    assert len(known) == 0


def test_a_token_about_to_end_is_remembered_no_longer() -> None:
    known = Decisions()
    known.keep(key("a"), scope("a"), lives_for=timedelta(microseconds=1), drops=known.drops)

    assert known.get(key("a")) is None


def test_the_oldest_make_room() -> None:
    known = remembering("a", "b", "c", "d")

    assert len(known) == 3
    assert known.get(key("a")) is None


def test_a_token_is_dropped_alone() -> None:
    known = remembering("a", "b")
    known.drop_token("a")

    assert known.get(key("a")) is None
    assert known.get(key("b")) is not None


def test_a_tenant_is_dropped_whole() -> None:
    known = remembering("a", "b")
    known.keep(key("c"), scope("c", tenant=2), lives_for=LONG, drops=known.drops)
    known.drop_tenant(str(UUID(int=1)))

    assert len(known) == 1
    assert known.get(key("c")) is not None


def test_a_decision_older_than_a_drop_is_not_kept() -> None:
    known = Decisions()
    before = known.drops
    known.drop_token("somebody-else")
    known.keep(key("a"), scope("a"), lives_for=LONG, drops=before)

    assert known.get(key("a")) is None


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("key:a", 2),
        (f"tenant:{UUID(int=1)}", 1),
        ("gibberish", 0),
        ("", 0),
        ("tenant:nobody", 3),
    ],
)
def test_messages_drop_what_they_name(monkeypatch: pytest.MonkeyPatch, message: str, left: int) -> None:
    known = remembering("a", "b")
    known.keep(key("c"), scope("c", tenant=2), lives_for=LONG, drops=known.drops)
    monkeypatch.setattr(announcements, "decisions", known)
    obey(message)

    assert len(known) == left
