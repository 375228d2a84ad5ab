"""The page of quotas: limits with bars, a warning near one, and a history as a drawing and as numbers."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from accord_server.kit import tenancy
from frontend.pages.usage import NAMES, amount
from tenants.models import UsageDay
from tenants.principals import operator_scope
from tenants.quotas import RESOURCES
from tenants.services.quotas import set_limits

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor

pytestmark = pytest.mark.django_db

USAGE = "/t/north/usage/"


def shown(client: Client, actor: Actor, query: str = "") -> str:
    client.force_login(actor.user)
    answer = client.get(USAGE + query)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def used(actor: Actor, *amounts: int) -> None:
    """Note what was in use, today last."""
    today = timezone.now().date()
    scope = operator_scope(actor.tenant.ref)
    with tenancy.tenant_context(actor.tenant.id):
        for ago, amount in enumerate(reversed(amounts)):
            UsageDay.objects.insert(scope, day=today - timedelta(days=ago), resource="versions", used=amount)


def test_every_limit_has_a_name() -> None:
    assert NAMES.keys() == RESOURCES.keys()


@pytest.mark.parametrize(
    ("resource", "count", "text"),
    [
        ("versions", 15386, "15,386"),
        ("stored_bytes", 0, "0"),
        ("stored_bytes", 1023, "1,023"),
        ("stored_bytes", 1024, "1 KiB"),
        ("stored_bytes", 15386, "15 KiB"),
        ("stored_bytes", 100 << 30, "100 GiB"),
        ("schema_bytes", 3 << 19, "1.5 MiB"),
        ("stored_bytes", 5 << 50, "5120 TiB"),
    ],
)
def test_bytes_are_told_in_their_largest_unit(resource: str, count: int, text: str) -> None:
    assert amount(resource, count) == text


def test_limits_are_shown_with_what_is_in_use_and_a_warning_near_one(client: Client, alice: Actor) -> None:
    set_limits(operator_scope(alice.tenant.ref), wanted={"namespaces": 1, "versions": 0}, expected=None)
    page = shown(client, alice)
    assert "Namespaces: 100 % of 1 are in use." in page
    assert "share__bar--fail" in page
    assert "1,000,000" in page
    assert "Nothing is noted yet" in page


def test_the_history_is_a_drawing_and_a_table(client: Client, alice: Actor) -> None:
    used(alice, 0, 50, 100)
    page = shown(client, alice, "?of=versions")
    assert '<polyline points="4.0,116.0 300.0,60.0 596.0,4.0"/>' in page
    assert "Versions over 3 days, at most 100" in page
    assert "<td>50</td>" in page
    assert "History: Subjects" in shown(client, alice, "?of=subjects")
    assert "History: Versions" in shown(client, alice, "?of=chairs")


def test_a_single_day_is_no_line(client: Client, alice: Actor) -> None:
    used(alice, 7)
    page = shown(client, alice)
    assert "<polyline" not in page
    assert "<td>7</td>" in page


def test_who_may_not_read_quotas_is_led_to_no_page_of_them(client: Client, bob: Actor) -> None:
    client.force_login(bob.user)
    assert client.get(USAGE).status_code in {403, 404}
    assert USAGE not in client.get("/t/north/").content.decode()
