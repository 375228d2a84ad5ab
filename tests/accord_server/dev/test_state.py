"""The state folder: who holds it, what is forgotten, what a half-written file means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord_server.dev import __main__ as command
from accord_server.dev.processes import AlreadyRunning
from accord_server.dev.state import PROJECT, State, read_json, write_json

if TYPE_CHECKING:
    from pathlib import Path

RUN = {"url": "http://127.0.0.1:8081", "pids": {"supervisor": 77}}


def test_the_folder_is_the_projects_own_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACCORD_STATE", raising=False)
    assert State.chosen(None).folder == PROJECT / ".accord"
    monkeypatch.setenv("ACCORD_STATE", "/somewhere")
    assert str(State.chosen(None).folder) == "/somewhere"
    assert str(State.chosen("/given").folder) == "/given"


def test_a_second_run_is_told_where_the_first_one_is(tmp_path: Path) -> None:
    state = State(tmp_path)
    with state.take():
        write_json(state.run_file, RUN)
        with pytest.raises(AlreadyRunning, match=r"http://127\.0\.0\.1:8081, process 77"):
            command.run(state, port=8081, reset=False)


def test_a_second_run_that_comes_too_early_is_told_to_wait(tmp_path: Path) -> None:
    with State(tmp_path).take(), pytest.raises(AlreadyRunning, match="try again"):
        command.run(State(tmp_path), port=8081, reset=True)


def test_a_reset_leaves_only_the_lock(tmp_path: Path) -> None:
    state = State(tmp_path)
    with state.take():
        write_json(state.run_file, RUN)
        state.log("web").parent.mkdir()
        state.log("web").write_text("old")
        state.postgres.mkdir()
        state.erase()
        assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_json_files_are_private_and_come_back(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", RUN)
    assert read_json(tmp_path / "a.json") == RUN
    assert (tmp_path / "a.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ["", "{", "[1]"])
def test_a_broken_file_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    assert read_json(tmp_path / "a.json") is None


def test_a_missing_file_is_none(tmp_path: Path) -> None:
    assert read_json(tmp_path / "a.json") is None


def test_the_files_of_another_user_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_anything: object, **_more: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "lock"))

    monkeypatch.setattr(command, "run", refuse)
    monkeypatch.setattr("sys.argv", ["dev", "run", "--state", str(tmp_path)])
    assert command.main() == 1
    assert f"{tmp_path / 'lock'} belongs to another user" in capsys.readouterr().err


def test_port_and_reset_come_from_make(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "9001")
    monkeypatch.setenv("RESET", "1")
    chosen = command.parser().parse_args(["run"])
    assert (chosen.port, chosen.reset) == (9001, True)


def test_without_make_there_are_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "")
    monkeypatch.delenv("RESET", raising=False)
    chosen = command.parser().parse_args(["run", "--state", "x"])
    assert (chosen.port, chosen.reset, chosen.state) == (8081, False, "x")
