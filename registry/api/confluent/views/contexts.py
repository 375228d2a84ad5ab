"""`/contexts`: which there are, and dropping empty ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry import queries, services
from registry.api.confluent.calls import NoContent

if TYPE_CHECKING:
    from registry.api.confluent.calls import Call


def list_contexts(call: Call) -> list[str]:
    """``GET /contexts``."""
    return queries.list_contexts(call.scope, prefix=call.text("contextPrefix"), page=call.page)


def delete_context(call: Call) -> NoContent:
    """``DELETE /contexts/{context}``."""
    services.drop_context(call.scope, call.context)
    return NoContent()
