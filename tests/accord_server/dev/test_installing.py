"""The steps of an installation: which a goal takes, what each runs, and what is not done twice."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accord_server.dev import accounts, bootstrap, locks, programs
from accord_server.dev.programs import StepFailed
from accord_server.dev.progress import Progress
from accord_server.dev.stamps import Stamps

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = (
    "make_venv",
    "install_packages",
    "install_programs",
    "try_browser",
    "build_pages",
    "fetch_jars",
    "install_clients",
    "build_helm",
)
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "probe"
version = "1"
[project.scripts]
{command} = "probe:main"
[tool.hatch.build.targets.wheel]
packages = ["probe"]
"""


@pytest.fixture
def quiet() -> Progress:
    return Progress(out=io.StringIO())


@pytest.fixture
def stamps(tmp_path: Path) -> Stamps:
    return Stamps(tmp_path / "stamps.json")


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The commands that were to run; none does."""
    calls: list[tuple[str, ...]] = []
    for module in (bootstrap, programs):
        monkeypatch.setattr(module, "call", lambda *words, **_more: calls.append(words))
    return calls


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own to install."""
    (tmp_path / "pyproject.toml").write_text(PROJECT.format(command="first"))
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "BUILT", tmp_path / "built")
    monkeypatch.setattr(bootstrap, "CLIENTS", tmp_path / "clients")
    return tmp_path


