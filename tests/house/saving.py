"""A worker of the tests saves what it measured before it says that it has finished.

Coverage saves when a process ends. The main process of a run gives its workers ten seconds for that, then
kills them; on a busy machine they need longer, and everything they measured was lost without a word.
"""

from __future__ import annotations

import warnings

import pytest
from coverage import Coverage


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Save while the main process still waits, however long it takes; nothing of ours runs after this."""
    measured = Coverage.current()
    if hasattr(session.config, "workerinput") and measured is not None:
        with warnings.catch_warnings(action="default"):  # what it finds odd is told, and fails no run
            measured.save()
