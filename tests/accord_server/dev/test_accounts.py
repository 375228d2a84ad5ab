"""PostgreSQL runs as an existing unprivileged account, where that account can reach its files."""

from __future__ import annotations

import os
import pwd
from typing import TYPE_CHECKING

import psutil
import pytest

from accord_server.dev import accounts, places
from accord_server.dev.accounts import Account

if TYPE_CHECKING:
    from pathlib import Path

    from accord_server.dev.postgres import PostgresServer

IS_ROOT = os.geteuid() == 0


def test_the_server_is_never_roots(database: PostgresServer) -> None:
    assert psutil.Process(database.pid).uids().effective != 0


def test_whoever_is_not_root_runs_it_as_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: pwd.getpwnam("nobody").pw_uid)
    assert accounts.unprivileged() is None


def test_a_user_id_without_an_account_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 3_000_012_345)
    with pytest.raises(accounts.NoAccount, match=r"3000012345 has no account.*ACCORD_DATABASE_URL"):
        accounts.unprivileged()


def test_root_takes_an_account_that_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(accounts, "CANDIDATES", ("no-such-account", "nobody"))
    nobody = pwd.getpwnam("nobody")
    assert accounts.unprivileged() == Account("nobody", nobody.pw_uid, nobody.pw_gid)


def test_root_without_any_such_account_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(accounts, "CANDIDATES", ("no-such-account", "root"))
    with pytest.raises(accounts.NoAccount, match="no-such-account, root"):
        accounts.unprivileged()


def test_the_programs_come_from_the_newest_release_in_the_wheel() -> None:
    programs = places.wheel_binaries()
    assert {"postgres", "initdb"} <= {path.name for path in programs.iterdir()}
    assert programs.parent.name == max(path.name for path in programs.parents[1].glob("pginstall*"))


def test_a_folder_within_reach_is_used_as_it_is(place: Path) -> None:
    data = place / "postgres"
    data.mkdir()
    chosen = places.settle(data, accounts.unprivileged())
    assert chosen.cluster == data / "cluster"
