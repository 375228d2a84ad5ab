"""What the installation remembers, and what it says when a step fails."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from accord_server.dev import bootstrap
from accord_server.dev.bootstrap import StepFailed
from accord_server.dev.progress import Progress
from accord_server.dev.stamps import Stamps, digest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def stamps(tmp_path: Path) -> Stamps:
    return Stamps(tmp_path / "stamps.json")


def test_a_stamp_is_remembered_beside_others(stamps: Stamps) -> None:
    stamps.set("one", "a")
    stamps.set("two", "b")
    assert stamps.holds("one", "a")
    assert not stamps.holds("one", "b")
    assert stamps.holds("two", "b")


@pytest.mark.parametrize("text", ["", "[]", "{"])
def test_a_broken_memory_remembers_nothing(stamps: Stamps, text: str) -> None:
    stamps.path.write_text(text)
    assert not stamps.holds("one", "a")


def test_the_digest_changes_with_name_and_content(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("x")
    second.write_text("x")
    marks = {digest([first]), digest([second]), digest([first, second]), digest([second, first])}
    first.write_text("y")
    assert len(marks | {digest([first])}) == 5


def test_folders_and_missing_files_are_passed_over(tmp_path: Path) -> None:
    assert digest([tmp_path, tmp_path / "none"]) == digest([])


def test_what_is_installed_is_not_installed_again(stamps: Stamps, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, ...]] = []
    monkeypatch.setattr(bootstrap, "call", lambda *words, **_more: calls.append(words))
    quiet = Progress(out=io.StringIO())
    bootstrap.install_packages("run", stamps, quiet)
    assert len(calls) == 3
    bootstrap.install_packages("run", stamps, quiet)
    assert len(calls) == 3


def test_the_packages_for_tests_serve_a_run_too(stamps: Stamps, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, ...]] = []
    monkeypatch.setattr(bootstrap, "call", lambda *words, **_more: calls.append(words))
    quiet = Progress(out=io.StringIO())
    bootstrap.install_packages("test", stamps, quiet)
    bootstrap.install_packages("run", stamps, quiet)
    assert len(calls) == 3


def test_where_uv_reaches_no_index_pip_installs(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, ...]] = []

    def refuse_uv(*words: str) -> None:
        calls.append(words)
        if words[0].endswith("uv"):
            raise StepFailed("no certificate")

    monkeypatch.setattr(bootstrap, "call", refuse_uv)
    out = io.StringIO()
    bootstrap.install_locked("requirements/run.txt", Progress(out=out))
    assert calls[-1][1:4] == ("-m", "pip", "install")
    assert calls[-1][-3:] == ("--require-hashes", "--requirement", "requirements/run.txt")
    assert "no certificate" in out.getvalue()


def test_every_package_is_checked_against_its_hash() -> None:
    for name in (*bootstrap.LOCKS.values(), "requirements/installer.txt"):
        lines = (bootstrap.ROOT / name).read_text().splitlines()
        pinned = [line for line in lines if "==" in line and not line.lstrip().startswith("#")]
        assert pinned
        assert all(line.endswith("\\") for line in pinned)


def test_the_installer_is_the_one_of_the_lock_for_tests() -> None:
    chosen = (bootstrap.ROOT / "requirements/installer.txt").read_text().split()[0]
    assert chosen in (bootstrap.ROOT / bootstrap.LOCKS["test"]).read_text().split()


def test_a_failed_step_shows_what_was_printed() -> None:
    with pytest.raises(StepFailed, match=r"(?s)failed:\nreason"):
        bootstrap.call(sys.executable, "-c", "print('reason'); raise SystemExit(1)")


@pytest.mark.parametrize(
    ("printed", "enough"), [("v20.1.0", True), ("v18.0.0", True), ("v16.9", False), ("?", False)]
)
def test_an_old_node_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str, enough: bool
) -> None:
    for name in ("node", "npm"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{printed}'\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert bootstrap.node_is_new_enough() is enough


def test_without_node_the_one_from_the_wheel_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not bootstrap.node_is_new_enough()
    node = bootstrap.wheel_node() / "node"
    assert subprocess.run([node, "--version"], capture_output=True, check=True).stdout.startswith(b"v")


def test_missing_programs_are_named_to_whoever_cannot_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StepFailed, match=r"chromium, java, mvn.*apt-get install chromium"):
        bootstrap.install_programs(("chromium", "java", "mvn"), Progress(out=io.StringIO()))


def test_programs_that_are_there_are_not_installed() -> None:
    out = io.StringIO()
    bootstrap.install_programs(("make",), Progress(out=out))
    assert out.getvalue() == ""


def test_every_goal_has_its_lock_and_its_programs() -> None:
    assert bootstrap.LOCKS.keys() == bootstrap.PROGRAMS.keys()
    assert {name for names in bootstrap.PROGRAMS.values() for name in names} == set(bootstrap.DEBIAN)


def test_make_alone_prints_every_verb_with_a_sentence() -> None:
    printed = subprocess.run(["make"], cwd=bootstrap.ROOT, capture_output=True, text=True, check=True).stdout
    verbs = {line.split()[1]: line.split(maxsplit=2)[2] for line in printed.splitlines()}
    phony = (bootstrap.ROOT / "Makefile").read_text().partition(".PHONY: ")[2].splitlines()[0].split()
    assert list(verbs) == phony
    assert all(sentence.endswith(".") for sentence in verbs.values())


def test_an_unknown_python_is_refused_by_make(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "run", "PYTHON="], cwd=bootstrap.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed" in done.stderr
