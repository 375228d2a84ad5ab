"""The second wall: which tenant a connection serves."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection

from accord_server.kit import tenancy


@pytest.mark.django_db
def test_nobody_is_served_at_first() -> None:
    assert tenancy.active_tenant() is None


@pytest.mark.django_db
def test_activate_sets_the_session_value() -> None:
    tenant = uuid4()
    tenancy.activate(tenant)
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('accord.tenant')")
        assert cursor.fetchone() == (str(tenant),)
