"""Management commands of a run: one migrates at a time, secrets are asked for once, failures are shown."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import psycopg
import pytest

from accord_server.dev import commands
from accord_server.dev.commands import CommandFailed

if TYPE_CHECKING:
    from pathlib import Path

    from accord_server.dev.postgres import PostgresServer


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose manage.py does what the test writes into it."""
    monkeypatch.setattr(commands, "PROJECT", tmp_path)
    return tmp_path


def manage_py(project: Path, code: str) -> None:
    (project / "manage.py").write_text(f"import json, pathlib, sys\n{code}\n")


def seed_that_answers(project: Path, *, password: str | None) -> None:
    """A seed that knows the admin already unless told a new password, and writes down its words."""
    manage_py(
        project,
        "words = sys.argv[1:]\n"
        "with pathlib.Path('words').open('a') as file: file.write(json.dumps(words) + '\\n')\n"
        f"told = words[-1] if '--admin-password' in words else {password!r}\n"
        "print(json.dumps({'token': 't', 'admin': {'username': 'admin', 'password': told}}))",
    )


def words_of(project: Path) -> list[list[str]]:
    return [json.loads(line) for line in (project / "words").read_text().splitlines()]


def test_what_a_command_prints_is_returned(project: Path) -> None:
    manage_py(project, "print(sys.argv[1:])")
    assert commands.manage("a", "b", environment={}, log=project / "logs" / "log") == "['a', 'b']\n"


def test_a_failed_command_shows_the_end_of_its_log(project: Path) -> None:
    manage_py(project, "sys.exit('it broke')")
    with pytest.raises(CommandFailed, match=r"(?s)manage\.py a failed:.*it broke"):
        commands.manage("a", environment={}, log=project / "log")


def test_a_new_admins_password_is_taken_as_it_comes(project: Path) -> None:
    seed_that_answers(project, password="made-up")
    demo = commands.seed(None, environment={}, log=project / "log")
    assert demo["admin"]["password"] == "made-up"
    assert words_of(project) == [["seed", "--json", "--new-token"]]


def test_a_password_we_know_is_kept(project: Path) -> None:
    seed_that_answers(project, password=None)
    assert commands.seed("known", environment={}, log=project / "log")["admin"]["password"] == "known"
    assert len(words_of(project)) == 1


def test_a_password_nobody_knows_is_replaced(project: Path) -> None:
    seed_that_answers(project, password=None)
    demo = commands.seed(None, environment={}, log=project / "log")
    assert len(demo["admin"]["password"]) >= 16
    assert demo["admin"]["password"] == words_of(project)[-1][-1]


def test_a_seed_that_prints_something_else_is_refused(project: Path) -> None:
    manage_py(project, "print('[]')")
    with pytest.raises(CommandFailed, match="no JSON object"):
        commands.seed(None, environment={}, log=project / "log")


def test_only_one_migrates_at_a_time(project: Path, database: PostgresServer) -> None:
    manage_py(project, "pathlib.Path('migrated').touch()")
    words = {"environment": {}, "log": project / "log"}
    with psycopg.connect(database.owner_url, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [commands.MIGRATION_LOCK])
        thread = threading.Thread(target=commands.migrate, args=(database.owner_url,), kwargs=words)
        thread.start()
        thread.join(1)
        assert not (project / "migrated").exists()
    thread.join(30)
    assert (project / "migrated").exists()


def test_a_new_migration_changes_the_mark(project: Path) -> None:
    folder = project / "tenants" / "migrations"
    folder.mkdir(parents=True)
    before = commands.migrations_mark()
    (folder / "0001_tables.py").write_text("one")
    assert commands.migrations_mark() != before


def test_a_new_lock_changes_the_mark(project: Path) -> None:
    (project / "requirements").mkdir()
    before = commands.migrations_mark()
    (project / "requirements" / "run.txt").write_text("django==5.2")
    assert commands.migrations_mark() != before
