"""Which files of folders are taken, and how many at most."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accord.cli import gathering
from accord.cli.gathering import TooManyFiles, gather

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Repository


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("b.avsc", "a.json", "c.proto", "notes.txt", "deep/d.avsc", ".hidden/e.avsc", "f.AVSC"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()
    return tmp_path


def names(*paths: str) -> list[str]:
    return [one.name for one in gather(paths, None).candidates]


def test_a_folder_stands_for_its_schema_files(folder: Path) -> None:
    assert names(".") == ["a.json", "b.avsc", "c.proto", "deep/d.avsc"]
    assert names("deep") == ["deep/d.avsc"]


def test_each_file_is_taken_once(folder: Path) -> None:
    assert names("deep", ".", "b.avsc", "deep/../deep/d.avsc", str(folder / "a.json")) == [
        "deep/d.avsc",
        "a.json",
        "b.avsc",
        "c.proto",
    ]


def test_a_named_file_is_taken_whatever_it_is_called(folder: Path) -> None:
    assert names("notes.txt", ".hidden/e.avsc") == ["notes.txt", ".hidden/e.avsc"]


@pytest.mark.parametrize(
    ("limit", "words"), [("MOST_VISITED", "2 files"), ("MOST_SCHEMAS", "2 schema files")]
)
def test_a_folder_may_hold_only_so_many(
    folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, words: str
) -> None:
    monkeypatch.setattr(gathering, limit, 2)
    with pytest.raises(TooManyFiles, match=f"more than {words}"):
        names(".")


def test_too_many_files_end_with_two(
    accord: Program, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(a_avsc="int", b_avsc="int")
    monkeypatch.setattr(gathering, "MOST_SCHEMAS", 1)
    assert accord("check", "--against", "git:HEAD", ".").exit_code == 2
