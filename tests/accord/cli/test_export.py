"""`accord export` as a user types it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.transfer import read
from tests.accord.transfer.conftest import filled
from tests.accord.transfer.small_registry import SmallRegistry, small_registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.accord.cli.conftest import Program


@pytest.fixture
def source() -> Iterator[SmallRegistry]:
    with small_registry() as registry:
        yield filled(registry)


def test_a_registry_is_written_to_a_file(accord: Program, source: SmallRegistry, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text("old")
    done = accord("export", str(path), "--url", source.url.replace("//", "//user:secret@"))
    assert done.exit_code == 0, done.output
    assert "exported 7 versions (2 of them deleted) of 5 subjects in 2 contexts" in done.stderr
    with path.open("rb") as stream, read(stream) as copy:
        assert (copy.source, len(copy.entries)) == (source.url, 7)
    assert [one.name for one in tmp_path.iterdir()] == ["all.jsonl"]


def test_the_standard_output_takes_it_too(accord: Program, source: SmallRegistry, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    told = accord("export", str(path), "--url", source.url, "--json", "--source-name", "here")
    done = accord("export", "-", "--url", source.url, "--json", "--source-name", "here")
    assert done.stdout_bytes == path.read_bytes()
    assert json.loads(done.stdout_bytes.splitlines()[0])["source"] == "here"
    assert json.loads(told.stdout)["sha256"] in done.stderr


def test_a_file_that_cannot_be_written_leaves_nothing(
    accord: Program, source: SmallRegistry, tmp_path: Path
) -> None:
    done = accord("export", str(tmp_path / "none" / "all.jsonl"), "--url", source.url)
    assert (done.exit_code, "No such file" in done.stderr) == (2, True)


def test_a_malformed_address_is_wrong_usage(accord: Program, tmp_path: Path) -> None:
    done = accord("export", str(tmp_path / "x"), "--url", "no address")
    assert (done.exit_code, "--url" in done.stderr) == (2, True)


def test_what_stays_behind_is_told(accord: Program, source: SmallRegistry, tmp_path: Path) -> None:
    source.hold("", 1, id=9)
    done = accord("export", str(tmp_path / "x"), "--url", source.url)
    assert (done.exit_code, "without a name in the context . stays behind" in done.stderr) == (0, True)


def test_a_token_for_another_registry_is_not_sent(
    accord: Program, source: SmallRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCORD_TOKEN", "ours")
    done = accord("export", str(tmp_path / "x"), "--url", source.url.replace("//", "//user:secret@"))
    assert done.exit_code == 0
    assert {one.headers["Authorization"].split()[0] for one in source.asked} == {"Basic"}
