"""The tutorial and the README, followed word by word against the platform."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PATIENCE_S = 60


@pytest.fixture
def folder(platform: Platform, tmp_path: Path) -> Path:
    """A folder in which the platform seems to run."""
    (tmp_path / ".accord").mkdir()
    (tmp_path / ".accord" / "run.json").write_text(json.dumps(platform.run))
    return tmp_path


def follow(page: str, folder: Path) -> list[str]:
    """Run the shell blocks of a page after the first, which starts the platform; one output for each."""
    _, *blocks = SHELL.findall((ROOT / page).read_text())
    mark = "--- next ---"
    script = f"\necho '{mark}'\n".join(["set -e", *blocks])
    run = subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    return [part.strip() for part in run.stdout.split(mark)[1:]]


def test_the_tutorial_registers_evolves_and_is_refused(folder: Path, platform: Platform) -> None:
    _, first, second, refused = follow("docs/tutorial/first-schema.md", folder)
    assert json.loads(first)["id"] < json.loads(second)["id"]
    assert json.loads(refused)["error_code"] == 40901
    assert "/fields/0/type" in json.loads(refused)["message"]
    assert platform.versions("tutorial-value") == [1, 2]


def test_the_python_lines_of_the_readme_register_a_schema(platform: Platform) -> None:
    (snippet,) = PYTHON.findall((ROOT / "README.md").read_text())
    values = f"REGISTRY, TOKEN = {platform.registry_url!r}, {platform.token!r}\n"
    run = subprocess.run(
        [sys.executable, "-c", values + snippet],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert int(run.stdout) > 0
    assert platform.versions("hello-value") != []
