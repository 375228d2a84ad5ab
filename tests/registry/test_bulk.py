"""Many tenants at once, in each of which lists, searches and questions of access take as many statements."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accord_server.kit import tenancy
from registry.models import FieldEntry, Subject, Version
from registry.services.indexing import reindex
from tenants.decisions import decisions
from tenants.limits import limits
from tenants.models import Member, Token
from tenants.principals import operator_scope
from tenants.queries import resolve_place
from tenants.services import bind_role
from tenants.services.operators import issue_operator_token
from tests import factories
from tests.cast import bearer
from tests.contract.refusals import Caller, document
from tests.registry.forgetting import forget_everything

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

SMALL, LARGE = (2, 2, 5), (6, 4, 20)


def seed(size: tuple[int, int, int], *options: str) -> list[str]:
    """Make tenants; return their names."""
    tenants, namespaces, subjects = map(str, size)
    said = io.StringIO()
    words = ("--tenants", tenants, "--namespaces", namespaces, "--subjects", subjects, *options)
    call_command("seed", *words, stderr=said)
    return [line.rpartition(" ")[2] for line in said.getvalue().splitlines()]


def scope_of(slug: str) -> Scope:
    place = resolve_place(slug, None)
    assert place is not None
    return operator_scope(place.tenant)


def statements(act: Callable[[], object]) -> int:
    """Count the statements of a request of which nothing is remembered."""
    forget_everything()
    decisions.clear()
    limits.clear()
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def costs(slug: str, operator: Caller) -> dict[str, int]:
    """Return how many statements each request takes in a tenant."""
    there, registry = f"/api/v1/tenants/{slug}", f"/sr/{slug}/default"
    scope = scope_of(slug)
    bind_role(scope, principal="service:ci", role="admin")
    caller = Caller(bearer(factories.make_token(scope, "service:ci").value))
    with tenancy.tenant_context(scope.tenant.id):
        subject = (
            Subject.objects.scoped(scope)
            .filter(namespace__slug="default")
            .order_by("name")
            .values_list("name", flat=True)[0]
        )
        member = (
            Member.objects.scoped(scope).select_related("user").order_by("user__username")[0].user.username
        )
    access = f"{there}/access?action=subject.write&object=default/{subject}"
    asked = {
        "subjects": f"{registry}/subjects",
        "versions": f"{registry}/subjects/{subject}/versions",
        "latest": f"{registry}/subjects/{subject}/versions/latest",
        "namespaces": f"{there}/namespaces",
        "members": f"{there}/members?limit=200",
        "tokens": f"{there}/tokens?limit=200",
        "search": f"{there}/search?q=customer",
        "may": f"{access}&principal=person:{member}",
        "who may": access,
    }

    def ask(one: Caller, path: str) -> None:
        answer = one.send("GET", path)
        assert answer.status_code == 200, (path, answer.content)
        assert answer.content not in {b"[]", b'{"items":[],"next":null}'}

    told = {name: statements(lambda path=path: ask(caller, path)) for name, path in asked.items()}  # type: ignore[misc]  # bound at once
    return told | {"tenants": statements(lambda: ask(operator, "/api/v1/tenants?limit=200"))}


def test_requests_take_as_many_statements_whatever_the_size(db: None) -> None:
    operator = Caller(bearer(issue_operator_token(name="ada").value))
    small = costs(seed(SMALL)[0], operator)
    large = costs(seed(LARGE, "--number", "2", "--add")[-1], operator)
    assert small == large
    assert max(large.values()) <= 15, large
    assert len(document(operator.send("GET", "/api/v1/tenants"))["items"]) == SMALL[0] + LARGE[0]


def test_the_same_number_makes_the_same_content_and_leaves_nothing_to_list(db: None) -> None:
    seen: list[Any] = []
    for number in ("1", "2"):
        slugs = seed((1, 2, 5), "--number", number, "--add")
        scope = scope_of(slugs[0])
        with tenancy.tenant_context(scope.tenant.id):
            names = sorted(Subject.objects.scoped(scope).values_list("name", flat=True))
            assert Version.objects.scoped(scope).count() >= len(names) == 10
            assert FieldEntry.objects.scoped(scope).exists()
            assert Token.objects.scoped(scope).count() == 3
            assert reindex(scope.tenant.id) == 0
            seen.append((slugs, names))
    assert seen[0] != seen[1]
    # The same tenants again are in the way of themselves.
    with pytest.raises(IntegrityError), transaction.atomic():
        seed((1, 2, 5), "--number", "1", "--add")


def test_it_refuses_where_there_are_tenants(db: None) -> None:
    seed((1, 1, 1))
    with pytest.raises(CommandError, match="--add"):
        seed((1, 1, 1))
