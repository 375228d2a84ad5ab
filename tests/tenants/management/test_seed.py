"""``manage.py seed`` on a fresh installation and on one that lives."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.contrib.auth import authenticate as sign_in
from django.core.management import call_command

from accord.model import SubjectName
from accord_server.kit import tenancy
from tenants.authentication import authenticate
from tenants.errors import InvalidUser, Unauthorized
from tenants.queries import namespaces_of, scope_for_user
from tests.cast import bearer

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fillings(monkeypatch: pytest.MonkeyPatch) -> list[Scope]:
    """Stand in for the rooms above, which fill the demo with their own data."""
    filled: list[Scope] = []
    for app in apps.get_app_configs():
        monkeypatch.setattr(app, "seed_demo", None, raising=False)
    monkeypatch.setattr(apps.get_app_config("registry"), "seed_demo", filled.append, raising=False)
    return filled


def seed(*options: str) -> dict[str, Any]:
    output = io.StringIO()
    call_command("seed", "--json", *options, stdout=output)
    document: dict[str, Any] = json.loads(output.getvalue())
    return document


def enter(value: str) -> Scope:
    return authenticate(bearer(value), tenant_slug="demo", namespace_slug="default")


def test_the_first_run_makes_everything() -> None:
    made = seed()
    admin = made["admin"]

    assert (made["tenant"], made["namespace"], admin["username"]) == ("demo", "default", "admin")
    assert sign_in(username="admin", password=admin["password"]) is not None
    assert enter(made["token"]).may("subject.write", SubjectName("orders-value"))


def test_the_admin_administers_two_namespaces() -> None:
    seed()
    user = sign_in(
        username="admin", password=seed("--admin-password", "a-better-one-1234")["admin"]["password"]
    )
    assert user is not None
    scope = scope_for_user(user, "demo")

    assert scope.may("member.manage")
    assert [found.slug for found in namespaces_of(scope)] == ["default", "sandbox"]


def test_a_second_run_keeps_everything_and_shows_no_secret() -> None:
    first, second = seed(), seed()

    assert (second["token"], second["admin"]["password"]) == (None, None)
    assert enter(first["token"]).token_key
    assert sign_in(username="admin", password=first["admin"]["password"]) is not None


def test_a_new_token_ends_the_old_one() -> None:
    first, second = seed(), seed("--new-token")

    assert enter(second["token"]).token_key != enter.__name__
    with pytest.raises(Unauthorized):
        enter(first["token"])


def test_a_weak_password_is_refused_before_anything_is_shown() -> None:
    with pytest.raises(InvalidUser):
        seed("--admin-password", "admin")


def test_other_rooms_fill_the_default_namespace(fillings: list[Scope]) -> None:
    seed()
    (scope,) = fillings

    assert (scope.tenant.slug, scope.namespace and scope.namespace.slug) == ("demo", "default")
    assert scope.may("subject.write", SubjectName("orders-value"))


def test_the_tenant_is_active_while_others_fill(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    config = apps.get_app_config("registry")
    monkeypatch.setattr(config, "seed_demo", lambda _: seen.append(tenancy.active_tenant()), raising=False)
    seed()

    assert seen
    assert None not in seen


def test_people_read_plain_lines() -> None:
    output = io.StringIO()
    call_command("seed", stdout=output)

    assert "token      accs_" in output.getvalue()
    assert "sign-in    admin / " in output.getvalue()
