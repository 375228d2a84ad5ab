"""Guards of the layout: silent ways in which folders stop being the packages they look like."""

from __future__ import annotations

import importlib
import platform
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.house.lint import tree

ROOT = Path(__file__).parents[1]
SOURCE_ROOTS = {
    "accord": "platform",
    "accord_server": "platform",
    "tenants": "",
    "registry": "",
    "frontend": "",
}
# Folders of data or of another language: no Python package lives there.
PLAIN = {
    "__pycache__",
    "node_modules",
    "static",
    "templates",
    "cases",
    "vectors",
    "golden",
    "src",
    "screenshots",
    "data",
}


def packages(top: Path) -> list[Path]:
    """Every folder below a top-level package that holds Python modules."""
    folders = [top, *(path for path in top.rglob("*") if path.is_dir())]
    return [one for one in folders if any(one.glob("*.py")) and not PLAIN & set(one.relative_to(ROOT).parts)]


def test_platform_is_the_module_of_the_standard_library() -> None:
    assert Path(str(platform.__file__)).parent == Path(sysconfig.get_path("stdlib"))


def test_platform_is_a_source_root_and_no_package() -> None:
    assert not (ROOT / "platform" / "__init__.py").exists()


@pytest.mark.parametrize(("package", "folder"), SOURCE_ROOTS.items())
def test_each_package_comes_from_this_tree(package: str, folder: str) -> None:
    module = importlib.import_module(package)
    assert Path(str(module.__file__)) == ROOT / folder / package / "__init__.py"


@pytest.mark.parametrize("top", ["tests", "tenants", "registry", "frontend", "platform/accord", "benchmarks"])
def test_every_folder_with_modules_is_a_package(top: str) -> None:
    assert [str(one) for one in packages(ROOT / top) if not (one / "__init__.py").exists()] == []


@pytest.mark.parametrize(("package", "folder"), SOURCE_ROOTS.items())
def test_the_tests_of_a_room_mirror_it(package: str, folder: str) -> None:
    tests = {path.parent.name for path in (ROOT / "tests" / package).glob("*/__init__.py")}
    assert sorted(one for one in tests if not list((ROOT / folder / package).rglob(f"{one}*"))) == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names inside a wheel built from this tree, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    script = f"from hatchling.build import build_wheel; build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True)
    (archive,) = folder.glob("*.whl")
    return zipfile.ZipFile(archive).namelist()


def test_the_wheel_holds_the_library_and_nothing_else(wheel: list[str]) -> None:
    assert {name.split("/")[0].split("-")[0] for name in wheel} == {"accord"}


def test_the_wheel_holds_every_file_of_the_library(wheel: list[str]) -> None:
    kept = {file.path for file in tree() if file.path.startswith("platform/accord/")}
    assert {f"platform/{name}" for name in wheel if name.startswith("accord/")} == kept


def test_the_wheel_carries_the_licence(wheel: list[str]) -> None:
    assert [name for name in wheel if name.endswith("/licenses/LICENSE")] != []
