"""The door remembers whom authentication let in, counts them, and decides nothing itself."""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING

import pytest

from accord_server.kit.networks import Networks
from tenants.announcements import announce_tokens
from tenants.authentication import authenticate
from tenants.door import Door
from tenants.usage import Usage
from tests.cast import issued_for

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db
PLACE = ("north", "default")


def let_in(value: str) -> dict[str, str]:
    """Authenticate once, and return what the caller sends again."""
    authenticate(f"Bearer {value}", tenant_slug="north", namespace_slug="default")
    return {"HTTP_AUTHORIZATION": f"Bearer {value}", "REMOTE_ADDR": "10.0.0.1", "HTTP_USER_AGENT": "client"}


def test_who_was_let_in_is_recalled(alice: Actor, token_for: TokenFor) -> None:
    scope = Door().recall(let_in(token_for(alice)), *PLACE)
    assert scope is not None
    assert scope.principal.key == alice.key


def test_only_where_it_was_let_in(alice: Actor, token_for: TokenFor) -> None:
    assert Door().recall(let_in(token_for(alice)), "north", "payments") is None


def test_who_was_never_let_in_is_not(alice: Actor, token_for: TokenFor) -> None:
    value = token_for(alice)
    assert Door().recall({"HTTP_AUTHORIZATION": f"Bearer {value}"}, *PLACE) is None


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer x", "Digest x"])
def test_no_token_is_nobody(header: str | None) -> None:
    assert Door().recall({"HTTP_AUTHORIZATION": header}, *PLACE) is None


def test_who_comes_from_elsewhere_than_the_token_may_is_not_recalled(alice: Actor) -> None:
    value = issued_for(alice, networks=Networks((ip_network("10.0.0.0/8"),))).value
    where = {"tenant_slug": "north", "namespace_slug": "default"}
    authenticate(f"Bearer {value}", **where, address="10.0.0.1")
    sent = {"HTTP_AUTHORIZATION": f"Bearer {value}"}
    assert Door().recall({**sent, "REMOTE_ADDR": "10.0.0.2"}, *PLACE) is not None
    assert Door().recall({**sent, "REMOTE_ADDR": "192.0.2.1"}, *PLACE) is None
    assert Door().recall(sent, *PLACE) is None


def test_a_dropped_decision_is_not_recalled(alice: Actor, token_for: TokenFor) -> None:
    sent = let_in(token_for(alice))
    scope = Door().recall(sent, *PLACE)
    assert scope is not None
    announce_tokens([scope.token_key or ""])
    assert Door().recall(sent, *PLACE) is None


def test_a_use_is_counted(alice: Actor, token_for: TokenFor, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = []
    monkeypatch.setattr(Usage, "note", lambda _, use: noted.append(use))
    sent = let_in(token_for(alice))
    scope = Door().recall(sent, *PLACE)
    assert scope is not None
    Door().count(sent, scope)
    assert (noted[-1].key_id, noted[-1].address, noted[-1].client) == (scope.token_key, "10.0.0.1", "client")
