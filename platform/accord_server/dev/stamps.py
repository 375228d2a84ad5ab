"""Memory of what was installed or built from which files, so that it is not done twice."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True)
class Stamps:
    """A file of names and digests; a broken or missing file remembers nothing."""

    path: Path

    def holds(self, name: str, mark: str) -> bool:
        """Tell whether the thing was last made from what ``mark`` stands for."""
        return self._known().get(name) == mark

    def set(self, name: str, mark: str) -> None:
        """Remember what the thing was made from."""
        self.path.write_text(json.dumps(self._known() | {name: mark}, indent=2) + "\n")

    def _known(self) -> dict[str, str]:
        try:
            content = json.loads(self.path.read_text())
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}


def digest(paths: Iterable[Path]) -> str:
    """Return one digest over names and contents of files; folders among them are passed over."""
    total = hashlib.sha256()
    for path in paths:
        if path.is_file():
            total.update(f"{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()
