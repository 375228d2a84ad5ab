"""What the tests start says why when it does not come up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests import processes

if TYPE_CHECKING:
    from pathlib import Path


def test_a_process_that_ends_at_once_is_told_with_its_log(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"did not start:\n(.*\n)*.*No module named tests.nothing"):
        processes.module(tmp_path, "tests.nothing")
