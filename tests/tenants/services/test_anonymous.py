"""Opening a namespace to callers without a token: who may, what is told, and how it ends."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from accord_server.kit import tenancy
from accord_server.kit.scope import Grant
from tenants.authentication import authenticate_or_welcome
from tenants.door import Door
from tenants.errors import (
    GrantTooWide,
    InvalidGrant,
    NamespaceNotFound,
    RightMissing,
    TenantSuspended,
    Unauthorized,
)
from tenants.models import AnonymousGrant, AuditRecord
from tenants.principals import operator_scope
from tenants.queries import anonymous_access, resolve_anonymous
from tenants.rights import ANONYMOUS, NEVER_PRESET, RIGHTS, Reach
from tenants.services import allow_anonymous, end_anonymous, suspend_tenant

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor, TokenFor

pytestmark = pytest.mark.django_db
PLACE = ("north", "default")


@pytest.fixture
def scope(alice: Actor, scope_for: ScopeFor) -> Scope:
    """Alice's in *north*."""
    return scope_for(alice)


def welcome(authorization: str | None = None, place: tuple[str, str] = PLACE) -> Scope:
    return authenticate_or_welcome(authorization, tenant_slug=place[0], namespace_slug=place[1])


def is_closed(place: tuple[str, str] = PLACE) -> bool:
    try:
        welcome(place=place)
    except Unauthorized:
        return True
    return False


@pytest.mark.parametrize("access", ANONYMOUS.values(), ids=lambda one: one.name)
def test_nothing_dangerous_can_be_open_to_everybody(access: object) -> None:
    rights = access.rights  # type: ignore[attr-defined]  # a preset
    assert not rights & NEVER_PRESET
    assert {RIGHTS[name].reach for name in rights} == {Reach.SUBJECT}
    changing = {name for name in rights if not name.endswith((".read", ".list"))}
    assert changing <= {"subject.write", "compat.check", "reference.use"}


def test_a_namespace_is_closed_until_it_is_opened(scope: Scope) -> None:
    assert is_closed()
    assert anonymous_access(scope).access is None
    allow_anonymous(scope, access="read", subjects=["orders-*", "orders-*"])
    told = anonymous_access(scope)
    assert (told.access, told.subjects, told.created_by) == ("read", ("orders-*",), "person:alice")
    caller = welcome()
    assert (caller.principal.key, caller.token_key) == ("anonymous:anyone", None)
    assert [one.value for one in caller.selectors("subject.read")] == ["orders-"]
    assert caller.selectors("subject.write") == ()


def test_opening_again_replaces_and_ending_closes(scope: Scope) -> None:
    allow_anonymous(scope, access="write", subjects=["*"])
    assert welcome().may("subject.write")
    allow_anonymous(scope, access="read", subjects=["*"])
    assert not welcome().may("subject.write")
    assert end_anonymous(scope).access is None
    assert end_anonymous(scope).access is None
    assert is_closed()


def test_the_audit_log_tells_each_change_once(scope: Scope) -> None:
    allow_anonymous(scope, access="read", subjects=["*"])
    allow_anonymous(scope, access="write", subjects=["a"])
    end_anonymous(scope)
    end_anonymous(scope)
    with tenancy.tenant_context(scope.tenant.id):
        rows = list(AuditRecord.objects.scoped(scope).filter(action__startswith="anonymous").order_by("id"))
    read, write = ({"access": "read", "subjects": ["*"]}, {"access": "write", "subjects": ["a"]})
    assert [(row.action, row.object_name, row.before, row.after) for row in rows] == [
        ("anonymous.allow", "default", None, read),
        ("anonymous.allow", "default", read, write),
        ("anonymous.end", "default", write, None),
    ]


def test_only_that_namespace_of_that_tenant_is_open(
    scope: Scope, carol: Actor, mallory: Actor, scope_for: ScopeFor
) -> None:
    allow_anonymous(scope, access="write", subjects=["*"])
    for place in (("north", "payments"), ("south", "default"), ("north", "nothing"), ("No", "default")):
        assert is_closed(place)
    moved = replace(welcome(), namespace=scope_for(carol, "payments").namespace)
    assert moved.selectors("subject.read") == ()


def test_credentials_that_do_not_count_are_refused_all_the_same(
    scope: Scope, alice: Actor, token_for: TokenFor
) -> None:
    allow_anonymous(scope, access="read", subjects=["*"])
    assert welcome(f"Bearer {token_for(alice)}").principal.key == "person:alice"
    for wrong in ("", "Bearer x", "Basic x"):
        with pytest.raises(Unauthorized):
            welcome(wrong)


def test_a_suspended_tenant_is_open_to_nobody(scope: Scope, alice: Actor) -> None:
    allow_anonymous(scope, access="read", subjects=["*"])
    suspend_tenant(operator_scope(alice.tenant.ref))
    with pytest.raises(TenantSuspended):
        welcome()
    end_anonymous(scope)
    assert is_closed()


@pytest.mark.parametrize(
    ("access", "subjects", "place"),
    [
        ("admin", ["*"], "/access"),
        ("read", [], "/subjects"),
        ("read", ["*"] * 51, "/subjects"),
        ("read", ["a", ""], "/subjects/1"),
    ],
)
def test_what_cannot_be_opened_is_named(scope: Scope, access: str, subjects: list[str], place: str) -> None:
    with pytest.raises(InvalidGrant) as refused:
        allow_anonymous(scope, access=access, subjects=subjects)
    assert refused.value.place == place


def test_nobody_opens_what_is_closed_to_himself(scope: Scope) -> None:
    narrow = replace(scope, grants=(Grant(frozenset({"namespace.manage", "subject.read"})),))
    with pytest.raises(GrantTooWide):
        allow_anonymous(narrow, access="read", subjects=["*"])
    blind = replace(scope, grants=())
    with pytest.raises(RightMissing):
        allow_anonymous(blind, access="read", subjects=["*"])
    with pytest.raises(RightMissing):
        end_anonymous(blind)
    with pytest.raises(NamespaceNotFound):
        anonymous_access(replace(scope, namespace=None))


def test_what_this_release_does_not_know_opens_nothing(scope: Scope) -> None:
    allow_anonymous(scope, access="read", subjects=["*"])
    rows = AnonymousGrant.objects.scoped(scope)
    for values in ({"access": "future"}, {"access": "read", "subjects": [""]}):
        rows.update(**values)
        assert resolve_anonymous(*PLACE) is None


def test_the_door_recalls_callers_without_a_token_until_it_is_closed(scope: Scope) -> None:
    environ = {"REMOTE_ADDR": "10.0.0.1"}
    assert Door().recall(environ, *PLACE) is None
    allow_anonymous(scope, access="read", subjects=["*"])
    caller = welcome()
    assert Door().recall(environ, *PLACE) == caller
    Door().count(environ, caller)
    assert Door().recall({**environ, "HTTP_AUTHORIZATION": ""}, *PLACE) is None
    end_anonymous(scope)
    assert Door().recall(environ, *PLACE) is None
