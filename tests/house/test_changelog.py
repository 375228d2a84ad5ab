"""Fragments are checked, printed by kind and moved into the change log at a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.house.changelog import MARK, ROOT, Fragment, fragments, main, release, section

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with two changes and one older release."""
    folder = tmp_path / "docs" / "changes"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("how to")
    (folder / "faster-reads.fixed.md").write_text("Reads are\nfaster.\n")
    (folder / "live-registry.added.md").write_text("A registry answers.\n")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changes\n\n{MARK}\n## 0.1.0 (2026-01-01)\n")
    return tmp_path


def test_a_release_moves_the_fragments_above_the_older_ones(tree: Path) -> None:
    release(tree, "0.2.0", "2026-12-01")
    log = (tree / "CHANGELOG.md").read_text()
    assert log.index("## 0.2.0 (2026-12-01)") < log.index("- A registry answers.")
    assert log.index("- A registry answers.") < log.index("- Reads are faster.") < log.index("## 0.1.0")
    assert fragments(tree / "docs" / "changes") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("two words.added.md", "Fine."),
        ("a.novelty.md", "Fine."),
        ("a.added.txt", "Fine."),
        ("a.added.md", "no sentence"),
    ],
)
def test_a_malformed_fragment_is_named(name: str, text: str) -> None:
    assert Fragment(name, text).mistakes()[0].startswith(name)


def test_kinds_without_changes_are_left_out() -> None:
    assert section("1", [Fragment("a.fixed.md", "Done.")]) == "## 1\n\n### Fixed\n\n- Done.\n"


def test_the_fragments_of_the_tree_are_well_formed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert all(f"- {change.text.split()[0]}" in printed for change in fragments(ROOT / "docs" / "changes"))


def test_the_command_releases_what_is_well_formed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.house.changelog.ROOT", tree)
    (tree / "docs" / "changes" / "bad.md").write_text("no sentence")
    assert main(["0.2.0", "2026-12-01"]) == 1
    (tree / "docs" / "changes" / "bad.md").unlink()
    assert main(["0.2.0", "2026-12-01"]) == 0
    assert "## 0.2.0 (2026-12-01)" in (tree / "CHANGELOG.md").read_text()
