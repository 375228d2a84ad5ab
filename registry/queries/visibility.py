"""Which subjects a principal may see or touch, as SQL and as a check.

What may not be seen looks missing: the filters go into the query, so that a hidden row takes the same
path as one that is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from accord.model import DEFAULT_CONTEXT, SubjectName
from accord_server.kit.scope import TOPIC_SUFFIXES, SelectorKind
from registry.errors import SubjectNotFound
from tenants.access import require, require_somewhere

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope, SubjectSelector

READ = ("subject.read",)
LISTED = ("subject.list", "subject.read")
BY_ID = ("schema.read", "subject.read")


def visible(scope: Scope, rights: tuple[str, ...], *, prefix: str = "") -> Q:
    """Return the filter of the subjects on which the principal holds one of the rights.

    ``prefix`` is the path from the filtered model to the subject, such as ``subject__``.
    """
    found = Q(pk__in=())
    for right in rights:
        for selector in scope.selectors(right):
            found |= _covered(selector, prefix)
    return found


def may_see(scope: Scope, subject: SubjectName) -> bool:
    """Tell whether the subject may be seen to exist."""
    return scope.may("subject.read", subject)


def may_read_text(scope: Scope, subject: SubjectName) -> bool:
    """Tell whether the texts of a subject may be read, by version or by id."""
    return any(scope.may(right, subject) for right in BY_ID)


def admit(scope: Scope, subject: SubjectName, right: str) -> None:
    """Refuse unless the right is held on the subject; one that may not be seen looks missing.

    Raises:
        SubjectNotFound: The subject may not even be read.
        RightMissing: It may be read, and the right is missing.
    """
    if not scope.may(right, subject) and not may_see(scope, subject):
        raise SubjectNotFound(subject.qualified)
    require(scope, right, subject)


def admit_settings(scope: Scope, subject: SubjectName, right: str) -> None:
    """Refuse unless the right is held on what a config or mode record governs.

    An empty name stands for a whole context, the default one being the namespace itself. Reading those
    is open to whoever may read the settings of any subject: they are in force there.

    Raises:
        RightMissing: Naming the right; subjects need not exist, so nothing is given away.
    """
    if subject.name:
        require(scope, right, subject)
    elif right.endswith(".read"):
        require_somewhere(scope, right)
    elif subject.context == DEFAULT_CONTEXT or not scope.may(right, subject):
        require(scope, right)


def _covered(selector: SubjectSelector, prefix: str) -> Q:
    found = Q(pk__isnull=False)
    if selector.context is not None:
        found &= Q(**{f"{prefix}context": selector.context})
    match selector.kind:
        case SelectorKind.LITERAL:
            found &= Q(**{f"{prefix}name": selector.value})
        case SelectorKind.PREFIX:
            found &= Q(**{f"{prefix}name__startswith": selector.value})
        case SelectorKind.TOPIC:
            found &= Q(**{f"{prefix}name__in": [selector.value + suffix for suffix in TOPIC_SUFFIXES]})
        case SelectorKind.ALL:
            pass
    return found
