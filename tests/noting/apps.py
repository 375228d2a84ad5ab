"""The topic ``test.note``: says when it begins and when it ends, and takes its time between."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from accord_server.kit.outbox import Event

TOPIC = "test.note"


def note(event: Event) -> None:
    """Leave two marks, ``seconds`` apart."""
    path = Path(event.payload["path"])
    _mark(path, f"begin {event.id}")
    time.sleep(event.payload["seconds"])
    _mark(path, f"end {event.id}")


def _mark(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(line + "\n")


class NotingConfig(AppConfig):
    """Registers the topic."""

    name = "tests.noting"

    def ready(self) -> None:
        """Say who does it."""
        from accord_server.kit.outbox import Topic, register

        register(Topic(TOPIC, note))
