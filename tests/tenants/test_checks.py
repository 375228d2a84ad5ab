"""The system check for walls between tenants."""

from __future__ import annotations

import pytest

from tenants import checks


def test_every_table_with_rows_of_tenants_is_walled(db: None) -> None:
    assert "tenants_token" in checks.walled_tables()
    assert checks.check_row_security(databases=["default"]) == []


def test_a_table_without_a_wall_is_named(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "walled_tables", lambda: ["django_session", "tenants_token"])
    (fault,) = checks.check_row_security(databases=["default"])

    assert (fault.id, fault.is_serious()) == ("accord.E101", True)
    assert "django_session" in fault.msg


@pytest.mark.parametrize("databases", [None, [], ["owner"]])
def test_nothing_is_asked_where_no_database_is_meant(databases: list[str] | None) -> None:
    assert checks.check_row_security(databases=databases) == []
