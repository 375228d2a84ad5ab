"""What Buf's files say about the modules of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.cli.buf_workspace import Need, Root, UnusableWorkspace, Workspace, module_called, read_workspace

if TYPE_CHECKING:
    from pathlib import Path


def written(folder: Path, text: str, name: str = "buf.yaml") -> Workspace:
    for one in ("base/old", "shop"):
        (folder / one).mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return read_workspace(folder)


def test_a_folder_without_such_a_file_is_a_module_without_a_name(tmp_path: Path) -> None:
    assert read_workspace(tmp_path) == Workspace((Root(tmp_path),))


def test_of_the_first_version_a_file_is_about_one_module(tmp_path: Path) -> None:
    text = "version: v1\nname: buf.build/acme/shop\ndeps: [buf.build/acme/base:main]\n"
    text += "build: {excludes: [base]}\n"
    found = written(tmp_path, text)
    assert found.roots == (
        Root(tmp_path, "buf.build/acme/shop", tmp_path / "buf.yaml", excludes=(tmp_path / "base",)),
    )
    assert found.needs == (Need("buf.build/acme/base:main", f"{tmp_path}/buf.yaml:3:8"),)
    assert found.needs[0].module == "acme.base"


def test_of_the_second_version_a_file_may_be_about_several(tmp_path: Path) -> None:
    text = "version: v2\nmodules:\n  - path: base\n    excludes: [base/old]\n"
    text += "  - {path: shop, includes: [shop]}\n"
    base, shop = written(tmp_path, text).roots
    assert (base.folder, base.path, base.excludes) == (tmp_path / "base", "base", (tmp_path / "base/old",))
    assert [base.has(tmp_path / one) for one in ("base/a.proto", "base/old/a.proto")] == [True, False]
    assert [shop.has(tmp_path / one) for one in ("shop/a.proto", "base/a.proto")] == [True, False]
    assert written(tmp_path, "version: v2\nname: x\n").roots == (Root(tmp_path, "x", tmp_path / "buf.yaml"),)


def test_a_work_file_names_the_folders_of_modules(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/buf.yaml").write_text("version: v1\nname: a/shop\ndeps: [a/base]\n")
    found = written(tmp_path, "version: v1\ndirectories: [shop, base]\n", "buf.work.yaml")
    assert [(one.folder.name, one.name) for one in found.roots] == [("shop", "a/shop"), ("base", "")]
    assert [one.text for one in found.needs] == ["a/base"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version: v3\n", "1:10: the version is v1 or v2; bring the file there with buf config migrate"),
        ("{}\n", "1:1: the version is v1 or v2"),
        ("[v1]\n", "1:1: members belong here, such as version"),
        ("version: v2\nmodules: shop\n", "2:10: write a list of modules, each with its path"),
        ("version: v2\nmodules: [shop]\n", "2:10: write a list of modules, each with its path"),
        (
            "version: v2\nmodules: [{path: shap}]\n",
            "2:18: there is no folder 'shap' here; did you mean shop?",
        ),
        ("version: v2\nmodules: [{path: ../shop}]\n", "2:18: '../shop' leads out of the folder of this file"),
        ("version: v2\nmodules: [{path: shop, name: [a]}]\n", "2:30: write one word for name"),
        ("version: v1\ndeps: base\n", "2:7: write a list of words for deps"),
        ("version: v1\ndeps: [[a]]\n", "2:7: write a list of words for deps"),
        ("version: v1\nname: *x\n", "2:7: anchors and aliases are not taken"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UnusableWorkspace) as refused:
        written(tmp_path, text)
    assert str(refused.value).startswith(f"{tmp_path}/buf.yaml:{told}")


@pytest.mark.parametrize("text", ["version: v1\n", "version: v1\ndirectories: [nowhere]\n", "[a]\n"])
def test_a_work_file_without_folders_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnusableWorkspace, match=r"buf\.work\.yaml:"):
        written(tmp_path, text, "buf.work.yaml")


@pytest.mark.parametrize(
    ("text", "name"),
    [("buf.build/acme/pets:main", "acme.pets"), ("acme/pets", "acme.pets"), ("pets", "pets")],
)
def test_modules_are_called_by_owner_and_name(text: str, name: str) -> None:
    assert module_called(text) == name
