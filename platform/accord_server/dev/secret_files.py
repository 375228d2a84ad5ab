"""Secrets made once and kept in files that only their owner reads."""

from __future__ import annotations

import json
import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SECRET_BYTES = 32


def write_private(path: Path, text: str) -> None:
    """Write a file with mode 0600, whole or not at all, also when the power fails."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def secrets_in(path: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the named secrets, making those that are not in the file yet."""
    known: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    missing = {name: secrets.token_urlsafe(SECRET_BYTES) for name in names if name not in known}
    if missing:
        known |= missing
        write_private(path, json.dumps(known, indent=2) + "\n")
    return {name: known[name] for name in names}
