"""Tests that share something dear stay together, and the longest groups begin first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scheduling import FIRST, OWN_PLATFORM, group_of, place_of

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("nodeid", "group"),
    [
        ("tests/browser/test_weight.py::test_a[b::c]", "tests/browser/"),
        ("tests/e2e/test_races.py::test_a", "tests/e2e/"),
        ("tests/e2e/test_own_servers.py::test_a", "tests/e2e/test_make_run.py"),
        ("tests/accord_server/kit/test_worker.py::test_a", "tests/accord_server/kit/test_worker.py"),
        ("tests/accord/wire/test_framing.py::test_a", "tests/accord/wire/test_framing.py"),
    ],
)
def test_a_test_belongs_to_its_file_or_to_what_it_shares(nodeid: str, group: str) -> None:
    assert group_of(nodeid) == group


def test_the_longest_come_first_and_the_rest_as_it_was_shuffled() -> None:
    files = [
        "tests/test_docs.py",
        "tests/browser/test_weight.py",
        "tests/test_layout.py",
        "tests/pipeline/a.py",
    ]
    assert sorted(files, key=place_of) == [files[3], files[1], files[0], files[2]]


def test_what_is_named_is_there() -> None:
    assert [name for name in (*FIRST, *OWN_PLATFORM) if not (ROOT / name).exists()] == []