@pytest.mark.parametrize(
    ("goal", "taken"),
    [
        ("run", ["make_venv", "install_packages", "install_programs", "build_pages"]),
        ("check", ["make_venv", "install_packages", "install_programs", "build_pages"]),
        ("test", list(STEPS)),
        ("spark", ["make_venv", "install_packages", "install_programs", "fetch_jars"]),
    ],
)
def test_a_goal_takes_the_steps_it_needs(
    goal: str, taken: list[str], quiet: Progress, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def noting(name: str) -> Callable[..., None]:
        return lambda *_arguments: done.append(name)

    monkeypatch.setattr(accounts, "refuse_nameless", lambda _user: None)
    for step in STEPS:
        monkeypatch.setattr(bootstrap, step, noting(step))
    bootstrap.install(goal, quiet)
    assert done == taken


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        (None, 0, ""),
        (StepFailed("it broke"), 1, "it broke\n"),
        (PermissionError(13, "no", "/x/y"), 1, "/x/y belongs to another user: run as that user\n"),
    ],
)
def test_the_command_says_in_one_line_what_stopped_it(
    problem: Exception | None,
    code: int,
    said: str,
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def install(goal: str, _progress: Progress) -> None:
        assert goal == "run"
        if problem:
            raise problem

    monkeypatch.setattr(sys, "argv", ["bootstrap", "run"])
    monkeypatch.setattr(bootstrap, "install", install)
    assert bootstrap.main() == code
    assert capsys.readouterr().err == said


def test_an_environment_that_works_is_kept(quiet: Progress, called: list[tuple[str, ...]]) -> None:
    bootstrap.make_venv(quiet)
    assert called == []


def test_a_python_that_can_makes_the_environment_itself(
    tmp_path: Path, quiet: Progress, called: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "PYTHON", tmp_path / "python")
    bootstrap.make_venv(quiet)
    assert called == [(sys.executable, "-m", "venv", "--clear", str(programs.VENV))]


def test_a_command_that_pyproject_names_anew_is_installed(
    tree: Path, stamps: Stamps, quiet: Progress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real installer, into an environment that sees the build backend of this one."""
    venv.create(tree / "venv")
    (packages,) = (tree / "venv").glob("lib/python*/site-packages")
    (packages / "more.pth").write_text(sysconfig.get_path("purelib"))
    (tree / "probe").mkdir()
    (tree / "probe" / "__init__.py").write_text("def main(): print('ran')\n")
    uv = str(Path(sys.executable).with_name("uv"))
    words = (uv, "pip", "install", "--quiet", "--python", str(tree / "venv/bin/python"))
    monkeypatch.setattr(bootstrap, "uv_install", lambda: words)
    monkeypatch.setattr(bootstrap, "pip_install", lambda: words)
    bootstrap.install_project(stamps, quiet)
    (tree / "pyproject.toml").write_text(PROJECT.format(command="second"))
    bootstrap.install_project(stamps, quiet)
    assert not (tree / "venv" / "bin" / "first").exists()
    ran = subprocess.run([tree / "venv" / "bin" / "second"], capture_output=True, text=True, check=True)
    assert ran.stdout == "ran\n"


def test_the_project_is_installed_once_for_one_pyproject(
    tree: Path, stamps: Stamps, quiet: Progress, called: list[tuple[str, ...]]
) -> None:
    bootstrap.install_project(stamps, quiet)
    bootstrap.install_project(stamps, quiet)
    assert [words[-2:] for words in called] == [("--editable", str(tree))]


def test_without_uv_pip_installs_the_project(
    tree: Path,
    stamps: Stamps,
    quiet: Progress,
    called: list[tuple[str, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bootstrap, "VENV", tree / "none")
    bootstrap.install_project(stamps, quiet)
    assert called[0][1:3] == ("-m", "pip")


def test_the_commands_of_this_tree_are_those_of_its_pyproject() -> None:
    named = tomllib.loads((programs.ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    for command, target in named.items():
        module, _, function = target.partition(":")
        script = Path(sys.executable).with_name(command).read_text()
        assert f"from {module} import {function}" in script


def test_pages_are_built_once_and_again_when_a_source_changes(
    tree: Path, stamps: Stamps, quiet: Progress, called: list[tuple[str, ...]]
) -> None:
    bootstrap.build_pages(stamps, quiet)
    assert called == []  # a tree without pages
    (tree / "package.json").write_text("{}")
    bootstrap.build_pages(stamps, quiet)
    assert [words[:2] for words in called] == [("npm", "ci"), ("npm", "run")]
    (tree / "node_modules").mkdir()
    (tree / "built").mkdir()
    bootstrap.build_pages(stamps, quiet)
    assert len(called) == 2
    (tree / "frontend" / "assets").mkdir(parents=True)
    (tree / "frontend" / "assets" / "a.ts").write_text("1")
    bootstrap.build_pages(stamps, quiet)
    assert [words[:2] for words in called[2:]] == [("npm", "run")]


@pytest.mark.parametrize("is_new", [True, False])
def test_npm_runs_with_a_node_that_is_new_enough(is_new: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    paths: list[str] = []
    monkeypatch.setattr(bootstrap, "call", lambda *_words, path: paths.append(path))
    monkeypatch.setattr(bootstrap, "node_is_new_enough", lambda: is_new)
    bootstrap.npm("ci")
    assert paths[0].startswith(str(bootstrap.wheel_node())) is not is_new


def test_without_any_node_it_is_said_which_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "VENV", tmp_path)
    with pytest.raises(StepFailed, match=r"Node\.js 18 or newer"):
        bootstrap.wheel_node()


def test_jars_are_fetched_once_for_one_pom(
    tree: Path, stamps: Stamps, quiet: Progress, called: list[tuple[str, ...]]
) -> None:
    pom = tree / "pom.xml"
    pom.write_text("<project/>")
    bootstrap.fetch_jars(pom, "the jars", stamps, quiet)
    (tree / "jars").mkdir()
    (tree / "jars" / "a.jar").touch()
    bootstrap.fetch_jars(pom, "the jars", stamps, quiet)
    assert [words[0] for words in called] == ["mvn"]


def test_clients_are_brought_once_and_again_when_a_lock_or_a_source_changes(
    tree: Path, stamps: Stamps, quiet: Progress, called: list[tuple[str, ...]]
) -> None:
    clients = tree / "clients"
    for folder in ("java/jars", "node/node_modules", "go"):
        (clients / folder).mkdir(parents=True)
    for file in ("java/pom.xml", "java/jars/a.jar", "node/package-lock.json", "go/go.sum"):
        (clients / file).touch()
    for _ in range(2):
        bootstrap.install_clients(stamps, quiet)
    assert [words[0] for words in called] == ["mvn", "npm", "go"]
    for file in ("node/package-lock.json", "go/go.sum"):
        (clients / file).write_text("changed")
    bootstrap.install_clients(stamps, quiet)
    assert [words[0] for words in called[3:]] == ["npm", "go"]


def test_helm_is_built_once_and_again_when_its_lock_changes(
    tree: Path,
    stamps: Stamps,
    quiet: Progress,
    called: list[tuple[str, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bootstrap, "VENV", tree / "venv")
    monkeypatch.setattr(bootstrap, "HELM", tree / "helm")
    for file in ("helm/go.mod", "helm/go.sum", "helm/read-manifests/main.go", "venv/bin/helm"):
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        (tree / file).touch()
    for _ in range(2):  # as long as one of the two is missing
        bootstrap.build_helm(stamps, quiet)
    (tree / "venv" / "bin" / "read-manifests").touch()
    bootstrap.build_helm(stamps, quiet)
    assert [words[0] for words in called] == ["go", "go"]
    (tree / "helm" / "go.sum").write_text("changed")
    bootstrap.build_helm(stamps, quiet)
    assert [words[0] for words in called] == ["go", "go", "go"]


def test_root_installs_the_programs_that_are_missing(
    quiet: Progress, called: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = iter([False, True])
    monkeypatch.setattr(programs, "may_install", lambda: True)
    monkeypatch.setattr(programs, "is_there", lambda _name: next(there))
    bootstrap.install_programs(("mvn",), quiet)
    assert [words[:2] for words in called] == [("apt-get", "update"), ("apt-get", "install")]
    assert called[1][-1] == "maven"


def test_who_is_not_root_may_not_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert not programs.may_install()


def test_where_nobody_knows_packages_the_best_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert programs.packages_of("java") == ("openjdk-17-jre-headless",)


def test_without_java_its_version_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert programs.java_version() == 0


def test_the_libraries_of_a_browser_come_by_playwright_s_list(called: list[tuple[str, ...]]) -> None:
    programs.install_browser_libraries()
    assert called[0][1:] == ("-m", "playwright", "install-deps", "chromium")


def test_a_path_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert programs.environment("/some/bin")["PATH"] == "/some/bin"


def test_each_lock_is_resolved_from_its_extras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A resolver that writes down what it was asked."""
    note = f"import json, sys; open({str(tmp_path / 'asked')!r}, 'a').write(json.dumps(sys.argv[1:]) + '\\n')"
    monkeypatch.setattr(locks, "UV", (sys.executable, "-c", note))
    locks.main("--upgrade")
    run, dev, server, installer = map(json.loads, (tmp_path / "asked").read_text().splitlines())
    assert run[:6] == ["--extra", "protobuf", "--extra", "server", "--extra", "embedded"]
    assert {"spark", "dev", "--upgrade"} <= set(dev)
    assert [words[-1] for words in (run, dev, server, installer)] == [
        f"requirements/{name}.txt" for name in ("run", "dev", "server", "installer")
    ]
    assert server[:6] == ["--extra", "protobuf", "--extra", "server", "--constraint", "requirements/run.txt"]
    assert "--constraint" in installer
