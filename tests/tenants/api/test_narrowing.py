"""Lists narrowed down by a part of the name, or by the state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cast import bearer
from tests.contract.refusals import Caller, document
from tests.factories import make_namespace

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

NORTH = "/api/v1/tenants/north"


@pytest.fixture
def admin(alice: Actor, bob: Actor, token_for: TokenFor) -> Caller:
    """Alice, with a namespace, two programs and a token to look for."""
    make_namespace(alice.tenant, "payments-eu")
    caller = Caller(bearer(token_for(alice)))
    for slug in ("robot", "rowbot-x"):
        assert caller.send("POST", f"{NORTH}/service-accounts", {"slug": slug}).status_code == 201
    wanted = {"name": "Nightly 100% run", "grants": [{"preset": "consumer"}]}
    assert caller.send("POST", f"{NORTH}/tokens", wanted).status_code == 201
    assert caller.send("POST", f"{NORTH}/service-accounts/robot/suspend").status_code == 200
    return caller


@pytest.mark.parametrize(
    ("query", "member", "found"),
    [
        ("namespaces?q=MENTS", "slug", ["payments-eu"]),
        ("namespaces?q=nothing", "slug", []),
        ("members?q=OB", "username", ["bob"]),
        ("members?q=bob&state=suspended", "username", []),
        ("service-accounts?q=bot", "slug", ["robot", "rowbot-x"]),
        ("service-accounts?state=suspended", "slug", ["robot"]),
        ("service-accounts?state=active", "slug", ["rowbot-x"]),
        ("tokens?q=100%25", "name", ["Nightly 100% run"]),
        ("tokens?q=10_", "name", []),
    ],
)
def test_a_list_is_narrowed_down(admin: Caller, query: str, member: str, found: list[str]) -> None:
    items = document(admin.send("GET", f"{NORTH}/{query}"))["items"]
    assert [one[member] for one in items] == found


@pytest.mark.parametrize("query", ["members?state=nothing", "members?q=%00", f"tokens?q={'x' * 201}"])
def test_a_filter_that_cannot_be_meant_is_refused(admin: Caller, query: str) -> None:
    assert admin.send("GET", f"{NORTH}/{query}").status_code == 400
