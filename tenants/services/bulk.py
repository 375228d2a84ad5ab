"""Many tenants with people, roles and tokens at once: to try an installation out at size.

The same number makes the same tenants, people and roles. Secrets are made up each time and told nobody.
"""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.apps import apps
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.scope import Grant, TenantRef
from tenants import tokens
from tenants.grants import render_grants
from tenants.models import Member, Namespace, RoleBinding, ServiceAccount, Tenant, Token, TokenSecret
from tenants.principals import operator_scope
from tenants.queries.operators import has_tenants
from tenants.rights import PRESETS
from tenants.services.guarding import derive_permissions
from tenants.slugs import DEFAULT_NAMESPACE
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.scope import Scope

MANNERS: Final = (
    "bold", "brisk", "calm", "clear", "early", "fair", "grand", "keen", "quiet", "sunny", "swift", "warm",
)  # fmt: skip
TRADES: Final = (
    "airline", "bakery", "bank", "brewery", "cinema", "clinic", "depot", "foundry", "garden", "harbour",
    "hotel", "insurer", "market", "mill", "museum", "observatory", "orchard", "press", "railway", "school",
    "shipyard", "studio", "telecom", "theatre", "workshop",
)  # fmt: skip
PLACES: Final = ("staging", "payments", "analytics", "logistics", "research", "partners", "archive")
PEOPLE: Final = {
    "ada": "admin", "ben": "steward", "cem": "developer", "dora": "editor", "eli": "viewer", "fay": "auditor",
}  # fmt: skip
PROGRAMS: Final = {"orders-producer": "developer", "billing-consumer": "viewer", "ci": "developer"}
MADE_BY: Final = "operator:seed"
UNUSABLE: Final = "!"
LIFETIME_DAYS: Final = 90


class BulkRefused(Exception):
    """There are tenants already, whose installation this might be."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many: tenants, namespaces of each, subjects of each of those; ``number`` decides which."""

    tenants: int
    namespaces: int
    subjects: int
    number: int = 1


def seed_many(size: Size, *, is_added: bool = False) -> Iterator[str]:
    """Make so many tenants, each in one transaction, and yield their names.

    Raises:
        BulkRefused: There are tenants already, and ``is_added`` does not say that these are to join them.
    """
    if not is_added and has_tenants():
        raise BulkRefused
    for at in range(size.tenants):
        chance = random.Random(f"{size.number}/{at}")  # noqa: S311  # it is to be the same each time
        yield _seed_one(size, at, chance)


def _seed_one(size: Size, at: int, chance: random.Random) -> str:
    slug = f"{chance.choice(MANNERS)}-{chance.choice(TRADES)}-{size.number}-{at}"
    ref = TenantRef(UUID(int=chance.getrandbits(128), version=4), slug)
    scope = operator_scope(ref)
    with tenancy.tenant_context(ref.id), transaction.atomic():
        Tenant.objects.create(id=ref.id, slug=slug, name=slug.replace("-", " ").title())
        names = (DEFAULT_NAMESPACE, *PLACES, *(f"team-{one}" for one in range(size.namespaces)))
        namespaces = Namespace.objects.scoped(scope).bulk_create(
            Namespace(tenant_id=ref.id, slug=name, name=name) for name in names[: size.namespaces]
        )
        _people(scope, slug)
        for app in apps.get_app_configs():
            offer = getattr(app, "seed_bulk", None)
            if offer is not None:
                offer(scope, [one.pk for one in namespaces], size.subjects, chance)
    return slug


def _people(scope: Scope, slug: str) -> None:
    users = User.objects.bulk_create(User(username=f"{name}-{slug}", password=UNUSABLE) for name in PEOPLE)
    members = Member.objects.scoped(scope).bulk_create(
        Member(tenant_id=scope.tenant.id, user=user) for user in users
    )
    accounts = ServiceAccount.objects.scoped(scope).bulk_create(
        ServiceAccount(tenant_id=scope.tenant.id, slug=name) for name in PROGRAMS
    )
    held: list[tuple[str, Any, str]] = [
        ("member", one, role) for one, role in zip(members, PEOPLE.values(), strict=True)
    ]
    held += [("service_account", one, role) for one, role in zip(accounts, PROGRAMS.values(), strict=True)]
    RoleBinding.objects.scoped(scope).bulk_create(
        RoleBinding(tenant_id=scope.tenant.id, role=role, created_by=MADE_BY, **{kind: one})
        for kind, one, role in held
    )
    derive_permissions(scope, members)
    _tokens(scope, accounts)


def _tokens(scope: Scope, accounts: list[ServiceAccount]) -> None:
    now = timezone.now()
    grants = render_grants((Grant(PRESETS["consumer"].rights),))
    made = Token.objects.scoped(scope).bulk_create(
        Token(
            tenant_id=scope.tenant.id,
            key_id=tokens.generate(TokenKind.SERVICE).key_id,
            kind=TokenKind.SERVICE,
            service_account=account,
            name=f"For {account.slug}",
            grants=grants,
            not_before=now,
            expires_at=now + timedelta(days=LIFETIME_DAYS),
            created_by=MADE_BY,
        )
        for account in accounts
    )
    TokenSecret.objects.scoped(scope).bulk_create(
        TokenSecret(
            tenant_id=scope.tenant.id,
            token=token,
            slot=1,
            digest=secrets.token_bytes(32),
            pepper_version=1,
            last="none",
        )
        for token in made
    )
