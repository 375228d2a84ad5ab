"""What the processes of a run are told, and what is kept from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accord_server.dev import environment, places, stores
from accord_server.dev.progress import Progress
from accord_server.dev.state import State
from accord_server.dev.stores import IncompleteAddresses, Stores

ADDRESSES = Stores("postgresql://app@h/d", "postgresql://owner@h/d", "redis://h/0")
OURS = ("ACCORD_DATABASE_URL", "ACCORD_OWNER_DATABASE_URL", "ACCORD_REDIS_URL", "ACCORD_SECRET_KEY")


@pytest.fixture(autouse=True)
def nothing_given(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in OURS:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)


def serving(folder: Path) -> dict[str, str]:
    return environment.for_serving(State(folder), ADDRESSES, "http://127.0.0.1:1")


def test_who_serves_does_not_know_the_owner(tmp_path: Path) -> None:
    told = serving(tmp_path)
    assert told["ACCORD_DATABASE_URL"] == ADDRESSES.app_url
    assert told["ACCORD_REDIS_URL"] == ADDRESSES.redis_url
    assert not any("owner@h" in value for value in told.values())


def test_the_socket_of_the_compiler_is_short_wherever_the_data_is(tmp_path: Path) -> None:
    assert places.compiler_socket(Path("/srv/accord")) == "/srv/accord/compiler"
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    path = serving(deep)["ACCORD_COMPILER_SOCKET"]
    assert len(path) < 100
    assert path == places.compiler_socket(deep)


def test_the_processes_add_up_their_counters(tmp_path: Path) -> None:
    assert serving(tmp_path)["ACCORD_METRICS_FOLDER"] == str(tmp_path / "metrics")


def test_who_migrates_knows_the_owner(tmp_path: Path) -> None:
    told = environment.for_commands(serving(tmp_path), ADDRESSES)
    assert told["ACCORD_OWNER_DATABASE_URL"] == ADDRESSES.owner_url


def test_secrets_are_made_once(tmp_path: Path) -> None:
    first, second = serving(tmp_path), serving(tmp_path)
    assert len(first["ACCORD_TOKEN_PEPPER"]) >= 32
    assert first["ACCORD_TOKEN_PEPPER"] == second["ACCORD_TOKEN_PEPPER"]
    assert first["ACCORD_SECRET_KEY"] != first["ACCORD_TOKEN_PEPPER"]


def test_secrets_are_for_their_owner_alone(tmp_path: Path) -> None:
    serving(tmp_path)
    assert State(tmp_path).secrets.stat().st_mode & 0o077 == 0


def test_a_secret_of_the_operator_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_SECRET_KEY", "s" * 40)
    assert serving(tmp_path)["ACCORD_SECRET_KEY"] == "s" * 40


def test_a_secret_in_a_file_is_not_given_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("s" * 40)
    monkeypatch.setenv("ACCORD_SECRET_KEY_FILE", str(tmp_path / "key"))
    assert "ACCORD_SECRET_KEY" not in serving(tmp_path)


def test_variables_of_this_program_are_not_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_STATE", "elsewhere")
    monkeypatch.setenv("PORT", "9000")
    assert not {"ACCORD_STATE", "PORT"} & serving(tmp_path).keys()


def test_a_command_beside_the_run_gets_its_settings_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = environment.settings_of({**serving(tmp_path), "HOME": "/elsewhere"})
    monkeypatch.setenv("ACCORD_STATE", "elsewhere")
    monkeypatch.setenv("ACCORD_LOG_LEVEL", "DEBUG")
    monkeypatch.setenv("ARGS", "list_tokens demo")
    told = environment.for_manage(kept)
    assert {name: value for name, value in told.items() if name.startswith("ACCORD_")} == kept
    assert told["DJANGO_SETTINGS_MODULE"] == "accord_server.settings"
    assert "ARGS" not in told
    assert told["PATH"]


def test_half_a_database_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_DATABASE_URL", ADDRESSES.app_url)
    with pytest.raises(IncompleteAddresses, match="ACCORD_OWNER_DATABASE_URL"):
        stores.open_stores(State(tmp_path), Progress(), lambda _service: None)


def test_stores_of_the_operator_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "redis").write_text(ADDRESSES.redis_url + "\n")
    monkeypatch.setenv("ACCORD_DATABASE_URL", ADDRESSES.app_url)
    monkeypatch.setenv("ACCORD_OWNER_DATABASE_URL", ADDRESSES.owner_url)
    monkeypatch.setenv("ACCORD_REDIS_URL_FILE", str(tmp_path / "redis"))
    started: list[object] = []
    assert stores.open_stores(State(tmp_path), Progress(), started.append) == ADDRESSES
    assert started == []


def test_the_secrets_file_is_readable_json(tmp_path: Path) -> None:
    serving(tmp_path)
    assert set(json.loads(State(tmp_path).secrets.read_text())) == {
        "ACCORD_METADATA_KEY",
        "ACCORD_SECRET_KEY",
        "ACCORD_TOKEN_PEPPER",
    }
