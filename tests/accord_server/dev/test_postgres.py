"""The embedded PostgreSQL keeps its data through every kind of end."""

from __future__ import annotations

import os
import signal
import stat
from typing import TYPE_CHECKING

import psycopg
import pytest

from accord_server.dev import postgres
from accord_server.dev.processes import AlreadyRunning, DidNotStart
from tests.embedded import server_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from accord_server.dev.postgres import PostgresServer


@pytest.fixture(scope="module")
def shared() -> Iterator[PostgresServer]:
    """One server for those who neither stop it nor leave anything that others see."""
    with server_folder() as folder:
        server = start(folder)
        yield server
        server.stop()


def run(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def start(place: Path) -> PostgresServer:
    return postgres.start(place / "postgres", durable=False)


def write_a_row(server: PostgresServer) -> None:
    run(server.owner_url, "CREATE TABLE kept (word text)")
    run(server.owner_url, "INSERT INTO kept VALUES ('here')")


def assert_row_is_there(server: PostgresServer) -> None:
    assert run(server.owner_url, "SELECT word FROM kept") == [("here",)]


def test_data_survives_a_stop_and_a_start(place: Path) -> None:
    first = start(place)
    write_a_row(first)
    first.stop()
    second = start(place)
    assert_row_is_there(second)
    second.stop()


def test_data_survives_a_killed_server_that_keeps_its_port(database: PostgresServer) -> None:
    write_a_row(database)
    port = database.port
    os.kill(database.pid, signal.SIGKILL)
    database.restart()
    assert_row_is_there(database)
    assert database.port == port


def test_a_server_without_its_starter_is_ended_by_the_next_start(place: Path) -> None:
    first = start(place)
    write_a_row(first)
    first.lock.close()  # what the death of the starter does
    second = start(place)
    assert_row_is_there(second)
    assert first.running.process.poll() is not None
    second.stop()


def test_a_process_id_that_is_somebody_elses_by_now_is_forgotten(place: Path) -> None:
    start(place).stop()
    cluster = place / "postgres" / "cluster"
    (cluster / "postmaster.pid").write_text(f"{os.getpid()}\n{cluster}\n")
    server = start(place)
    assert server.is_alive()
    server.stop()


def test_a_folder_in_use_is_refused(shared: PostgresServer) -> None:
    with pytest.raises(AlreadyRunning, match="in use"):
        postgres.start(shared.data)
    assert shared.is_alive()


def test_a_broken_folder_is_refused_with_the_end_of_the_log(place: Path) -> None:
    start(place).stop()
    (place / "postgres" / "cluster" / "PG_VERSION").write_text("9.0\n")
    with pytest.raises(DidNotStart, match="database files are incompatible"):
        start(place)


def test_after_a_refusal_the_folder_is_free_again(place: Path) -> None:
    start(place).stop()
    version = place / "postgres" / "cluster" / "PG_VERSION"
    right = version.read_text()
    version.write_text("9.0\n")
    with pytest.raises(DidNotStart):
        start(place)
    version.write_text(right)
    start(place).stop()


def test_a_stopped_server_leaves_no_process(place: Path) -> None:
    server = start(place)
    server.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(server.pid, 0)


def test_a_wrong_password_is_refused(shared: PostgresServer) -> None:
    url = shared.owner_url.replace(shared.passwords["accord_owner"], "guessed")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(url)


def test_the_application_has_no_right_over_the_owners_tables(shared: PostgresServer) -> None:
    write_a_row(shared)
    for statement in ("SELECT * FROM kept", "DROP TABLE kept", "CREATE TABLE own (a int)"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            run(shared.app_url, statement)


def test_no_role_of_ours_is_above_row_level_security(shared: PostgresServer) -> None:
    asked = "SELECT rolname FROM pg_roles WHERE (rolsuper OR rolbypassrls) AND rolname IN ('{}', '{}')"
    assert run(shared.superuser_url, asked.format("accord_owner", "accord_app")) == []


def test_a_new_database_belongs_to_the_owner_and_can_be_copied(shared: PostgresServer) -> None:
    owner, _app = shared.create_database("first")
    run(owner, "CREATE TABLE copied (a int)")
    copy, _app = shared.create_database("second", template="first")
    assert run(copy, "SELECT count(*) FROM copied") == [(0,)]


def test_a_database_in_use_can_be_dropped(shared: PostgresServer) -> None:
    owner, _app = shared.create_database("short")
    with psycopg.connect(owner):
        shared.drop_database("short")
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(owner)


def test_passwords_are_for_their_owner_alone(shared: PostgresServer) -> None:
    mode = stat.S_IMODE((shared.data / "passwords.json").stat().st_mode)
    assert mode == 0o600


def test_names_sort_by_code_point(shared: PostgresServer) -> None:
    asked = "SELECT string_agg(name, '' ORDER BY name) FROM (VALUES ('b'), ('a'), ('B'), ('é')) AS t (name)"
    assert run(shared.app_url, asked) == [("Babé",)]


def test_erase_leaves_nothing(place: Path) -> None:
    start(place).stop()
    postgres.erase(place / "postgres")
    assert not (place / "postgres").exists()
