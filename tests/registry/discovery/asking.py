"""Searching over the native API, and doing at once what registrations leave to be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from accord_server.kit import outbox_drain
from registry.queries import discovery, likeness, search_sources
from tests.registry.policies.asking import TENANT, Native

if TYPE_CHECKING:
    from uuid import UUID

    import pytest


@dataclass(frozen=True)
class Searcher:
    """A caller of the search."""

    token: str

    def found(self, text: str, **more: object) -> Any:
        """Return the whole answer."""
        return Native(self.token).ok("GET", f"{TENANT}/search?{urlencode({'q': text, **more})}")

    def paths(self, text: str, **more: object) -> list[str]:
        """Return the subjects and ways of the hits, in their order."""
        return [f"{one['subject']}#{one['path']}" for one in self.found(text, **more)["items"]]

    def refused(self, text: str, **more: object) -> Any:
        """Return the status and the body of a search that is refused."""
        answer = Native(self.token).call("GET", f"{TENANT}/search?{urlencode({'q': text, **more})}")
        return answer.status_code, answer.json()


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no search end for taking long, however busy the machine is."""
    for module in (likeness, search_sources):
        monkeypatch.setattr(module, "TIME_LIMIT_MS", 60_000)
    monkeypatch.setattr(discovery, "HIDDEN_LIMIT_MS", 60_000)


def settle(tenant_id: UUID) -> None:
    """Do the side effects that are due."""
    while outbox_drain.drain_tenant(tenant_id):
        pass
