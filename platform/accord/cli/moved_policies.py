"""The rules of another product as a named policy of Accord, bound to the namespace that they move into."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from accord.client import NoNamespaceNamed, RegistryConflict, RegistryRefusal, RegistryUnavailable
from accord.client import policies as stored

if TYPE_CHECKING:
    from accord.client import RegistryClient

_PLACE: Final = stored.Place("namespace")
_REASON: Final = "moved from Yandex Schema Registry"


def bind_named_policy(client: RegistryClient, name: str, text: str) -> str:
    """Store a policy unless there is one, bind it unless something is bound, and say what came of it.

    What is there already may have been changed or bound on purpose, so it stays.
    """
    try:
        _store(client, text)
        stored.bind_policy(client, name, _PLACE, reason=_REASON)
    except NoNamespaceNamed:
        return f"the policy {name}, by whose rules the source is judged, can only be bound in Accord"
    except RegistryUnavailable:
        raise
    except RegistryRefusal as refused:
        if refused.status == HTTPStatus.PRECONDITION_FAILED:
            return f"the policy {name} is stored; a policy is bound to the namespace already, which stays"
        return f"the policy {name}, by whose rules the source is judged, is not bound: {refused.message}"
    return f"the policy {name} is bound to the namespace: the rules that the source is judged by"


def _store(client: RegistryClient, text: str) -> None:
    try:
        stored.create_policy(client, stored.PolicyWritten(text, reason=_REASON))
    except RegistryConflict:
        return
