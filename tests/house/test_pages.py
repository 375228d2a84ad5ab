"""Generated pages are current, and one that is not is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.house.pages import __main__ as pages
from tests.house.pages.markdown import block, code, page, table

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_pages_of_the_tree_are_current() -> None:
    for path, text in pages.stale().items():
        assert (path.read_text() if path.exists() else None) == text, path


def test_a_missing_page_is_named_and_then_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    assert pages.main(["--check"]) == 1
    assert "docs/reference/settings.md is not current" in capsys.readouterr().out
    assert pages.main([]) == 0
    assert pages.main(["--check"]) == 0


def test_a_page_that_nobody_prints_is_named_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    pages.main([])
    (tmp_path / "docs" / "rules" / "GONE.md").touch()
    capsys.readouterr()
    assert pages.main(["--check"]) == 1
    assert capsys.readouterr().out == "docs/rules/GONE.md is not current\n"
    pages.main([])
    assert not (tmp_path / "docs" / "rules" / "GONE.md").exists()


def test_the_forms_of_markdown() -> None:
    assert table(("a", "b"), [("1|2", "3")]) == "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |"
    assert (code("x"), code("")) == ("`x`", "")
    assert block("sh", " make\n") == "```sh\nmake\n```"
    assert page("T", "`t.py`", "text").startswith(
        "# T\n\n<!-- Made by `make docs` from `t.py`; edit that instead. -->"
    )
