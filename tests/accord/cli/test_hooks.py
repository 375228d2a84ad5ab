"""The hooks of `.pre-commit-hooks.yaml`, run as pre-commit runs them: entry, arguments, staged files."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.accord.cli.schemas import BARE, NEEDS_NOTE, WITH_NOTE

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Repository

ROOT = Path(__file__).parents[3]
HOOKS: dict[str, dict[str, Any]] = {
    one["id"]: one for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
PROGRAM = [sys.executable, "-P", "-c", "from accord.cli import main; main()"]


class Hooks:
    """Runs a hook on what is staged; nothing staged for it passes, as in pre-commit."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository

    def files(self, name: str) -> list[str]:
        staged = self.repository.git(
            "diff", "--cached", "--name-only", "--no-ext-diff", "--diff-filter=ACMRTUXB"
        )
        return [file for file in staged.splitlines() if re.search(HOOKS[name]["files"], file)]

    def run(self, name: str, *own: str) -> tuple[int, str]:
        """Exit code and output; ``own`` are arguments of the user's configuration."""
        hook = HOOKS[name]
        program, *entry = shlex.split(hook["entry"])
        assert program == "accord"
        arguments = [*entry, *(own or hook["args"]), *self.files(name)]
        done = subprocess.run(
            [*PROGRAM, *arguments],
            cwd=self.repository.top,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": str(ROOT / "platform")},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def hooks(repository: Repository) -> Hooks:
    return Hooks(repository)


def stage(repository: Repository, name: str, content: object) -> None:
    repository.write(name, content)
    repository.git("add", "--all")


def test_a_breaking_change_is_not_committed(hooks: Hooks, repository: Repository) -> None:
    repository.commit(order_avsc=BARE)
    stage(repository, "order.avsc", NEEDS_NOTE)
    code, printed = hooks.run("accord-check")
    assert code == 1
    assert "block READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1" in printed


def test_a_good_change_is(hooks: Hooks, repository: Repository) -> None:
    repository.commit(order_avsc=BARE)
    stage(repository, "order.avsc", WITH_NOTE)
    stage(repository, "readme.md", "words")
    assert hooks.files("accord-check") == ["order.avsc"]
    assert hooks.run("accord-check")[0] == 0


def test_the_first_commit_passes(hooks: Hooks, repository: Repository) -> None:
    repository.write("order.avsc", BARE)
    code, printed = hooks.run("accord-check", "--against", "git:HEAD", "--", "order.avsc")
    assert (code, "[new: git:HEAD has no such file]" in printed) == (0, True)


def test_a_file_cannot_pose_as_an_option(hooks: Hooks, repository: Repository) -> None:
    repository.commit()
    for name in ("--level=NONE.avsc", "--help.avsc"):
        stage(repository, name, BARE)
    repository.commit()
    for name in ("--level=NONE.avsc", "--help.avsc"):
        stage(repository, name, NEEDS_NOTE)
    code, printed = hooks.run("accord-check")
    assert code == 1
    assert "2 incompatible" in printed


def test_arguments_of_one_s_own_are_taken(hooks: Hooks, repository: Repository) -> None:
    repository.commit(order_avsc=BARE)
    stage(repository, "order.avsc", NEEDS_NOTE)
    assert hooks.run("accord-check", "--against", "git:main", "--level", "FORWARD", "--")[0] == 0


def test_a_broken_policy_is_not_committed(hooks: Hooks, repository: Repository) -> None:
    stage(repository, "policies/house.yaml", "name: house\n")
    assert hooks.run("accord-policy")[0] == 0
    stage(repository, "policies/house.yaml", "name: house\ndefault:\n  levels: FULL\n")
    code, printed = hooks.run("accord-policy")
    assert code == 1
    assert "policies/house.yaml:3:3: default.levels: there is no member 'levels' here" in printed


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_has_what_pre_commit_asks_for(name: str) -> None:
    hook = HOOKS[name]
    assert {"id", "name", "entry", "language"} <= set(hook)
    assert hook["language"] == "python"
    assert hook["args"][-1] == "--"
    assert hook["require_serial"] is True
