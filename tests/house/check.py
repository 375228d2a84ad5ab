"""`make check`: every check that needs no server, one row each, run side by side.

`python -m tests.house.check` runs them all, whatever fails, and prints what the failing ones said;
`python -m tests.house.check types spelling` runs the named ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
TOOLS: Final = Path(sys.executable).parent
PYTHON: Final = sys.executable


@dataclass(frozen=True)
class Check:
    """One command and what it holds the tree to; ``is_shown`` prints its output even when all is well."""

    name: str
    says: str
    command: tuple[str, ...]
    is_shown: bool = False


@dataclass(frozen=True)
class Outcome:
    """What became of one check."""

    check: Check
    code: int
    output: str
    seconds: float

    def line(self) -> str:
        """The outcome in one line."""
        mark = "ok    " if self.code == 0 else "FAILED"
        return f"{mark} {self.check.name:<12} {self.seconds:5.1f} s  {self.check.says}"


def tool(name: str, *arguments: str) -> tuple[str, ...]:
    """A command that is installed beside this Python."""
    return (str(TOOLS / name), *arguments)


def module(name: str, *arguments: str) -> tuple[str, ...]:
    """A module run by this Python."""
    return (PYTHON, "-m", name, *arguments)


# The machine's own Node.js, or the one from its wheel: whichever the build took.
SCRIPTS: Final = "from accord_server.dev.bootstrap import npm; npm('run', '--silent', 'types')"

CHECKS: Final = (
    Check("lint", "Ruff, every rule", tool("ruff", "check", ".")),
    Check("format", "Ruff's formatter", tool("ruff", "format", "--check", ".")),
    Check("types", "mypy, strict", tool("mypy")),
    Check("scripts", "TypeScript, strict", (PYTHON, "-c", SCRIPTS)),
    Check("contracts", "the house plan as import contracts", tool("lint-imports")),
    Check("house", "the house lints", module("tests.house.lints")),
    Check("budgets", "lengths, parameters, annotations", module("tests.house.budgets"), is_shown=True),
    Check("templates", "templates compile and nest", module("tests.house.templates")),
    Check("pages", "generated pages are current", module("tests.house.pages", "--check")),
    Check("changelog", "change fragments are well formed", module("tests.house.changelog")),
    Check("spelling", "no known misspelling", tool("typos")),
    Check("system", "Django's system checks", (PYTHON, "manage.py", "check")),
    Check("migrations", "models and migrations agree", (PYTHON, "manage.py", "makemigrations", "--check")),
    Check("shell", "shell scripts parse", ("bash", "-n", ".ci/run")),
)


def run(check: Check) -> Outcome:
    """Run one check with the tree's two source roots on the path."""
    started = time.monotonic()
    paths = f"{ROOT}{os.pathsep}{ROOT / 'platform'}"
    environment = {**os.environ, "PYTHONPATH": paths, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run(
        check.command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Outcome(check, done.returncode, done.stdout.strip(), time.monotonic() - started)


def chosen(names: list[str]) -> list[Check]:
    """The checks of these names, or all; a name nobody knows is an error."""
    known = {check.name: check for check in CHECKS}
    return [known[name] for name in names] if names else list(CHECKS)


def report(outcomes: list[Outcome]) -> str:
    """What failed in full, what is always shown, then one line for each check."""
    told = [one for one in outcomes if one.code or one.check.is_shown]
    parts = [f"--- {one.check.name}\n{one.output}\n" for one in told]
    return "\n".join([*parts, *(one.line() for one in outcomes)])


def main(names: list[str]) -> int:
    """Run the checks and report; 1 if one failed."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        outcomes = list(pool.map(run, chosen(names)))
    print(report(outcomes))
    return int(any(one.code for one in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
