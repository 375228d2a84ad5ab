"""Calling the native API about the life of versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from accord_server.kit import tenancy
from accord_server.kit.models import Outbox
from tenants.models import AuditRecord
from tests.registry.policies.asking import NAMESPACE

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.registry.policies.asking import Native

SUBJECT: Final = f"{NAMESPACE}/subjects/s"
WHY: Final = "replaced by orders-v2"


def at(version: int, part: str, subject: str = "s") -> str:
    """Return the address of a part of a version's life."""
    return f"{NAMESPACE}/subjects/{subject}/versions/{version}/{part}"


def put_state(native: Native, version: int, state: str, subject: str = "s", reason: str = WHY) -> Any:
    """Ask for a state of a version, whichever it has."""
    body = {"state": state, "reason": reason}
    return native.call("PUT", at(version, "state", subject), body, If_Match="*")


def set_state(native: Native, version: int, state: str, subject: str = "s") -> Any:
    """Give a version a state, which must succeed."""
    answer = put_state(native, version, state, subject)
    assert answer.status_code == 200, answer.content
    return answer.json()


def refused(answer: Any) -> tuple[int, str]:
    """Return status and code of a refusal."""
    return answer.status_code, answer.json()["code"]


def traces(scope: Scope, topic: str, action: str = "") -> tuple[Any, AuditRecord]:
    """Return the newest thing said under a topic, and what was noted of it."""
    with tenancy.tenant_context(scope.tenant.id):
        said = Outbox.objects.scoped(scope).filter(topic=topic).latest("pk").payload
        return said, AuditRecord.objects.scoped(scope).filter(action=action or topic).latest("pk")
