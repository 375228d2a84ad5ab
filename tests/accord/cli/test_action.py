"""The action `.github/actions/check`: its steps run in bash with the inputs it declares."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.accord.cli.schemas import BARE, NEEDS_NOTE, WITH_NOTE

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Repository

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / ".github" / "actions" / "check"
ACTION: dict[str, Any] = yaml.safe_load((FOLDER / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{\s*inputs\.([\w-]+)\s*\}\}")
# No index is asked: what the library needs is found beside this Python, and so is what builds it.
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # pip reads the variable the wrong way round
    "PYTHONPATH": sysconfig.get_path("purelib"),
}


class Runner:
    """Runs steps of the action as GitHub's runner does: expressions filled in, then a script for bash."""

    def __init__(self, repository: Repository, temp: Path) -> None:
        self.repository, self.temp = repository, temp
        repository.commit(schemas__order_avsc=BARE)

    def step(self, name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run one step; ``_`` in the name of an input stands for a hyphen."""
        given = {key.replace("_", "-"): value for key, value in inputs.items()}
        values = {key: given.pop(key, one["default"]) for key, one in ACTION["inputs"].items()}
        assert given == {}
        (step,) = (one for one in STEPS if one["name"] == name)

        def filled(text: str) -> str:
            return EXPRESSION.sub(lambda found: values[found[1]], text)

        script = self.temp / "step.sh"
        script.write_text(step["run"])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.repository.top / filled(step.get("working-directory", ".")),
            env={
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
                "RUNNER_TEMP": str(self.temp),
                "GITHUB_ACTION_PATH": str(FOLDER),
                **OFFLINE,
                **{key: filled(value) for key, value in step.get("env", {}).items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the first step has installed the program."""
    temp = tmp_path_factory.mktemp("runner")
    (step,) = (one for one in STEPS if one["name"] == "Install")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=temp,
        env={
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(temp),
            "RUNNER_TEMP": str(temp),
            "GITHUB_ACTION_PATH": str(FOLDER),
            **OFFLINE,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return temp


@pytest.fixture
def runner(repository: Repository, installed: Path, tmp_path: Path) -> Runner:
    temp = tmp_path / "temp"
    temp.mkdir()
    (temp / "accord").symlink_to(installed / "accord")
    return Runner(repository, temp)


@pytest.fixture
def listening(repository: Repository, tmp_path: Path) -> Runner:
    """A runner whose program only repeats the words it is given."""
    program = tmp_path / "temp" / "accord" / "bin" / "accord"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\"\n")
    program.chmod(0o755)
    return Runner(repository, tmp_path / "temp")


def test_the_install_pins_what_the_lock_file_pins(installed: Path) -> None:
    pins = (installed / "accord-versions.txt").read_text().splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.+!-]+", pin) for pin in pins)
    assert {"click", "fastavro", "google-re2", "pyyaml", "urllib3"} <= {pin.split("==")[0] for pin in pins}
    assert (installed / "accord" / "bin" / "accord").exists()
    assert shutil.which("accord", path=str(installed / "accord" / "bin"))


def test_a_breaking_change_is_annotated(runner: Runner) -> None:
    runner.repository.write("schemas/order.avsc", NEEDS_NOTE)
    done = runner.step("Check", against="git:HEAD", paths="schemas\n")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=schemas/order.avsc,line=1,")


def test_a_good_change_passes_and_leaves_a_report(runner: Runner) -> None:
    runner.repository.write("schemas/order.avsc", WITH_NOTE)
    done = runner.step("Check", against="git:HEAD", level="BACKWARD", sarif="out.sarif")
    assert done.returncode == 0, done.stderr
    assert json.loads((runner.repository.top / "out.sarif").read_text())["version"] == "2.1.0"


def test_the_config_of_the_repository_is_found(runner: Runner) -> None:
    runner.repository.write(
        "accord.yaml", "against: git:HEAD\nschemas:\n  - files: '**/*.avsc'\n    level: FULL\n"
    )
    done = runner.step("Check")
    assert done.returncode == 0, done.stderr
    assert "| compatible: schemas/order.avsc against git:HEAD:schemas/order.avsc (FULL, " in done.stdout


def test_the_config_decides_what_is_refused(runner: Runner) -> None:
    runner.repository.write(
        "accord.yaml", "against: git:HEAD\nschemas:\n  - files: '**/*.avsc'\n    level: BACKWARD\n"
    )
    runner.repository.write("schemas/order.avsc", NEEDS_NOTE)
    done = runner.step("Check")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=schemas/order.avsc,line=1,")
    assert "READER_FIELD_MISSING_DEFAULT_VALUE" in done.stdout


def test_warnings_refuse_where_they_are_asked_to(runner: Runner) -> None:
    runner.repository.write("a.json", {"type": "object"})
    inputs = {"against": "git:HEAD", "preset": "optional-friendly"}
    assert runner.step("Check", **inputs).returncode == 0
    assert runner.step("Check", warnings_as_errors="true", **inputs).returncode == 1


HOSTILE = [
    "$(touch stolen)",
    "`touch stolen`",
    "; touch stolen",
    "' ; touch stolen '",
    "--help",
    "a\ntouch stolen",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["paths", "against", "config", "level", "working_directory"])
def test_an_input_is_never_run(
    listening: Runner, accord: Program, monkeypatch: pytest.MonkeyPatch, text: str, name: str
) -> None:
    top = listening.repository.top
    folder = top / text if name == "working_directory" else top
    folder.mkdir(exist_ok=True)
    done = listening.step("Check", **{"against": "git:HEAD", name: text})
    assert (done.returncode, done.stderr) == (0, "")
    words = done.stdout.split("\0")[:-1]
    given = text.split("\n") if name == "paths" else [] if name == "working_directory" else [text]
    assert set(given) <= set(words)
    monkeypatch.chdir(folder)
    assert accord(*words).exit_code == (0 if name == "working_directory" else 2)
    assert not list(top.rglob("stolen"))


def test_a_hostile_input_is_refused_by_the_program_itself(runner: Runner) -> None:
    done = runner.step("Check", against="git:HEAD", paths=HOSTILE[0])
    assert done.returncode == 2, done.stderr
    assert not list(runner.repository.top.rglob("stolen"))


def test_code_of_the_checked_repository_is_not_imported(runner: Runner) -> None:
    for name in ("click.py", "yaml.py", "accord.py", "sitecustomize.py"):
        runner.repository.write(name, "raise SystemExit('run')")
    assert runner.step("Check", against="git:HEAD").returncode == 0


def test_inputs_reach_scripts_as_variables_alone() -> None:
    assert [step["name"] for step in STEPS if "${{" in step["run"]] == []


def test_no_foreign_action_is_used() -> None:
    assert [step for step in STEPS if "uses" in step] == []
    assert all(step["shell"] == "bash" for step in STEPS)


def test_every_input_is_described_and_used() -> None:
    used = set(EXPRESSION.findall(json.dumps(STEPS)))
    assert used == set(ACTION["inputs"])
    assert all(one["description"] and "default" in one for one in ACTION["inputs"].values())
