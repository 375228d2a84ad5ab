"""Which contexts there are: those in which something was registered, until they are dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q

from accord.model import DEFAULT_CONTEXT
from registry.models import Counter, Subject
from registry.queries.places import namespace_of
from registry.queries.visibility import LISTED, cover_of, visible
from registry.records import WHOLE, Slice

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


def list_contexts(scope: Scope, *, prefix: str = "", page: Slice = WHOLE) -> list[str]:
    """Return the contexts whose names have the prefix: the default one, which is always there, and others.

    Those are shown to who may see a subject there, or whatever is registered there: one may be empty.
    """
    known = Counter.objects.scoped(scope).filter(
        _seen(scope), namespace=namespace_of(scope), context__startswith=prefix, is_dropped=False
    )
    names = known.exclude(context=DEFAULT_CONTEXT).order_by("context").values_list("context", flat=True)
    first = [DEFAULT_CONTEXT] if DEFAULT_CONTEXT.startswith(prefix) else []
    return [*first, *names][page.offset : page.end]


def has_subjects(scope: Scope, context: str) -> bool:
    """Tell whether a context has subjects, soft-deleted ones included."""
    return Subject.objects.scoped(scope).filter(namespace=namespace_of(scope), context=context).exists()


def _seen(scope: Scope) -> Q:
    cover = cover_of(scope, LISTED)
    if cover.everything:
        return Q()
    subjects = Subject.objects.scoped(scope).filter(
        visible(scope, LISTED), namespace=namespace_of(scope), context=OuterRef("context")
    )
    return Q(Exists(subjects)) | Q(context__in=cover.contexts)
