"""What `make run` may be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord_server.dev.__main__ import NotRunning, manage, parser
from accord_server.dev.state import State

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("port", ["abc", "0", "65536", "-1", "٣", "1" * 5000])
def test_a_port_that_is_none_is_refused_in_one_sentence(
    port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PORT", port)
    with pytest.raises(SystemExit) as end:
        parser().parse_args(["run"])
    assert end.value.code == 2
    assert "give PORT a number from 1 to 65535" in capsys.readouterr().err


def test_the_words_of_a_command_are_passed_on() -> None:
    words = ["issue_token", "demo", "--owner", "service:a", "--help"]
    assert parser().parse_args(["manage", *words]).words == words


def test_without_a_run_there_are_no_settings_for_a_command(tmp_path: Path) -> None:
    with pytest.raises(NotRunning, match=f"nothing runs in {tmp_path}"):
        manage(State(tmp_path), ["check"])


def test_a_port_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "18081")
    assert parser().parse_args(["run"]).port == 18081
