"""The thresholds of `make test COVERAGE=1` bite: a planted gap is found, named and fails the run."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.house.coverage import LAUNCH, ROOT, THRESHOLDS, Threshold, main
from tests.house.lint import tree

if TYPE_CHECKING:
    from pathlib import Path

CODE = """
import subprocess, sys

def choose(number):
    if number > 1:
        return "many"
    return "few"

if __name__ == "__main__":
    for number in map(int, sys.argv[1:]):
        if number < 9:
            choose(number)
        else:
            subprocess.run([sys.executable, __file__, "5"], check=True)
"""
PART = Threshold("part", ("part/*.py",), 100)
OPTIONS = (f"--rcfile={ROOT / 'pyproject.toml'}", "--source=part", "--data-file=.coverage")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "__init__.py").touch()
    (tmp_path / "part" / "code.py").write_text(CODE)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


def run(project: Path, *numbers: str) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    command = [sys.executable, "-m", "coverage", "run", *OPTIONS, "part/code.py", *numbers]
    subprocess.run(command, cwd=project, env=own, check=True)


def test_a_missed_branch_fails_and_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(project, "1")
    assert main(project, [PART]) == 1
    told = capsys.readouterr().out
    assert "part/code.py" in told
    assert "FAILED part" in told


def test_what_several_processes_ran_is_added_up(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(project, "1")
    run(project, "9")
    assert main(project, [PART]) == 0
    assert capsys.readouterr().out.startswith("ok     part           100.00 %")


def test_a_file_that_no_test_imports_is_missed_whole(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "part" / "forgotten.py").write_text("A = 1\n")
    run(project, "1", "9")
    assert main(project, [PART]) == 1
    assert "forgotten.py" in capsys.readouterr().out


def test_a_lower_threshold_lets_some_gaps_pass(project: Path) -> None:
    run(project, "1")
    assert main(project, [Threshold("part", ("part/*.py",), 50)]) == 0


def test_a_part_without_files_fails(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(project, "1")
    assert main(project, [Threshold("part", ("elsewhere/*.py",), 50)]) == 1
    assert "no file is called elsewhere/*.py" in capsys.readouterr().out


def test_every_module_of_the_product_and_every_helper_of_the_tests_belongs_to_one_part() -> None:
    spared = ("benchmarks/", "tests/", "manage.py", LAUNCH)
    for path in (file.path for file in tree() if file.path.endswith(".py")):
        rows = [row.name for row in THRESHOLDS if row.covers(path)]
        is_spared = path.startswith(spared) or "/migrations/" in path
        assert len(rows) == 1 or (is_spared and not rows), (path, rows)
