"""Who asks, where, and what they may do there: made once per request, passed first everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from accord_server.kit.clients import class_of

if TYPE_CHECKING:
    from uuid import UUID

    from accord.model import SubjectName
    from accord_server.kit.networks import Networks


class PrincipalKind(StrEnum):
    """The kinds of callers; anonymous is whoever sends no credentials where that is allowed."""

    PERSON = "person"
    SERVICE = "service"
    OPERATOR = "operator"
    ANONYMOUS = "anonymous"


@dataclass(frozen=True, slots=True)
class Principal:
    """A person or a service account; ``key`` is stable and unique, ``name`` is for people."""

    kind: PrincipalKind
    key: str
    name: str


class SelectorKind(StrEnum):
    """The forms of a subject selector; free regular expressions are not offered."""

    ALL = "all"
    LITERAL = "literal"
    PREFIX = "prefix"
    TOPIC = "topic"


# A topic selector covers the bare name and the two names that TopicNameStrategy makes of it.
TOPIC_SUFFIXES = ("", "-key", "-value")


@dataclass(frozen=True, slots=True)
class SubjectSelector:
    """A set of subjects; ``context`` is None for every context (kind ALL only)."""

    kind: SelectorKind
    value: str = ""
    context: str | None = "."

    def covers(self, subject: SubjectName) -> bool:
        """Tell whether the subject is in the set."""
        if self.context is not None and subject.context != self.context:
            return False
        match self.kind:
            case SelectorKind.ALL:
                return True
            case SelectorKind.LITERAL:
                return subject.name == self.value
            case SelectorKind.PREFIX:
                return subject.name.startswith(self.value)
            case SelectorKind.TOPIC:
                return subject.name in {self.value + suffix for suffix in TOPIC_SUFFIXES}


EVERY_SUBJECT = SubjectSelector(SelectorKind.ALL, context=None)


@dataclass(frozen=True, slots=True)
class Grant:
    """Rights on subjects of namespaces; ``namespaces`` is None for all of the tenant."""

    rights: frozenset[str]
    subjects: tuple[SubjectSelector, ...] = (EVERY_SUBJECT,)
    namespaces: frozenset[UUID] | None = None


@dataclass(frozen=True, slots=True)
class TenantRef:
    """The tenant a request belongs to."""

    id: UUID
    slug: str


@dataclass(frozen=True, slots=True)
class NamespaceRef:
    """The namespace a request belongs to; ``format`` is the only one that is registered there, if any."""

    id: UUID
    slug: str
    format: str = ""


class Pace(NamedTuple):
    """How many requests may come in a second, counted together for all that name the same owner."""

    owner: str
    per_second: int


@dataclass(frozen=True, slots=True)
class Scope:
    """Tenant, namespace and principal of one request, with what the principal may do.

    ``grants`` are the *effective* rights (token, owner and tenant rules already intersected), one
    alternative after the other; ``token_key`` names the token used, if any, safe for logs, and
    ``token_slot`` which of its secrets was. A ``hidden`` subject is closed to this request. ``networks``
    say where it may be used from, ``clients`` by which classes of clients, all of them, and ``paces`` how
    often.
    """

    tenant: TenantRef
    namespace: NamespaceRef | None
    principal: Principal
    grants: tuple[Grant, ...] = ()
    token_key: str | None = None
    request_id: str = ""
    address: str | None = field(default=None, compare=False)
    token_slot: int | None = None
    hidden: SubjectName | None = None
    networks: tuple[Networks, ...] = ()
    clients: tuple[frozenset[str], ...] = ()
    paces: tuple[Pace, ...] = ()

    def without(self, subject: SubjectName) -> Scope:
        """Return the scope with one subject closed to the caller, whatever the grants say."""
        return replace(self, hidden=subject)

    def admits(self, address: str | None, client: str) -> bool:
        """Tell whether the caller may come from there, and with a client that names itself like that."""
        return all(networks.admits(address) for networks in self.networks) and (
            not self.clients or all(class_of(client) in classes for classes in self.clients)
        )

    def selectors(self, right: str) -> tuple[SubjectSelector, ...]:
        """Return the subjects of this namespace on which the principal holds the right."""
        return tuple(
            selector
            for grant in self.grants
            if right in grant.rights and self._opens(grant)
            for selector in grant.subjects
        )

    def may(self, right: str, subject: SubjectName | None = None) -> bool:
        """Tell whether the principal holds the right, on this subject where one is given.

        Without a subject the right must cover every subject (config and mode of a whole namespace)
        unless it is one that has no subject; use `selectors` to filter lists.
        """
        selectors = self.selectors(right)
        if subject is None:
            return EVERY_SUBJECT in selectors
        return subject != self.hidden and any(selector.covers(subject) for selector in selectors)

    def _opens(self, grant: Grant) -> bool:
        if grant.namespaces is None:
            return True
        return self.namespace is not None and self.namespace.id in grant.namespaces
