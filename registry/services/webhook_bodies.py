"""What receivers of webhooks are told: one shape for every event."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from accord_server.kit.scope import Scope


def body_of(scope: Scope, event: str, data: Mapping[str, object], moment: datetime) -> dict[str, object]:
    """Return the body of a message about an event."""
    return {
        "type": event,
        "timestamp": moment.isoformat(),
        "tenant": scope.tenant.slug,
        "namespace": scope.namespace.slug if scope.namespace else None,
        "data": dict(data),
    }
