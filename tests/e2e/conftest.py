"""The platform as `make run` starts it, once for all tests that only use it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.e2e.clients.programs import Clients
from tests.e2e.platform import Platform
from tests.e2e.supervised import Supervised

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def platform() -> Iterator[Platform]:
    """A running platform; whoever stops or kills it takes one of their own instead."""
    supervised = Supervised.new()
    try:
        supervised.start()
        yield Platform.read(supervised.state.run_file)
    finally:
        supervised.remove()


@pytest.fixture(scope="session")
def only() -> Iterator[Supervised]:
    """The one platform to be stopped and killed, of all tests that do so."""
    supervised = Supervised.new()
    yield supervised
    supervised.remove()


@pytest.fixture
def running(only: Supervised) -> Supervised:
    """That platform, running, whatever the test before did to it."""
    if not only.is_running():
        only.start()
    return only


@pytest.fixture(scope="session")
def clients(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    """Real clients of other languages, by name."""
    started = Clients(platform, tmp_path_factory.mktemp("clients"))
    yield started
    started.stop()


@pytest.fixture
def topic() -> str:
    """A name that no other test uses."""
    return f"topic-{uuid4().hex[:12]}"
