"""Run the program in this process, as a user would type it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

import pytest
from click.testing import CliRunner

from accord.cli import main
from tests.accord.client.stand_in import StandIn, stand_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result


class Program(Protocol):
    def __call__(self, *arguments: str, stdin: bytes | None = None, colour: bool = False) -> Result: ...


class Write(Protocol):
    def __call__(self, name: str, schema: object) -> str: ...


@pytest.fixture
def accord(monkeypatch: pytest.MonkeyPatch) -> Program:
    for name in ("ACCORD_URL", "ACCORD_TOKEN", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

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
