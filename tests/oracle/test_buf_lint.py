"""Three hundred random modules: Buf and our lint rules find the same, at the same lines."""

from __future__ import annotations

import pytest

from accord.lint.profile import LintOptions
from tests.oracle import buf_lint

COUNT = 300


@pytest.fixture(scope="module")
def modules() -> list[buf_lint.Case]:
    """The modules, made once."""
    return buf_lint.cases(COUNT)


def test_buf_and_accord_report_the_same(modules: list[buf_lint.Case]) -> None:
    assert buf_lint.differences(modules) == {}


def test_the_modules_break_most_rules(modules: list[buf_lint.Case]) -> None:
    told = {rule for one in modules for rule, _, _ in buf_lint.ours(one, LintOptions())}
    assert len(told) >= 40
