"""Recounting what a tenant uses, on the command line."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from accord_server.kit import tenancy
from tenants.models import QuotaTotal
from tenants.principals import operator_scope
from tenants.services.quotas import fold_tenant

if TYPE_CHECKING:
    from tenants.records import TenantRecord

pytestmark = pytest.mark.django_db


def recounted() -> str:
    out = StringIO()
    call_command("recount_usage", "north", stdout=out)
    return out.getvalue()


def test_what_was_counted_wrong_is_told_and_mended(north: TenantRecord) -> None:
    operator = operator_scope(north.ref)
    fold_tenant(operator)
    with tenancy.tenant_context(north.id):
        QuotaTotal.objects.scoped(operator).filter(resource="namespaces").update(used=5)
    assert recounted() == "namespaces: 5 were counted, 1 are there; mended\n"
    assert recounted() == "good: what was counted is what is there\n"
