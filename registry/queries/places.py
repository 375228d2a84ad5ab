"""Where rows are looked for: the namespace of a scope, and the places settings are inherited from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.model import DEFAULT_CONTEXT, SubjectName
from accord.naming import GLOBAL_CONTEXT
from tenants.errors import NamespaceNotFound

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope

TOP_LEVEL: Final = SubjectName("", DEFAULT_CONTEXT)
ABOVE_ALL: Final = SubjectName("", GLOBAL_CONTEXT)


def namespace_of(scope: Scope) -> UUID:
    """Return the namespace's key; a scope of the tenant alone has no registry."""
    if scope.namespace is None:
        raise NamespaceNotFound
    return scope.namespace.id


def inherited(subject: SubjectName) -> tuple[tuple[str, SubjectName], ...]:
    """Return the places a setting of the subject may come from, nearest first, each with its name."""
    context = SubjectName("", subject.context)
    above = (("context" if context != TOP_LEVEL else "namespace", context), ("namespace", ABOVE_ALL))
    return (("subject", subject), *above) if subject.name else above
