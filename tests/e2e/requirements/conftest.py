"""What every product that replays its requests starts from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.replay import JAVA, PYTHON, Sender

if TYPE_CHECKING:
    from tests.e2e.platform import Platform


@pytest.fixture
def python(platform: Platform) -> Sender:
    """Confluent's client for Python."""
    return Sender.basic(platform, PYTHON)


@pytest.fixture
def java(platform: Platform) -> Sender:
    """Confluent's client for Java."""
    return Sender.basic(platform, JAVA)


@pytest.fixture
def plain(platform: Platform) -> Sender:
    """A client that says nothing but who it is."""
    return Sender.basic(platform, {})
