"""Each house lint finds its bad examples and passes its good ones; the tree is clean."""

from __future__ import annotations

import pytest

from tests.house.lint import Example, Lint, offences, tree
from tests.house.lints import LINTS, main

GOOD = [pytest.param(lint, good, id=f"{lint.id}: {good.path}") for lint in LINTS for good in lint.good]
BAD = [pytest.param(lint, bad, id=f"{lint.id}: {bad.path}") for lint in LINTS for bad in lint.bad]


@pytest.mark.parametrize(("lint", "example"), GOOD)
def test_a_good_example_passes(lint: Lint, example: Example) -> None:
    assert lint.lines(example) == []


@pytest.mark.parametrize(("lint", "example"), BAD)
def test_a_bad_example_is_found(lint: Lint, example: Example) -> None:
    assert lint.lines(example) == [1]


def test_every_lint_has_both_kinds_of_examples_and_an_id_of_its_own() -> None:
    assert all(lint.good and lint.bad for lint in LINTS)
    assert len({lint.id for lint in LINTS}) == len(LINTS)


def test_an_offence_is_reported_with_place_and_reason() -> None:
    file = Example("platform/__init__.py", "")
    assert next(offences(LINTS, [file])).startswith("platform/__init__.py:1: PLATFORM-PACKAGE ")


def test_the_tree_is_seen_and_clean() -> None:
    files = list(tree())
    assert "pyproject.toml" in {file.path for file in files}
    assert list(offences(LINTS, files)) == []


def test_the_exit_code_tells_of_offences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.house.lints.tree", lambda: [Example("platform/__init__.py", "")])
    assert main() == 1
    monkeypatch.setattr("tests.house.lints.tree", list)
    assert main() == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("house lints: nothing found")
