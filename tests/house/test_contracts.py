"""The import contracts hold on the tree and name each violation planted in a copy of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("platform", "tenants", "registry", "frontend")


@dataclass(frozen=True)
class Violation:
    """One line added to one module, the contract that forbids it and how the report names it."""

    contract: str
    module: str
    line: str
    report: str


VIOLATIONS = [
    Violation("House", "tenants.planted", "import registry.records", "tenants.planted -> registry.records"),
    Violation("House", "accord_server.kit.planted", "import tenants", "accord_server.kit.planted -> tenants"),
    Violation("House", "registry.planted", "import frontend", "registry.planted -> frontend"),
    Violation("Library floors", "accord.planted", "", "planted"),
    Violation(
        "Library floors", "accord.model.planted", "import accord.diff", "accord.model.planted -> accord.diff"
    ),
    Violation(
        "Inside a room", "registry.models", "import registry.services", "registry.models -> registry.services"
    ),
    Violation(
        "Inside a room", "tenants.queries", "import tenants.services", "tenants.queries -> tenants.services"
    ),
    Violation("Purity", "accord.wire.planted", "import django.conf", "accord.wire.planted -> django"),
    Violation("Curtain", "frontend.planted", "import registry.models", "frontend.planted -> registry.models"),
    Violation("Curtain", "frontend.other", "import registry.api", "frontend.other -> registry.api"),
    Violation(
        "Strangers",
        "accord.formats.avro.planted",
        "import accord.formats.protobuf.planted",
        "accord.formats.avro.planted -> accord.formats.protobuf.planted",
    ),
    Violation("Parsers", "accord.policy.planted", "import fastavro", "accord.policy.planted -> fastavro"),
    Violation("Spark", "accord.client.planted", "import pyspark.sql", "accord.client.planted -> pyspark"),
    Violation("Settings", "accord_server.settings", "import tenants", "accord_server.settings -> tenants"),
]


def lint(tree: Path) -> str:
    """Run the contracts of a tree and return the report."""
    paths = os.pathsep.join([str(tree), str(tree / "platform")])
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    run = subprocess.run(
        command, cwd=tree, env={"PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )
    return run.stdout + run.stderr


def plant(tree: Path, module: str, line: str) -> None:
    """Add a line to a module, making the module (and its package) where there is none."""
    top, _, rest = module.partition(".")
    base = tree / "platform" if top.startswith("accord") else tree
    package = base.joinpath(top, *rest.split("."))
    target = package / "__init__.py" if package.is_dir() else package.with_suffix(".py")
    if not target.parent.exists():
        target.parent.mkdir()
        (target.parent / "__init__.py").touch()
    with target.open("a") as file:
        file.write(f"\n{line}\n")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The report on a copy of the tree with every violation planted, by contract name."""
    tree = tmp_path_factory.mktemp("house")
    for room in ROOMS:
        shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    plant(tree, "accord.formats.protobuf.planted", "")
    for violation in VIOLATIONS:
        plant(tree, violation.module, violation.line)
    parts = re.split(r"^(.+)\n-{4,}\n", lint(tree), flags=re.MULTILINE)
    return {name.split(":")[0]: text for name, text in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.mark.parametrize("violation", VIOLATIONS, ids=lambda one: f"{one.contract}: {one.report}")
def test_a_planted_violation_is_named(violation: Violation, report: dict[str, str]) -> None:
    assert violation.report in report.get(violation.contract, ""), report


def test_the_house_stands() -> None:
    assert "0 broken." in lint(ROOT)
