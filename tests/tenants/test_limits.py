"""What a process knows of limits: read once, dropped when the tenant changes, never kept out of date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord_server.kit import tenancy
from tenants import limits as module
from tenants.announcements import announce_tenant
from tenants.limits import Limits
from tenants.principals import operator_scope
from tenants.quotas import SetLimits

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tenants.records import TenantRecord

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(north: TenantRecord) -> Scope:
    tenancy.activate(north.id)
    return operator_scope(north.ref)


def test_they_are_read_once_until_the_tenant_changes(operator: Scope) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            module.limits.of(operator, "tokens")
        return len(captured)

    module.limits.clear()
    assert [statements(), statements()] == [1, 0]
    announce_tenant(operator.tenant.id)
    assert [statements(), statements()] == [1, 0]


def test_what_was_dropped_while_it_was_read_is_not_kept(
    operator: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Limits()

    def read(scope: Scope) -> SetLimits:
        known.drop(str(scope.tenant.id))
        return SetLimits({"tokens": 5})

    monkeypatch.setattr(module, "set_limits_of", read)
    assert known.of(operator, "tokens") == 5
    assert known.known(operator.tenant.id) is None


def test_there_are_only_so_many(operator: Scope) -> None:
    known = Limits(capacity=0)
    known.of(operator, "tokens")
    assert known.known(operator.tenant.id) is None
