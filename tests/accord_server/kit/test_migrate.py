"""`migrate`: as the owner, one at a time, and nothing left to write down."""

from __future__ import annotations

from threading import Event, Thread

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from accord_server.kit.database_router import OwnerMigrates
from accord_server.kit.management.commands.migrate import LOCK

pytestmark = pytest.mark.django_db(databases=["default", "owner"], transaction=True)


def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def test_the_owner_migrates_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("migrate")
    assert "No migrations to apply." in capsys.readouterr().out


def test_the_application_does_not() -> None:
    router = OwnerMigrates()
    assert router.allow_migrate("owner", "kit")
    assert not router.allow_migrate("default", "kit")


def test_without_an_owner_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(connections.settings, "owner")
    with pytest.raises(CommandError, match="ACCORD_OWNER_DATABASE_URL"):
        call_command("migrate")


def test_a_second_one_waits_for_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    parameters = connections["owner"].get_connection_params()
    wanted = {key: parameters[key] for key in ("host", "port", "user", "password", "dbname")}
    done = Event()

    def migrate() -> None:
        call_command("migrate", verbosity=0)
        done.set()
        connections.close_all()

    with psycopg.connect(**wanted, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        thread = Thread(target=migrate)
        thread.start()
        assert not done.wait(1)
    thread.join(60)
    assert done.is_set()
