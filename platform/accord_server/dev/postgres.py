"""A real PostgreSQL from its wheel, for `make run` and the tests."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

import psycopg

from accord_server.dev import places, processes, roles
from accord_server.dev.accounts import unprivileged
from accord_server.dev.ports import LOOPBACK, free_port, is_free
from accord_server.dev.processes import DidNotStart, Program
from accord_server.dev.secret_files import secrets_in, write_private

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

    from accord_server.dev.places import Place

START_S = 90  # recovery after a crash replays the log first
ATTEMPTS = 5
# C.UTF-8 of PostgreSQL itself: names sort by code point whatever the machine's C library is.
INITDB = (
    "--username=" + roles.SUPERUSER, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C",
    "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions",
)  # fmt: skip
SETTINGS = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",
    "max_connections": "200",
    "timezone": "UTC",
    "jit": "off",
    "log_line_prefix": "%m [%p] %u@%d ",
}
# For tests only: nothing waits for the disk, so a crash of the machine may lose the data; and statistics of
# tables that a test's rollback has just emptied never lead the planner to read all that is dead in them.
CARELESS = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


@dataclass
class _Running:
    port: int
    program: Program
    process: subprocess.Popen[bytes]

    def end(self) -> None:
        processes.stop(self.process, gentle=self.program.gentle)


@dataclass
class PostgresServer:
    """A running server; `stop` ends it, and it ends by itself when this process dies."""

    data: Path
    passwords: Mapping[str, str] = field(repr=False)
    running: _Running = field(repr=False)
    lock: IO[bytes] = field(repr=False)

    @property
    def name(self) -> str:
        return "postgres"

    @property
    def pid(self) -> int:
        """The process id of the postmaster."""
        return self.running.process.pid

    @property
    def port(self) -> int:
        return self.running.port

    @property
    def superuser_url(self) -> str:
        return self.url(roles.SUPERUSER, "postgres")

    @property
    def owner_url(self) -> str:
        return self.url(roles.OWNER, roles.DATABASE)

    @property
    def app_url(self) -> str:
        return self.url(roles.APP, roles.DATABASE)

    def url(self, role: str, database: str) -> str:
        """Return the address of a database for one of the three roles."""
        return f"postgresql://{role}:{self.passwords[role]}@{LOOPBACK}:{self.port}/{database}"

    def is_alive(self) -> bool:
        return self.running.process.poll() is None

    def create_database(self, name: str, *, template: str = "template1") -> tuple[str, str]:
        """Create a database (a copy of ``template``); return its addresses for owner and application."""
        with self.superuser() as connection:
            roles.create_database(connection, name, template=template)
        return self.url(roles.OWNER, name), self.url(roles.APP, name)

    def drop_database(self, name: str) -> None:
        """Remove a database whoever is connected to it."""
        with self.superuser() as connection:
            roles.drop_database(connection, name)

    def superuser(self) -> psycopg.Connection[tuple[object, ...]]:
        """Connect as the role that may do anything; for set-up and tests, never for serving."""
        return psycopg.connect(self.superuser_url, autocommit=True)

    def restart(self) -> None:
        """Start the server again, on its port, after it died or was stopped."""
        self.running.end()
        self.running.process = _launch(self.running.program, self.superuser_url)

    def stop(self) -> None:
        """End the server: open transactions are rolled back, nothing committed is lost."""
        self.running.end()
        self.lock.close()


def start(data: Path, *, durable: bool = True) -> PostgresServer:
    """Start the server on a data folder, which is made on first use.

    Raises `processes.AlreadyRunning` when another program uses the folder, and `DidNotStart` with the
    end of the log when the server does not answer.
    """
    data.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as undo:
        lock = undo.enter_context(processes.hold(data))
        passwords = secrets_in(data / "passwords.json", (roles.SUPERUSER, *roles.RIGHTS))
        place = _ready_place(data, passwords[roles.SUPERUSER])
        settings = {**SETTINGS, **({} if durable else CARELESS)}
        running = _first_answer(
            place, settings, log=data / "postgres.log", password=passwords[roles.SUPERUSER]
        )
        server = PostgresServer(data, passwords, running, lock)
        undo.callback(server.stop)
        with server.superuser() as connection:
            roles.ensure_roles(connection, passwords)
        undo.pop_all()
    return server


def erase(data: Path) -> None:
    """Remove a data folder, and what lies elsewhere because the server's account could not reach it."""
    for folder in (places.fallback_of(data), data):
        shutil.rmtree(folder, ignore_errors=True)


def _ready_place(data: Path, password: str) -> Place:
    """Return a place whose cluster exists and is used by no server."""
    place = places.settle(data, unprivileged(owner_of=data / places.CLUSTER))
    _end_leftover(place.cluster)
    if not place.cluster.exists():
        _initialise(place, password)
    return place


def _first_answer(place: Place, settings: Mapping[str, str], *, log: Path, password: str) -> _Running:
    """Start the server on a free port; choose another if somebody was faster."""
    for _ in range(ATTEMPTS):
        port = free_port()
        program = _program(place, {**settings, "port": str(port)}, log=log)
        url = f"postgresql://{roles.SUPERUSER}:{password}@{LOOPBACK}:{port}/postgres"
        try:
            return _Running(port, program, _launch(program, url))
        except DidNotStart:
            if is_free(port):
                raise
    raise DidNotStart(f"PostgreSQL lost the race for {ATTEMPTS} ports")


def _program(place: Place, settings: Mapping[str, str], *, log: Path) -> Program:
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    return Program(
        (str(place.binaries / "postgres"), "-D", str(place.cluster), *options),
        log=log,
        gentle=signal.SIGINT,  # "fast" shutdown
        account=place.account,
        environment={"PATH": os.defpath, "TZ": "UTC", "LC_ALL": "C"},
    )


def _launch(program: Program, url: str) -> subprocess.Popen[bytes]:
    process = processes.spawn(program)
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url, connect_timeout=5):
            return process
        time.sleep(0.05)
    processes.stop(process, gentle=program.gentle)
    raise DidNotStart(f"PostgreSQL did not start; {program.log} ends:\n{processes.last_words(program.log)}")


def _initialise(place: Place, password: str) -> None:
    """Make the cluster under another name first, so that a half-made one is never taken for whole."""
    draft = Path(tempfile.mkdtemp(prefix="cluster-", dir=place.cluster.parent))
    secret = draft.with_name(draft.name + ".secret")
    write_private(secret, password)
    if place.account is not None:
        for path in (draft, secret):
            os.chown(path, place.account.uid, place.account.gid)
    try:
        _run_initdb(place, draft, secret)
        draft.rename(place.cluster)
    finally:
        secret.unlink()
        shutil.rmtree(draft, ignore_errors=True)


def _run_initdb(place: Place, folder: Path, secret: Path) -> None:
    words = (str(place.binaries / "initdb"), f"--pgdata={folder}", f"--pwfile={secret}", *INITDB)
    log = folder.with_name("initdb.log")
    process = processes.spawn(Program(words, log=log, account=place.account))
    if process.wait(START_S) != 0:
        raise DidNotStart(f"initdb failed:\n{processes.last_words(log)}")


def _end_leftover(cluster: Path) -> None:
    """End the server of a run that was killed; forget a process id that is somebody else's by now."""
    pid_file = cluster / "postmaster.pid"
    if not pid_file.exists():
        return
    pid = int(pid_file.read_text().splitlines()[0])
    if not processes.end_orphan(pid, mark=str(cluster), gentle=signal.SIGINT):
        pid_file.unlink(missing_ok=True)
