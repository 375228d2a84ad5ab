"""Management commands of a run, each to its end: migrations under a lock, the demo tenant."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import psycopg

from accord_server.dev.errors import Trouble
from accord_server.dev.processes import last_words
from accord_server.dev.stamps import digest
from accord_server.dev.state import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# Any number will do, as long as every supervisor of one database takes the same.
MIGRATION_LOCK = 0x6163636F7264
COMMAND_S = 600
PASSWORD_BYTES = 18
MIGRATED = ("platform/accord_server/kit", "tenants", "registry", "frontend")


class CommandFailed(Trouble):
    """A management command ended with an error; the message holds the end of its log."""


def manage(*words: str, environment: Mapping[str, str], log: Path) -> str:
    """Run a management command and return what it printed."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as errors:
        done = subprocess.run(
            [sys.executable, str(PROJECT / "manage.py"), *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=environment,
            cwd=PROJECT, timeout=COMMAND_S, check=False, text=True,
        )  # fmt: skip
    if done.returncode != 0:
        raise CommandFailed(f"manage.py {' '.join(words)} failed:\n{done.stdout}{last_words(log)}")
    return done.stdout


def migrations_mark() -> str:
    """Return what changes when there may be new migrations: ours, or those of a new lock."""
    ours = (path for room in MIGRATED for path in sorted((PROJECT / room).glob("migrations/*.py")))
    return digest([PROJECT / "requirements" / "run.txt", *ours])


def migrate(owner_url: str, *, environment: Mapping[str, str], log: Path) -> None:
    """Bring the tables up to date; of several supervisors of one database one works, the rest wait."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        manage("migrate", "--database", "owner", "--no-input", environment=environment, log=log)


def seed(known_password: str | None, *, environment: Mapping[str, str], log: Path) -> dict[str, Any]:
    """Make or complete the demo tenant and issue its token anew; return names and secrets.

    A password that the platform has already is not shown again: it is the one we know from the run
    that made it, or, where that is lost, a new one.
    """
    demo = _seed("--new-token", environment=environment, log=log)
    if demo["admin"]["password"] is None and known_password is None:
        words = ("--new-token", "--admin-password", secrets.token_urlsafe(PASSWORD_BYTES))
        demo = _seed(*words, environment=environment, log=log)
    demo["admin"]["password"] = demo["admin"]["password"] or known_password
    return demo


def _seed(*options: str, environment: Mapping[str, str], log: Path) -> dict[str, Any]:
    printed = manage("seed", "--json", *options, environment=environment, log=log)
    demo = json.loads(printed)
    if not isinstance(demo, dict):
        raise CommandFailed(f"manage.py seed printed no JSON object: {printed!r}")
    return demo
