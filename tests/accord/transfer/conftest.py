"""Registries to copy from and to, and clients that lose no time."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol

import pytest

from accord.client import ClientSettings, RegistryClient
from accord.naming import split_subject
from accord.transfer import Walk, walk
from tests.accord.transfer.small_registry import Gaps, SmallRegistry, small_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.transfer import Copy

QUICK = ClientSettings(backoff=0, connect_timeout=5, read_timeout=60, connections=3)


class Make(Protocol):
    """Start a registry with gaps."""

    def __call__(self, gaps: Gaps | None = None) -> SmallRegistry: ...


@pytest.fixture
def make() -> Iterator[Make]:
    with ExitStack() as stack:
        yield lambda gaps=None: stack.enter_context(small_registry(gaps))


def copy_of(registry: SmallRegistry) -> Copy:
    """A copy of a registry; the test closes it."""
    with RegistryClient(registry.url, settings=QUICK) as client:
        return walk(Walk(client, "test", 3, lambda done, total: None))


def filled(registry: SmallRegistry) -> SmallRegistry:
    """Put a bit of everything into a registry."""
    refers = [{"name": "Base", "subject": "z-base", "version": 1}]
    registry.hold("a", 1, id=3, schema='"a"', references=refers, guid="0" * 32)
    registry.hold(
        "a", 2, id=4, schema='"\\ud800é"', schemaType="JSON", metadata={"properties": {"z": "1", "a": "2"}}
    )
    registry.hold("z-base", 1, id=1, deleted=False)
    registry.hold("gone", 1, id=2, deleted=True)
    registry.hold(":.other:a", 1, id=1, ruleSet={"domainRules": []})
    registry.hold("half", 1, id=5, deleted=True)
    registry.hold("half", 2, id=6)
    registry.config[split_subject("a")] = {"compatibilityLevel": "FULL"}
    registry.config[split_subject(":.other:")] = {"compatibilityLevel": "NONE"}
    registry.mode[split_subject("half")] = "READONLY"
    return registry
