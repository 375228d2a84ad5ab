"""Root's private folders stay private: PostgreSQL's files go elsewhere, and that is said."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accord_server.dev import places, postgres

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def private(place: Path) -> Iterator[Path]:
    """A folder that nobody but its owner may pass."""
    folder = place / "private"
    folder.mkdir(mode=0o700)
    yield folder
    postgres.erase(folder / "postgres")


def test_data_goes_where_the_account_can_reach_it(private: Path, caplog: pytest.LogCaptureFixture) -> None:
    is_root = os.geteuid() == 0
    server = postgres.start(private / "postgres", durable=False)
    cluster = Path(server.running.program.argv[2])
    server.stop()
    assert cluster.is_relative_to(private) is not is_root
    assert ("cannot reach" in caplog.text) is is_root
    assert stat.S_IMODE(private.stat().st_mode) == 0o700


def test_programs_out_of_reach_are_copied(private: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = places.wheel_binaries().parents[1]
    hidden = private / wheel.name
    shutil.copytree(wheel / places.wheel_binaries().parent.name, hidden / "pginstall18", symlinks=True)
    shutil.copytree(wheel.with_name(wheel.name + ".libs"), private / (wheel.name + ".libs"))
    monkeypatch.setattr(places, "wheel_binaries", lambda: hidden / "pginstall18" / "bin")
    server = postgres.start(private / "postgres", durable=False)
    assert server.is_alive()
    server.stop()


def test_a_folder_that_somebody_else_made_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "theirs").symlink_to(place)
    monkeypatch.setattr(places, "fallback_of", lambda _data: place / "theirs")
    with pytest.raises(places.NotAPlace, match="somebody else"):
        places.own_folder(place / "theirs")
