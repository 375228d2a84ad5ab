"""Roles given to one principal at the same moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tenants import services
from tenants.errors import LimitReached
from tenants.models import RoleBinding
from tenants.principals import operator_scope
from tenants.records import Binding
from tenants.services import roles
from tenants.services.changes import change
from tests import factories
from tests.registry.threads import all_at_once

if TYPE_CHECKING:
    from tenants.records import TenantRecord

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 8


def test_one_role_given_by_many_is_held_once(north: TenantRecord) -> None:
    scope = operator_scope(north.ref)
    who = factories.make_person(north, "zoe").key
    given = all_at_once(scope, lambda _: services.bind_role(scope, principal=who, role="viewer"), AT_ONCE)
    assert given == [Binding("viewer", None, "*")] * AT_ONCE


def test_the_limit_holds_for_all_together(north: TenantRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "MAX_BINDINGS", 3)
    scope = operator_scope(north.ref)
    who = factories.make_person(north, "zoe").key

    def bind(number: int) -> Binding:
        return services.bind_role(
            scope, principal=who, role="viewer", namespace_slug="default", subjects=f"s{number}"
        )

    given = all_at_once(scope, bind, AT_ONCE)
    assert sum(isinstance(one, LimitReached) for one in given) == AT_ONCE - 3
    with change(scope):
        assert RoleBinding.objects.scoped(scope).count() == 3
