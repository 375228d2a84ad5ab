"""Three hundred random pairs of modules: Buf's categories and ours find the same, at the same lines."""

from __future__ import annotations

import pytest

from accord.rules.columns import BUF_ROWS
from tests.oracle import buf

COUNT = 300
# Seconds. The pairs are one long piece of work, several times as long while coverage is measured.
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def pairs() -> list[buf.Case]:
    """The pairs, made once."""
    return buf.cases(COUNT)


def test_buf_and_accord_find_the_same(pairs: list[buf.Case], capfd: pytest.CaptureFixture[str]) -> None:
    assert buf.differences(pairs) == {}
    capfd.readouterr()  # what protoc had to say of the pairs it refused


def test_the_pairs_break_most_rules(pairs: list[buf.Case]) -> None:
    told = {rule for pair in pairs for rule, _, _ in buf.ours(pair)}
    assert len(told) > len(BUF_ROWS) - 8
