"""Run the program in this process, as a user would type it."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Protocol

import pytest
from click.testing import CliRunner

from accord.cli import main
from accord.formats.protobuf import service
from tenants.rights import PRESETS
from tests.accord.client.stand_in import StandIn, stand_in
from tests.accord.protobuf_texts import COMPILER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from click.testing import Result

    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess


class Program(Protocol):
    def __call__(self, *arguments: str, stdin: bytes | None = None, colour: bool = False) -> Result: ...


class Write(Protocol):
    def __call__(self, name: str, schema: object) -> str: ...


class Repository:
    """A scratch repository that is the current folder."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("config", "user.email", "somebody@example.org")
        self.git("config", "user.name", "Somebody")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.top, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def write(self, name: str, content: object) -> Path:
        """Write a file: a text or bytes as they are, anything else as JSON."""
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, str | bytes) else json.dumps(content)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def commit(self, **files: object) -> str:
        """Commit files, ``__`` in their names standing for a slash and ``_avsc`` for the suffix."""
        for name, content in files.items():
            self.write(name.replace("_avsc", ".avsc").replace("_json", ".json").replace("__", "/"), content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "change")
        return self.git("rev-parse", "HEAD")


class Live:
    """The program with an address and a token of its own."""

    def __init__(self, accord: Program, url: str, token: str) -> None:
        self.accord, self.url, self.token = accord, url, token

    def __call__(self, *arguments: str) -> Result:
        return self.accord(*arguments, "--url", self.url, "--token", self.token)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    top = tmp_path / "repository"
    top.mkdir()
    monkeypatch.chdir(top)
    return Repository(top)


@pytest.fixture
def accord(monkeypatch: pytest.MonkeyPatch) -> Program:
    for name in ("ACCORD_URL", "ACCORD_TOKEN", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    service.use(COMPILER)  # not the one that the settings of the server name

    def run(*arguments: str, stdin: bytes | None = None, colour: bool = False) -> Result:
        return CliRunner().invoke(main, arguments, input=stdin, color=colour)

    return run


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a schema file; returns its path."""

    def write(name: str, schema: object) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(schema if isinstance(schema, bytes) else json.dumps(schema).encode())
        return str(path)

    return write


@pytest.fixture
def registry() -> Iterator[StandIn]:
    with stand_in() as running:
        yield running


@pytest.fixture
def live(
    granian_server: Callable[..., RunningProcess],
    accord: Program,
    alice: Actor,
    token_for: TokenFor,
    repository: Repository,
) -> tuple[Live, Live]:
    """The program as an administrator, and as a job whose token has the preset for jobs."""
    url = granian_server().url + "/sr/north/default"
    job = token_for(alice, *PRESETS["ci-check"].rights)
    return Live(accord, url, token_for(alice)), Live(accord, url, job)
