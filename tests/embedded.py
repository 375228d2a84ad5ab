"""A folder for servers of one test: PostgreSQL's account may pass through, unlike pytest's own folders."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from accord_server.dev import postgres

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def server_folder() -> Iterator[Path]:
    """Make the folder; afterwards remove it and what PostgreSQL had to keep elsewhere."""
    folder = Path(tempfile.mkdtemp(prefix="accord-servers-"))
    folder.chmod(0o711)
    yield folder
    postgres.erase(folder / "postgres")
    shutil.rmtree(folder)
