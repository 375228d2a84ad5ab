"""What a serving process makes sure of: no wrong setting, and no role past row-level security."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connections
from django.db.backends.signals import connection_created

from accord_server.kit.startup import UnsafeRole, refuse_misconfiguration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Take the guard off again: other tests sign in as whom they like."""
    yield
    connection_created.disconnect(dispatch_uid="accord.startup.role")


@pytest.mark.django_db
def test_good_settings_and_a_plain_role_pass() -> None:
    refuse_misconfiguration()
    connections["default"].ensure_connection()


@pytest.mark.django_db
def test_wrong_settings_stop_the_process(settings: Settings) -> None:
    settings.ACCORD_TOKEN_PEPPER = ""
    with pytest.raises(ImproperlyConfigured, match=r"accord\.E002"):
        refuse_misconfiguration()


@pytest.mark.django_db(transaction=True)
def test_a_role_that_turned_unsafe_gets_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_misconfiguration()
    connections["default"].close()
    owner = connections.settings["owner"]
    for key in ("USER", "PASSWORD"):
        monkeypatch.setitem(connections.settings["default"], key, owner[key])
    with pytest.raises(UnsafeRole, match="owns tables"):
        connections["default"].ensure_connection()
    assert connections["default"].connection is None


@pytest.mark.django_db(databases=["default", "owner"])
def test_the_owner_may_still_migrate() -> None:
    refuse_misconfiguration()
    connections["owner"].close()
    connections["owner"].ensure_connection()
