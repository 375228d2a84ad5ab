"""What the installation remembers, and what it says when a step fails."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from accord_server.dev import bootstrap, programs
from accord_server.dev.accounts import NoAccount
from accord_server.dev.programs import StepFailed
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


@pytest.mark.parametrize("goal", ["run", "check", "spark"])
def test_the_packages_for_tests_serve_all_else_too(
    goal: str, stamps: Stamps, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, ...]] = []
    monkeypatch.setattr(bootstrap, "call", lambda *words, **_more: calls.append(words))
    quiet = Progress(out=io.StringIO())
    bootstrap.install_packages("test", stamps, quiet)
    bootstrap.install_packages(goal, stamps, quiet)
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
        lines = (programs.ROOT / name).read_text().splitlines()
        pinned = [line for line in lines if "==" in line and not line.lstrip().startswith("#")]
        assert pinned
        assert all(line.endswith("\\") for line in pinned)


def test_the_installer_is_the_one_of_the_lock_for_tests() -> None:
    chosen = (programs.ROOT / "requirements/installer.txt").read_text().split()[0]
    assert chosen in (programs.ROOT / bootstrap.LOCKS["test"]).read_text().split()


def test_a_failed_step_shows_what_was_printed() -> None:
    with pytest.raises(StepFailed, match=r"(?s)failed:\nreason"):
        programs.call(sys.executable, "-c", "print('reason'); raise SystemExit(1)")


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
    monkeypatch.delenv("CHROMIUM_PATH", raising=False)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(StepFailed, match=r"chromium, java 17, mvn, go 1\.24.*install chromium"):
        bootstrap.install_programs(("chromium", "java", "mvn", "go"), Progress(out=io.StringIO()))


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "21-ea" 2023-09-19', 21),
        ("what?", 0),
    ],
)
def test_an_old_java_counts_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str, version: int
) -> None:
    script(tmp_path / "java", f"echo '{printed}' >&2")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert programs.java_version() == version
    assert programs.is_there("java") is (version >= 17)


@pytest.mark.parametrize(
    ("printed", "is_enough"),
    [("go version go1.26.8 linux/amd64", True), ("go version go1.19.8 linux/amd64", False), ("what?", False)],
)
def test_an_old_go_counts_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str, is_enough: bool
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert programs.go_version() == ()
    script(tmp_path / "go", f"echo '{printed}'")
    assert programs.is_there("go") is is_enough


def test_a_java_that_cannot_compile_is_not_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert not programs.is_there("javac")
    script(tmp_path / "bin" / "javac", "")
    assert programs.is_there("javac")


def test_a_library_is_there_where_debian_puts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "LENSESIO", tmp_path / "lensesio")
    assert not programs.is_there("lensesio")
    programs.LENSESIO.mkdir()
    assert programs.is_there("lensesio")


def test_the_java_of_java_home_is_the_one_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "bin" / "java", "echo 'openjdk version \"11.0.2\"' >&2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert programs.java_version() == 11


def test_the_browser_that_is_there_starts() -> None:
    path = programs.browser()
    assert path
    programs.start_browser(path)


def test_a_browser_that_does_not_start_is_not_remembered(
    tmp_path: Path, stamps: Stamps, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "chromium", "echo 'libnss3.so: cannot open shared object file' >&2; exit 127")
    monkeypatch.setenv("CHROMIUM_PATH", str(tmp_path / "chromium"))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    for _ in range(2):
        with pytest.raises(StepFailed, match=r"(?s)does not start.*install-deps chromium.*libnss3"):
            bootstrap.try_browser(stamps, Progress(out=io.StringIO()))


def test_root_brings_the_libraries_of_a_browser(
    tmp_path: Path, stamps: Stamps, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "chromium", "exit 0")
    monkeypatch.setenv("CHROMIUM_PATH", str(tmp_path / "chromium"))
    monkeypatch.setattr(programs, "may_install", lambda: True)
    steps = iter([StepFailed("libnss3"), None])
    done: list[str] = []

    def start(path: str) -> None:
        done.append(path)
        if reason := next(steps):
            raise reason

    monkeypatch.setattr(programs, "start_browser", start)
    monkeypatch.setattr(programs, "install_browser_libraries", lambda: done.append("libraries"))
    for _ in range(2):
        bootstrap.try_browser(stamps, Progress(out=io.StringIO()))
    assert done == [str(tmp_path / "chromium"), "libraries", str(tmp_path / "chromium")]


def test_a_browser_that_is_not_there_is_said(stamps: Stamps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM_PATH", "/nowhere/chromium")
    with pytest.raises(StepFailed, match="no browser at /nowhere/chromium"):
        bootstrap.try_browser(stamps, Progress(out=io.StringIO()))


def test_a_python_without_venv_gets_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "PYTHON", tmp_path / "python")
    monkeypatch.setattr(bootstrap, "works", lambda *_words: False)
    monkeypatch.setattr(bootstrap, "call", lambda *words: calls.append(list(words)))
    monkeypatch.setattr(programs, "refresh_debian", lambda: None)
    monkeypatch.setattr(programs, "install_debian", calls.append)
    monkeypatch.setattr(programs, "may_install", lambda: True)
    bootstrap.make_venv(Progress(out=io.StringIO()))
    package, venv = calls
    assert package == [f"python3.{sys.version_info.minor}-venv"]
    assert venv[1:3] == ["-m", "venv"]


def test_who_may_not_install_is_told_what_venv_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "may_install", lambda: False)
    with pytest.raises(StepFailed, match=r"venv is missing.*apt-get install python3\.\d+-venv"):
        bootstrap.install_venv(Progress(out=io.StringIO()))


def test_a_program_that_is_still_missing_after_its_installation_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "may_install", lambda: True)
    monkeypatch.setattr(programs, "packages_of", lambda name: (f"{name}-package",))
    monkeypatch.setattr(programs, "refresh_debian", lambda: None)
    monkeypatch.setattr(programs, "install_debian", lambda _packages: None)
    with pytest.raises(StepFailed, match="mvn-package are installed, and yet this is missing: mvn"):
        bootstrap.install_programs(("mvn",), Progress(out=io.StringIO()))


@pytest.mark.parametrize(
    ("known", "package"), [(0, "openjdk-17-jre-headless"), (100, "default-jre-headless")]
)
def test_java_17_is_taken_where_the_machine_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: int, package: str
) -> None:
    script(tmp_path / "apt-cache", f"exit {known}")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert programs.packages_of("java") == (package,)


def test_a_user_id_without_an_account_is_refused_before_anything_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 3_000_012_345)
    monkeypatch.setattr(bootstrap, "make_venv", lambda _progress: (tmp_path / "made").touch())
    monkeypatch.delenv("ACCORD_DATABASE_URL", raising=False)
    with pytest.raises(NoAccount, match="3000012345"):
        bootstrap.install("run", Progress(out=io.StringIO()))
    assert not (tmp_path / "made").exists()


def test_a_program_that_cannot_be_run_does_not_work(tmp_path: Path) -> None:
    (tmp_path / "python").touch()
    assert not programs.works(str(tmp_path / "python"))
    assert not programs.works(str(tmp_path / "none"))
    assert programs.works(sys.executable, "-c", "")


@pytest.mark.parametrize("home", ["", "/nowhere/at/all"])
def test_who_has_no_home_gets_one_inside_the_environment(monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    monkeypatch.setenv("HOME", home)
    assert programs.environment()["HOME"] == str(programs.VENV / "home")


def test_a_home_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert programs.environment()["HOME"] == str(tmp_path)


def script(path: Path, text: str) -> None:
    """Write a program."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_programs_that_are_there_are_not_installed() -> None:
    out = io.StringIO()
    bootstrap.install_programs(("make",), Progress(out=out))
    assert out.getvalue() == ""


def test_every_goal_has_its_lock_and_its_programs() -> None:
    assert bootstrap.LOCKS.keys() == bootstrap.PROGRAMS.keys()
    assert {name for names in bootstrap.PROGRAMS.values() for name in names} == set(programs.DEBIAN)


def test_make_alone_prints_every_verb_with_a_sentence() -> None:
    printed = subprocess.run(["make"], cwd=programs.ROOT, capture_output=True, text=True, check=True).stdout
    verbs = {line.split()[1]: line.split(maxsplit=2)[2] for line in printed.splitlines()}
    phony = (programs.ROOT / "Makefile").read_text().partition(".PHONY: ")[2].splitlines()[0].split()
    assert list(verbs) == phony
    assert all(sentence.endswith(".") for sentence in verbs.values())


def test_an_unknown_python_is_refused_by_make(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "run", "PYTHON="], cwd=programs.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed" in done.stderr
