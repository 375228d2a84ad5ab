"""What all services of this room do around their steps."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from accord_server.kit import tenancy
from accord_server.kit.marks import require_mark
from tenants.errors import InvalidSlug, SlugTaken
from tenants.slugs import is_free, is_slug

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.scope import Scope
    from tenants.models import Changeable, Tenant


@contextmanager
def change(scope: Scope) -> Iterator[None]:
    """Work in the scope's tenant, in one transaction."""
    with tenancy.tenant_context(scope.tenant.id), transaction.atomic():
        yield


def require_revision(thing: str, row: Changeable | Tenant, expected: int | None) -> None:
    """Refuse a change that was made for another revision than the row has; None takes whichever there is.

    Raises:
        Changed: Somebody was faster.
    """
    require_mark(thing, row.revision, expected)


@contextmanager
def taken(slug: str, constraint: str) -> Iterator[None]:
    """Translate a clash of names; the constraint decides, whoever looked first.

    Raises:
        SlugTaken: The name is in use.
    """
    try:
        yield
    except IntegrityError as clash:
        diagnosis = getattr(clash.__cause__, "diag", None)
        if getattr(diagnosis, "constraint_name", None) != constraint:
            raise
        raise SlugTaken(slug) from None


def require_slug(slug: str) -> None:
    """Refuse what cannot be a slug.

    Raises:
        InvalidSlug: Saying whether its form is wrong or it is reserved.
    """
    if not is_slug(slug):
        raise InvalidSlug(slug, "use 2 to 40 small letters and digits, words joined by single hyphens")
    if not is_free(slug):
        raise InvalidSlug(slug, "the name is reserved")
