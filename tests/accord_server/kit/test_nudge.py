"""Telling a worker: helpful when Redis is there, harmless when it is not."""

from __future__ import annotations

import pytest

from accord_server.kit import nudge


class App:
    """Stands in for Celery: takes messages, or cannot."""

    def __init__(self, *, is_away: bool = False) -> None:
        self.is_away = is_away
        self.sent: list[str] = []

    def send_task(self, name: str, **_options: object) -> None:
        """Take a message."""
        self.sent.append(name)
        if self.is_away:
            raise ConnectionRefusedError


@pytest.fixture(autouse=True)
def _loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nudge, "_quiet_until", 0.0)


def test_a_worker_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App()
    monkeypatch.setattr(nudge, "current_app", app)
    nudge.worker()
    nudge.worker()
    assert app.sent == ["kit.drain_outbox"] * 2


def test_a_redis_that_is_away_is_asked_once_and_then_left_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = App(is_away=True)
    monkeypatch.setattr(nudge, "current_app", app)
    nudge.worker()
    nudge.worker()
    assert app.sent == ["kit.drain_outbox"]
    assert "no worker could be told: ConnectionRefusedError" in caplog.text


def test_who_tells_learns_whether_anybody_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App()
    monkeypatch.setattr(nudge, "current_app", app)
    assert nudge.tell("a.task", queue="checks")
    app.is_away = True
    assert not nudge.tell("a.task", queue="checks")
    app.is_away = False
    assert not nudge.tell("a.task", queue="checks")
    assert app.sent == ["a.task"] * 2
