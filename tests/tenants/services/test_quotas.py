"""Quotas: what is counted, what is refused, what somebody is told of."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.models import Outbox
from accord_server.kit.scope import NamespaceRef
from tenants import services
from tenants.errors import InvalidDetail, QuotaReached, RightMissing
from tenants.models import QuotaDelta, QuotaTotal, UsageDay
from tenants.principals import operator_scope
from tenants.queries.quotas import in_use, quota_record, usage_between
from tenants.services import quotas
from tests.cast import issued_for
from tests.tenants.audit_log import owner

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tenants.records import TenantRecord
    from tests.cast import Actor, ScopeFor, TokenFor

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(north: TenantRecord) -> Scope:
    """Whoever runs the installation, in a tenant of one namespace."""
    tenancy.activate(north.id)
    return operator_scope(north.ref)


def limit(operator: Scope, **wanted: int | None) -> None:
    """Set limits; what was counted before is not what the next change adds."""
    quotas.fold_tenant(operator)
    quotas.set_limits(operator, wanted=wanted, expected=None)


def test_a_namespace_more_than_there_may_be_is_refused(operator: Scope) -> None:
    limit(operator, namespaces=2)
    services.create_namespace(operator, slug="second", template=None)
    quotas.fold_tenant(operator)
    with pytest.raises(QuotaReached) as refusal:
        services.create_namespace(operator, slug="third", template=None)
    found = refusal.value
    assert (found.resource, found.limit, found.usage, found.needed) == ("namespaces", 2, 2, 1)
    assert found.message == (
        "This tenant may have 2 namespaces; it has 2, and this would add 1. Nothing was stored."
        " Delete one that nobody needs, or ask whoever runs the installation for a higher limit."
    )


def test_a_deleted_namespace_makes_room_and_comes_back_only_where_there_is_some(operator: Scope) -> None:
    limit(operator, namespaces=2)
    record = services.create_namespace(operator, slug="second", template=None)
    inside = replace(operator, namespace=NamespaceRef(record.id, "second"))
    services.delete_namespace(inside, confirmed="second", expected=None)
    assert in_use(operator)["namespaces"] == 1
    services.create_namespace(operator, slug="third", template=None)
    quotas.fold_tenant(operator)
    with pytest.raises(QuotaReached):
        services.restore_namespace(operator, slug="second")


def test_a_token_more_than_there_may_be_is_refused_until_one_is_revoked(
    alice: Actor, operator: Scope, token_for: TokenFor
) -> None:
    limit(operator, tokens=1)
    first = issued_for(alice)
    quotas.fold_tenant(operator)
    with pytest.raises(QuotaReached) as refusal:
        issued_for(alice)
    assert (refusal.value.resource, refusal.value.usage) == ("tokens", 1)
    services.revoke_token(operator, key_id=first.record.key_id)
    issued_for(alice)


def test_what_was_there_before_a_limit_stays_and_grows_no_more(operator: Scope) -> None:
    services.create_namespace(operator, slug="second", template=None)
    limit(operator, namespaces=1)
    assert in_use(operator)["namespaces"] == 2
    with pytest.raises(QuotaReached):
        services.create_namespace(operator, slug="third", template=None)
    # What needs no more of it is nobody's business here.
    services.create_service_account(operator, slug="robot")


def test_no_limit_is_none(operator: Scope) -> None:
    limit(operator, namespaces=0)
    services.create_namespace(operator, slug="second", template=None)


def test_whoever_lacks_the_right_sets_no_limits(bob: Actor, scope_for: ScopeFor) -> None:
    with pytest.raises(RightMissing):
        quotas.set_limits(scope_for(bob), wanted={"tokens": 5}, expected=None)


def test_a_tenants_people_can_only_set_less_for_themselves(
    operator: Scope, alice: Actor, scope_for: ScopeFor
) -> None:
    def shown() -> tuple[int, int]:
        (found,) = [one for one in quota_record(operator).uses if one.name == "namespaces"]
        return found.limit, found.ceiling

    own = scope_for(alice)
    limit(operator, namespaces=3)
    for refused in (0, 4):
        with pytest.raises(InvalidDetail) as refusal:
            quotas.set_limits(own, wanted={"namespaces": refused}, expected=None)
        assert "from 1 to 3, or null; only whoever runs the installation" in refusal.value.details
    quotas.set_limits(own, wanted={"namespaces": 2}, expected=None)
    assert shown() == (2, 3)
    services.create_namespace(operator, slug="second", template=None)
    quotas.fold_tenant(operator)
    with pytest.raises(QuotaReached):
        services.create_namespace(operator, slug="third", template=None)
    limit(operator, namespaces=1)
    assert shown() == (1, 1)
    limit(operator, namespaces=0)
    assert shown() == (2, 0)
    quotas.set_limits(own, wanted={"namespaces": None}, expected=None)
    assert shown() == (0, 0)


@pytest.mark.parametrize(
    ("name", "number"), [("chairs", 1), ("tokens", -1), ("open_checks", 0), ("tokens", 10**16)]
)
def test_what_can_be_no_limit_is_refused_by_its_place(operator: Scope, name: str, number: int) -> None:
    with pytest.raises(InvalidDetail) as refusal:
        quotas.set_limits(operator, wanted={name: number}, expected=None)
    assert refusal.value.place == f"/limits/{name}"


def test_a_limit_of_the_tenants_own_goes_before_the_default_until_it_is_taken_back(operator: Scope) -> None:
    def shown() -> tuple[int, int, int]:
        (found,) = [one for one in quota_record(operator).uses if one.name == "tokens"]
        return found.limit, found.default, quota_record(operator).revision

    assert shown() == (10_000, 10_000, 1)
    limit(operator, tokens=5)
    assert shown() == (5, 10_000, 2)
    limit(operator, tokens=5)
    assert shown() == (5, 10_000, 2)
    limit(operator, tokens=None)
    assert shown() == (10_000, 10_000, 3)


def test_whoever_comes_near_a_limit_is_told_once_each_time(operator: Scope) -> None:
    def told() -> list[dict[str, object]]:
        return [one.payload for one in Outbox.objects.scoped(operator).filter(topic="quota.warned")]

    limit(operator, namespaces=5)
    assert told() == []
    for slug in ("second", "third", "fourth"):
        services.create_namespace(operator, slug=slug, template=None)
    for _ in range(2):
        quotas.fold_tenant(operator)
        assert told() == [{"resource": "namespaces", "used": 4, "limit": 5}]
    limit(operator, namespaces=50)
    limit(operator, namespaces=4)
    assert len(told()) == 2
    (near,) = [one for one in quota_record(operator).uses if one.is_near]
    assert (near.name, near.percent, near.warned_at is not None) == ("namespaces", 100, True)


def test_without_workers_a_process_folds_itself_now_and_then(
    operator: Scope, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    """So that what every change adds up stays short."""
    monkeypatch.setattr(quotas, "FOLDED_AFTER", 3)
    monkeypatch.setattr(quotas, "changes", quotas.Changes())
    left = []
    for slug in ("second", "third", "fourth"):
        with django_capture_on_commit_callbacks(execute=True):
            services.create_namespace(operator, slug=slug, template=None)
        left.append(QuotaDelta.objects.scoped(operator).count())
    assert left[:2] == [left[0], left[0] + 1]
    assert (left[2], in_use(operator)["namespaces"]) == (0, 4)


def test_of_those_who_fold_at_once_one_does(operator: Scope) -> None:
    services.create_namespace(operator, slug="second", template=None)
    place = "SELECT pg_advisory_xact_lock(hashtextextended(%s::text, 7243))"
    with owner() as other, other.cursor() as cursor:
        cursor.execute(place, [str(operator.tenant.id)])
        with CaptureQueriesContext(connection) as looked:
            quotas.fold_tenant(operator)
        assert QuotaDelta.objects.scoped(operator).exists()
    assert not [one for one in looked.captured_queries if "FOR UPDATE" in one["sql"]]
    quotas.fold_tenant(operator)
    assert not QuotaDelta.objects.scoped(operator).exists()


def test_of_many_tenants_the_one_that_changed_least_lately_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quotas, "FOLDED_AFTER", 2)
    monkeypatch.setattr(quotas, "MOST_TENANTS", 1)
    seen, (one, other) = quotas.Changes(), (UUID(int=1), UUID(int=2))
    assert [seen.is_time(tenant) for tenant in (one, other, one, one)] == [False, False, False, True]


def test_folding_changes_nothing_but_where_it_is_written(operator: Scope) -> None:
    services.create_namespace(operator, slug="second", template=None)
    before = in_use(operator)
    quotas.fold_tenant(operator)
    assert (in_use(operator), QuotaDelta.objects.scoped(operator).count()) == (before, 0)
    assert before["namespaces"] == 2


def test_the_last_look_of_a_day_is_kept_and_what_is_too_old_forgotten(operator: Scope) -> None:
    today = timezone.now().date()
    old = today - timedelta(days=500)
    UsageDay.objects.insert(operator, day=old, resource="tokens", used=1)
    quotas.note_tenant(operator)
    services.create_namespace(operator, slug="second", template=None)
    quotas.note_tenant(operator)
    (found,) = usage_between(operator, old, today)
    assert (found.day, found.used["namespaces"], found.used["tokens"]) == (today, 2, 0)


def test_a_recount_mends_what_was_counted_wrong_and_tells_of_it(operator: Scope) -> None:
    services.create_namespace(operator, slug="second", template=None)
    quotas.fold_tenant(operator)
    assert quotas.recount_usage(operator) == []
    QuotaTotal.objects.scoped(operator).filter(resource="namespaces").update(used=7)
    (drift,) = quotas.recount_usage(operator)
    assert (drift.resource, drift.counted, drift.found) == ("namespaces", 7, 2)
    assert quotas.recount_usage(operator) == []


@pytest.mark.django_db(transaction=True)
def test_jobs_go_through_the_tenants(north: TenantRecord, south: TenantRecord) -> None:
    assert quotas.fold_usage() == 2
    assert quotas.fold_usage() == 0
    assert quotas.note_usage() == 2
