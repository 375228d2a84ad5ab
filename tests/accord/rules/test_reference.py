"""The pages of the manual are what the table prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from accord.rules import reference
from accord.rules.table import PRESETS, rules

if TYPE_CHECKING:
    import pytest

DOCS = Path(__file__).parents[3] / "docs" / "rules"


def test_the_manual_is_current() -> None:
    assert reference.main([str(DOCS), "--check"]) == 0, "run python -m accord.rules.reference docs/rules"


def test_every_rule_has_a_page_and_a_line() -> None:
    pages = reference.render()
    for row in rules():
        assert f"[{row.id}]({row.id}.md)" in pages["README.md"]
        assert row.explanation in pages[f"{row.id}.md"]
        for example in row.examples:
            assert f"### {example.title}\n" in pages[f"{row.id}.md"]
        sorts = {example.is_accepted for example in row.examples}
        assert sorts == ({True, False} if row.is_reported else {True})
    assert all(f"`{preset}`" in pages["README.md"] for preset in PRESETS)


def test_pages_are_written_mended_and_taken_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rules"
    assert reference.main([str(folder)]) == 0
    (folder / "FROZEN.md").write_text("old", encoding="utf-8")
    (folder / "GONE.md").write_text("old", encoding="utf-8")
    assert reference.main([str(folder), "--check"]) == 1
    assert "FROZEN.md is not what the table prints" in capsys.readouterr().err
    assert reference.main([str(folder)]) == 0
    assert reference.outdated(folder, reference.render()) == []
