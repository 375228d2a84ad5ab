"""What the tests of discovery share."""

from __future__ import annotations

import pytest

from tests.registry.discovery.asking import be_patient


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)
