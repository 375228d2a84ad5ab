"""What the workers of a run measured is there, however long they take to end and whatever becomes of them."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from coverage import Coverage

from tests.house.coverage import ROOT

if TYPE_CHECKING:
    from pathlib import Path

# A worker that ends slowly, for a main process that kills it at once.
SLOW = """
import atexit, time
from xdist.workermanage import NodeManager

NodeManager.EXIT_TIMEOUT = 0.2

def pytest_configure(config):
    if hasattr(config, "workerinput"):
        atexit.register(time.sleep, 60)
"""
CODE = "def choose(number):\n    return number > 1\n"
TEST = "from part.code import choose\n\ndef test_choice():\n    assert choose(2)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "part").mkdir()
    for name, text in {"part/__init__.py": "", "part/code.py": CODE, "conftest.py": SLOW}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "test_code.py").write_text(TEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def missed(project: Path, *options: str) -> list[int]:
    """Run the project's tests in a worker and return the lines of its code that nobody measured."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE_", "PYTEST_"))}
    own["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    own["PYTHONPATH"] = os.pathsep.join([str(project), str(ROOT), str(ROOT / "platform")])
    measure = ["run", f"--rcfile={ROOT / 'pyproject.toml'}", "--source=part", "--data-file=.coverage"]
    tests = ["-m", "pytest", "-p", "xdist.plugin", "-n", "1", *options]
    subprocess.run([sys.executable, "-m", "coverage", *measure, *tests], cwd=project, env=own, check=True)
    found = Coverage(data_file=str(project / ".coverage"), config_file=str(ROOT / "pyproject.toml"))
    found.combine([str(project)])
    return found.analysis(str(project / "part" / "code.py"))[2]


def test_a_killed_worker_has_saved_what_it_measured(project: Path) -> None:
    assert missed(project, "-p", "tests.house.saving") == []


def test_without_saving_it_would_be_lost(project: Path) -> None:
    assert missed(project) != []


def test_the_tests_of_this_tree_save(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.has_plugin("tests.house.saving")
