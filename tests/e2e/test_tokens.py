"""The page about tokens, followed word by word against the platform."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
import requests

from accord_server.dev.state import VARIABLE

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
PATIENCE_S = 120
MARK = "--- next ---"


def state_of(platform: Platform) -> str:
    """The folder of the run, which its supervisor was told."""
    return psutil.Process(platform.run["pids"]["supervisor"]).environ()[VARIABLE]


def shell(script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("ACCORD_", "MAKE"))}
    return subprocess.run(
        ["bash", "-c", script],
        cwd=ROOT, env={**own, **variables}, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip


def test_the_page_issues_uses_lists_and_ends_a_token(platform: Platform) -> None:
    blocks = SHELL.findall((ROOT / "docs/how-to/tokens.md").read_text())
    script = f"\necho '\n{MARK}'\n".join(["set -e", *blocks, 'echo "$TOKEN"'])
    done = shell(script, **{VARIABLE: state_of(platform), "REGISTRY": platform.registry_url})
    assert done.returncode == 0, done.stderr
    _, issued, used, ended, value = (part.strip() for part in done.stdout.split(MARK))

    assert issued == ""
    assert f"{value[5:17]} of service:orders-producer, until " in done.stderr
    listed, versions = used.split("]", maxsplit=1)
    assert "orders-value" in json.loads(f"{listed}]")
    assert json.loads(versions)
    assert ended.splitlines()[0].startswith(f"{value[5:17]}  active ")
    assert ended.splitlines()[-1] == f"{value[5:17]} of service:orders-producer is revoked"
    answer = requests.get(f"{platform.registry_url}/subjects", auth=("api-key", value), timeout=PATIENCE_S)
    assert answer.status_code == 401


def test_without_a_run_a_command_says_so(tmp_path: Path) -> None:
    done = shell('make manage ARGS="list_tokens demo"', **{VARIABLE: str(tmp_path)})
    assert done.returncode != 0
    assert f"nothing runs in {tmp_path}: start it with make run" in done.stderr
