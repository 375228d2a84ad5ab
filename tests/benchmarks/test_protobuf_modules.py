"""Both sides of a lint of modules find what is wrong in each file, and growth is measured."""

from __future__ import annotations

from accord.lint.profile import LintProfile
from accord.model import Format
from benchmarks.protobuf_modules import breaking, growth, linting, module_texts
from tests.accord.lint.texts import linted


def test_each_file_of_the_module_has_one_wrong_name() -> None:
    found = linted(module_texts(3, 2), LintProfile(("STANDARD",)))
    assert [one.rule for one in found] == ["FIELD_LOWER_SNAKE_CASE"] * 3


def test_breaking_lint_and_growth_are_measured() -> None:
    assert breaking(2, 1, repetitions=1).ratio > 0
    assert linting(2, 1, repetitions=1).ratio > 0
    assert all(growth(one, 10, 20).ratio > 0 for one in Format)
