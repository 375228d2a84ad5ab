"""Where a run keeps its data, its secrets and its logs: ``.accord/`` unless told otherwise."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from accord_server.dev import postgres, processes
from accord_server.dev.secret_files import write_private

PROJECT: Final = Path(__file__).resolve().parents[3]
VARIABLE: Final = "ACCORD_STATE"


@dataclass(frozen=True, slots=True)
class State:
    """The folder of one platform and the places in it."""

    folder: Path

    @classmethod
    def chosen(cls, given: str | None) -> State:
        """Return the folder given on the command line, by ``ACCORD_STATE``, or the project's own."""
        return cls(Path(given or os.environ.get(VARIABLE) or PROJECT / ".accord").resolve())

    @property
    def run_file(self) -> Path:
        return self.folder / "run.json"

    @property
    def settings_file(self) -> Path:
        return self.folder / "settings.json"

    @property
    def demo_file(self) -> Path:
        return self.folder / "demo.json"

    @property
    def postgres(self) -> Path:
        return self.folder / "postgres"

    @property
    def redis(self) -> Path:
        return self.folder / "redis"

    @property
    def secrets(self) -> Path:
        return self.folder / "secrets.json"

    @property
    def stamps(self) -> Path:
        return self.folder / "stamps.json"

    def log(self, name: str) -> Path:
        return self.folder / "logs" / f"{name}.log"

    def take(self) -> IO[bytes]:
        """Make the folder and hold it; raises `processes.AlreadyRunning` if a run holds it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o711)  # PostgreSQL's account passes through; each file guards itself
        return processes.hold(self.folder)

    def erase(self) -> None:
        """Forget everything but the lock that the caller holds."""
        postgres.erase(self.postgres)
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name != processes.LOCK:
                path.unlink()


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a private JSON file, whole or not at all."""
    write_private(path, json.dumps(content, indent=2) + "\n")


def read_json(path: Path) -> dict[str, Any] | None:
    """Return what a JSON file holds; None where there is no such file, or a broken one."""
    with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
        content = json.loads(path.read_text())
        if isinstance(content, dict):
            return content
    return None
