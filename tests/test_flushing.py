"""What a test leaves behind when its tables are emptied."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command

from tenants.models import Tenant
from tests.factories import make_person, make_tenant


@pytest.mark.django_db(transaction=True)
def test_content_types_outlive_emptied_tables() -> None:
    kind = ContentType.objects.get_for_model(Tenant)
    call_command("flush")
    assert ContentType.objects.filter(pk=kind.pk).exists()
    make_person(make_tenant("north"), "alice", role="admin")
    assert Permission.objects.filter(content_type=kind).exists()
