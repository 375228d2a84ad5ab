"""The servers under measurement: the platform as `make run` starts it, and a bare one beside it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from accord_server.dev.roles import OWNER
from accord_server.dev.services import web_command
from accord_server.dev.state import State
from benchmarks.bare import BODY_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parents[1]
READY_S = 600
MEDIA_TYPE = "application/vnd.schemaregistry.v1+json"


class NotServing(Exception):
    """A server that did not answer in time; the message holds the end of what it printed."""


@dataclass(frozen=True)
class Registry:
    """A running registry, the headers that open it, and the folder of its data."""

    url: str
    headers: dict[str, str]
    state: str = ""

    def ask(self, path: str) -> bytes:
        """Ask for a path of the native API, that begins with a slash and the tenant's part left out."""
        server, _, place = self.url.partition("/sr/")
        url = f"{server}/api/v1/tenants/{place.split('/')[0]}{path}"
        with urllib.request.urlopen(urllib.request.Request(url, headers=self.headers), timeout=60) as answer:
            return bytes(answer.read())

    def call(self, path: str, body: object = None, *, method: str | None = None) -> bytes:
        """Ask for a path, with a JSON body where one is given; then by POST, unless another method is."""
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": MEDIA_TYPE}
        with urllib.request.urlopen(
            urllib.request.Request(self.url + path, data, headers, method=method), timeout=60
        ) as answer:
            return bytes(answer.read())


@contextmanager
def platform() -> Iterator[Registry]:
    """Run the whole platform on data of its own."""
    with TemporaryDirectory(prefix="accord-bench-") as folder:
        command = (
            sys.executable,
            "-m",
            "accord_server.dev",
            "run",
            "--state",
            folder,
            "--port",
            str(free_port()),
        )
        with _process(command, Path(folder) / "run.log") as server:
            run = json.loads(_wait_for(server, Path(folder) / "run.json"))
            yield Registry(run["registry_url"], {"Authorization": f"Bearer {run['token']}"}, folder)


def managed(registry: Registry, *words: str) -> str:
    """Run a command of manage.py beside a running registry and return what it printed."""
    command = (sys.executable, "-m", "accord_server.dev", "manage", *words)
    environment = {**os.environ, "ACCORD_STATE": registry.state}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


@contextmanager
def bare(body: bytes) -> Iterator[str]:
    """Serve one body by the same server with the same options as the platform's."""
    port = free_port()
    command = (sys.executable, "-m", *web_command(port)[:-1], "benchmarks.bare:application")
    with (
        TemporaryDirectory(prefix="accord-bench-") as folder,
        _process(command, Path(folder) / "bare.log", {BODY_VARIABLE: body.decode()}),
    ):
        url = f"http://127.0.0.1:{port}/"
        _wait_until_answering(url)
        yield url


def owner_url(registry: Registry) -> str:
    """Return the address by which the owner of the tables comes into a running registry's database."""
    state = State(Path(registry.state))
    app = urlsplit(json.loads(state.settings_file.read_text())["ACCORD_DATABASE_URL"])
    password = json.loads((state.postgres / "passwords.json").read_text())[OWNER]
    url = app._replace(netloc=f"{OWNER}:{password}@{app.hostname}:{app.port}").geturl()
    return str(url)


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def _process(
    command: tuple[str, ...], log: Path, variables: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    environment = {**os.environ, **(variables or {})}
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            yield process, log
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait_for(server: tuple[subprocess.Popen[bytes], Path], file: Path) -> str:
    process, log = server
    deadline = time.monotonic() + READY_S
    while not file.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise NotServing(log.read_text()[-2000:])
        time.sleep(0.2)
    return file.read_text()


def _wait_until_answering(url: str) -> None:
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    raise NotServing(url)
