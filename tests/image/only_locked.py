"""Loads everything that the image runs, with no package at hand but those of its lock.

``python -m tests.image.only_locked requirements/server.txt`` ends with the name of what is missing.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

MODULES = (
    "accord.formats.protobuf.compiler",
    "accord_server.wsgi",
    "accord_server.celery",
    "granian.cli",
    "celery.bin.celery",
)


class OnlyLocked:
    """A finder that refuses what no package of the lock brings."""

    def __init__(self, lock: str) -> None:
        names = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==", lock, re.MULTILINE)
        self._locked = {_plain(name) for name in names}
        self._brought_by = packages_distributions()

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse a module of another package; leave all others to the next finder."""
        bringers = {_plain(one) for one in self._brought_by.get(name.partition(".")[0], [])}
        if bringers and not bringers & (self._locked | {"accord"}):
            raise ModuleNotFoundError(f"{name} comes with {', '.join(sorted(bringers))}", name=name)
        return None


def _plain(name: str) -> str:
    return re.sub(r"[._-]+", "-", name).lower()


def main(path: str) -> None:
    """Load it all."""
    sys.meta_path.insert(0, OnlyLocked(Path(path).read_text()))
    for name in MODULES:
        import_module(name)
    from accord_server.celery import app

    app.loader.import_default_modules()
    import_module("django.urls").get_resolver().url_patterns  # noqa: B018  # loads every view
    print("complete")


if __name__ == "__main__":
    main(sys.argv[1])
