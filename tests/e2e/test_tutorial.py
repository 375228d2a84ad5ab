"""The tutorial and the README, followed word by word against the platform."""

from __future__ import annotations

import json
import os
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
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def follow(page: str, folder: Path, *, blocks: slice = slice(1, None), before: str = "") -> list[str]:
    """Run shell blocks of a page, by default all after the one that starts the platform; their outputs."""
    mark = "--- next ---"
    chosen = SHELL.findall((ROOT / page).read_text())[blocks]
    script = f"\necho '{mark}'\n".join([f"set -e\n{before}", *chosen])
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


def test_the_tutorial_makes_a_token_that_checks_and_cannot_register(folder: Path, platform: Platform) -> None:
    # In a terminal of the project; the platform of the tests keeps its state elsewhere.
    make = f'make() {{ ACCORD_STATE={platform.folder} command make -s -C {ROOT} "$@"; }}'
    printed = follow("docs/tutorial/ci-token.md", folder, before=make)
    _, tenant, namespace, _, _, check, verdict, refused = printed
    assert json.loads(tenant)["slug"] == "acme"
    assert json.loads(namespace)["slug"] == "payments"
    assert json.loads(check) == {"is_compatible": True}
    assert json.loads(verdict)["verdict"] == "allowed"
    assert json.loads(refused) == {"error_code": 403, "message": "This needs the right 'subject.write'."}


def test_the_shell_lines_of_the_readme_work_as_they_stand(folder: Path) -> None:
    """All but the last block, which needs records: `test_spark` writes some and runs that command."""
    listed, judged = follow("README.md", folder, blocks=slice(1, -1))
    assert "orders-value" in json.loads(listed)
    assert judged.startswith("compatible")


def test_the_python_lines_of_the_readme_register_a_schema(platform: Platform) -> None:
    (snippet,) = PYTHON.findall((ROOT / "README.md").read_text())
    variables = {**os.environ, "REGISTRY": platform.registry_url, "TOKEN": platform.token}
    command = [sys.executable, "-c", snippet]
    run = subprocess.run(
        command, env=variables, capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    assert int(run.stdout) > 0
    assert platform.versions("hello-value") != []
