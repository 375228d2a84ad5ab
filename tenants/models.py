"""Tables of people and access.

Ids that others may see are random: a shared sequence would tell one tenant how busy the others are.
"""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Now
from django.utils import timezone

from accord.model import Format
from accord_server.kit.models import TenantOwned
from tenants.slugs import SLUG_MAX_LENGTH, SLUG_PATTERN
from tenants.tokens import KEY_ID_LENGTH, LAST_LENGTH, TokenKind

LONGEST_NAME: Final = 200
LONGEST_KEY: Final = 200
# That of Django's users.
LONGEST_USERNAME: Final = 150
REQUEST_ID_LENGTH: Final = 128
DIGEST_LENGTH: Final = 32
LONGEST_RESOURCE: Final = 40
ALL_SUBJECTS: Final = "*"


class TenantState(models.TextChoices):
    """The life of a tenant."""

    ACTIVE = "active"
    SUSPENDED = "suspended"


class TokenState(models.TextChoices):
    """The life of a token; only an active one opens anything, and only between its times."""

    PENDING = "pending"
    ACTIVE = "active"
    SUSPENDED = "suspended"
    EXPIRED = "expired"
    REVOKED = "revoked"
    COMPROMISED = "compromised"


def one_of(field: str, values: list[str], name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(**{f"{field}__in": values}), name=name)


def slug_formed(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(slug__regex=SLUG_PATTERN), name=name)


def one_principal(name: str) -> models.CheckConstraint:
    """A row is about a member or a service account, never both or none."""
    member, service = Q(member__isnull=True), Q(service_account__isnull=True)
    return models.CheckConstraint(condition=(member & ~service) | (~member & service), name=name)


class TenantTable(models.Manager["Tenant"]):
    """The table of tenants shows one row, that of the active tenant; row-level security sees to it."""


class Tenant(models.Model):
    """The owning party: the first level of isolation."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.CharField(max_length=SLUG_MAX_LENGTH, unique=True)
    name = models.CharField(max_length=LONGEST_NAME)
    state = models.CharField(max_length=9, choices=TenantState.choices, default=TenantState.ACTIVE)
    # The token rules: what no token of the tenant may exceed, whatever its own grants say.
    token_lifetime_days = models.PositiveSmallIntegerField(default=366)
    token_approval = models.BooleanField(default=False, db_default=False)
    token_forbidden = models.JSONField(default=list, db_default=Value([], models.JSONField()))
    # Whether people see its pages only with more than a password; tokens are not asked for it.
    needs_second_factor = models.BooleanField(default=False, db_default=False)
    revision = models.PositiveIntegerField(default=1, db_default=1)
    created_at = models.DateTimeField(default=timezone.now)
    # It looks missing to everybody, and can be brought back until its rows are being removed.
    deleted_at = models.DateTimeField(null=True)
    purge_begun_at = models.DateTimeField(null=True)

    objects: ClassVar[TenantTable] = TenantTable()

    class Meta:
        constraints = (
            slug_formed("tenants_tenant_slug_formed"),
            one_of("state", TenantState.values, "tenants_tenant_state_known"),
        )


class Changeable(TenantOwned):
    """A row that people change: its revision grows with each change, so that none is made unseen."""

    revision = models.PositiveIntegerField(default=1, db_default=1)

    class Meta:
        abstract = True


class Namespace(Changeable):
    """One complete registry inside a tenant: the second level of isolation."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.CharField(max_length=SLUG_MAX_LENGTH)
    name = models.CharField(max_length=LONGEST_NAME)
    description = models.TextField(blank=True)
    labels = models.JSONField(default=list, db_default=Value([], models.JSONField()))
    properties = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    # The one format that may be registered; empty where all may.
    format = models.CharField(max_length=8, blank=True, default="", db_default="")
    created_at = models.DateTimeField(default=timezone.now)
    # It is nowhere to be found, and can be brought back until its rows are being removed.
    deleted_at = models.DateTimeField(null=True)
    purge_begun_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "slug"), name="tenants_namespace_slug_once"),
            slug_formed("tenants_namespace_slug_formed"),
            one_of("format", ["", *map(str, Format)], "tenants_namespace_format_known"),
        )


class Member(Changeable):
    """A person in a tenant; who was removed leaves a row that old tokens and versions speak of."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey("auth.User", models.PROTECT, related_name="+")
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tenant", "user"), name="tenants_member_once"),)


class ServiceAccount(Changeable):
    """A program in a tenant; one that was removed leaves a row, as a member does."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.CharField(max_length=SLUG_MAX_LENGTH)
    description = models.TextField(blank=True)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "slug"), name="tenants_serviceaccount_slug_once"),
            slug_formed("tenants_serviceaccount_slug_formed"),
        )


class Invitation(TenantOwned):
    """Asks a person to become a member; its secret is known to whoever was told it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(blank=True)
    username = models.CharField(max_length=150, blank=True)
    # What the person will hold: role, namespace (its slug and its id) and subjects of each binding.
    bindings = models.JSONField()
    digest = models.BinaryField(max_length=DIGEST_LENGTH)
    failures = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_KEY)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "digest"), name="tenants_invitation_digest_once"),
            models.CheckConstraint(
                condition=(Q(email="") & ~Q(username="")) | (~Q(email="") & Q(username="")),
                name="tenants_invitation_one_address",
            ),
        )


class CustomRole(Changeable):
    """A named set of rights of the tenant's own; bindings name it as they name ours."""

    name = models.CharField(max_length=SLUG_MAX_LENGTH)
    summary = models.CharField(max_length=LONGEST_NAME, blank=True)
    rights = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_KEY)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "name"), name="tenants_customrole_name_once"),
            models.CheckConstraint(
                condition=Q(name__regex=SLUG_PATTERN), name="tenants_customrole_name_formed"
            ),
        )


class RoleBinding(TenantOwned):
    """A role held in the tenant, in one namespace, or on some subjects of it: the source of truth."""

    public_id = models.UUIDField(default=uuid.uuid4, db_default=RandomUUID(), editable=False)
    member = models.ForeignKey(Member, models.PROTECT, null=True, related_name="+", db_constraint=False)
    service_account = models.ForeignKey(
        ServiceAccount, models.PROTECT, null=True, related_name="+", db_constraint=False
    )
    role = models.CharField(max_length=40)
    namespace = models.ForeignKey(Namespace, models.PROTECT, null=True, related_name="+", db_constraint=False)
    subjects = models.TextField(default=ALL_SUBJECTS)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_KEY)

    class Meta:
        constraints = (
            one_principal("tenants_rolebinding_one_principal"),
            models.CheckConstraint(
                condition=Q(subjects=ALL_SUBJECTS) | Q(namespace__isnull=False),
                name="tenants_rolebinding_subjects_in_namespace",
            ),
            models.UniqueConstraint(fields=("tenant", "public_id"), name="tenants_rolebinding_id_once"),
            models.UniqueConstraint(
                fields=("tenant", "member", "service_account", "role", "namespace", "subjects"),
                nulls_distinct=False,
                name="tenants_rolebinding_once",
            ),
        )


class AnonymousGrant(TenantOwned):
    """What callers without a token may do in a namespace (`tenants.rights.ANONYMOUS`); no row, nothing."""

    namespace = models.ForeignKey(Namespace, models.PROTECT, related_name="+", db_constraint=False)
    access = models.CharField(max_length=8)
    subjects = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_KEY)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "namespace"), name="tenants_anonymousgrant_once"),
        )


class Token(Changeable):
    """A credential. Its secrets are rows of their own, so that it can be rolled."""

    key_id = models.CharField(max_length=KEY_ID_LENGTH, unique=True)
    kind = models.CharField(max_length=1, choices=[(kind.value, kind.name.lower()) for kind in TokenKind])
    member = models.ForeignKey(Member, models.PROTECT, null=True, related_name="+", db_constraint=False)
    service_account = models.ForeignKey(
        ServiceAccount, models.PROTECT, null=True, related_name="+", db_constraint=False
    )
    parent = models.ForeignKey("self", models.PROTECT, null=True, related_name="+", db_constraint=False)
    name = models.CharField(max_length=LONGEST_NAME)
    description = models.TextField(blank=True)
    grants = models.JSONField()
    conditions = models.JSONField(default=dict)
    state = models.CharField(max_length=11, choices=TokenState.choices, default=TokenState.ACTIVE)
    not_before = models.DateTimeField()
    expires_at = models.DateTimeField()
    max_uses = models.PositiveIntegerField(null=True)
    use_count = models.PositiveBigIntegerField(default=0)
    # The batch of uses that was counted last: each is counted once, however often it is brought.
    last_batch = models.BigIntegerField(default=0, db_default=0)
    last_used_at = models.DateTimeField(null=True)
    last_address = models.GenericIPAddressField(null=True)
    last_client = models.CharField(max_length=LONGEST_NAME, blank=True)
    # The day on which each right was used last.
    used_rights = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    # How many days before its end the owner was told of it last; 0 where that was not needed yet.
    reminded_days = models.PositiveSmallIntegerField(default=0, db_default=0)
    # When somebody last said that it is wanted: issued, approved, resumed or rolled it.
    wanted_at = models.DateTimeField(default=timezone.now, db_default=Now())
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_KEY)
    approved_at = models.DateTimeField(null=True)
    approved_by = models.CharField(max_length=LONGEST_KEY, blank=True)

    class Meta:
        constraints = (
            one_principal("tenants_token_one_owner"),
            one_of("kind", [kind.value for kind in TokenKind], "tenants_token_kind_known"),
            one_of("state", TokenState.values, "tenants_token_state_known"),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("not_before")), name="tenants_token_ends_after_it_begins"
            ),
        )


class TokenSecret(TenantOwned):
    """One of the two secrets a token may have; with ``expires_at`` it is on its way out."""

    token = models.ForeignKey(Token, models.CASCADE, related_name="+", db_constraint=False)
    slot = models.PositiveSmallIntegerField()
    digest = models.BinaryField(max_length=DIGEST_LENGTH)
    pepper_version = models.PositiveSmallIntegerField()
    last = models.CharField(max_length=LAST_LENGTH)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "token", "slot"), name="tenants_tokensecret_slot_once"),
            models.CheckConstraint(condition=Q(slot__in=(1, 2)), name="tenants_tokensecret_two_slots"),
        )


class OperatorToken(models.Model):
    """A credential of whoever runs the installation: no tenant's, and good for the control plane alone."""

    key_id = models.CharField(max_length=KEY_ID_LENGTH, unique=True)
    name = models.CharField(max_length=LONGEST_NAME, unique=True)
    digest = models.BinaryField(max_length=DIGEST_LENGTH)
    pepper_version = models.PositiveSmallIntegerField()
    last = models.CharField(max_length=LAST_LENGTH)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)


class PurgedTenant(models.Model):
    """What is left of a tenant that is no more: that it was, and where its audit log ended.

    Whoever kept an export of that log can hold it against ``last_seal`` and ``last_digest``.
    """

    tenant_id = models.UUIDField(primary_key=True)
    slug = models.CharField(max_length=SLUG_MAX_LENGTH)
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField()
    begun_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)
    audit_records = models.PositiveBigIntegerField()
    last_seal = models.PositiveBigIntegerField()
    last_digest = models.BinaryField(max_length=DIGEST_LENGTH)


class RefusedSignIn(models.Model):
    """A sign-in that was refused, until a worker has told the audit logs of whoever has the name."""

    username = models.CharField(max_length=LONGEST_USERNAME)
    action = models.CharField(max_length=60)
    address = models.GenericIPAddressField(null=True)
    request_id = models.CharField(max_length=REQUEST_ID_LENGTH)


class AuditRecord(TenantOwned):
    """Who did what to which. The application can add rows and read them, nothing else.

    No foreign keys beside the tenant: the record outlives what it is about. The table is partitioned by the
    month of ``at`` (migration 0012), so that old months can be dropped whole.
    """

    at = models.DateTimeField(default=timezone.now)
    actor_kind = models.CharField(max_length=16)
    actor = models.CharField(max_length=LONGEST_KEY)
    token_key_id = models.CharField(max_length=KEY_ID_LENGTH, blank=True)
    token_slot = models.PositiveSmallIntegerField(null=True)
    namespace_id = models.UUIDField(null=True)
    action = models.CharField(max_length=80)
    object_kind = models.CharField(max_length=40)
    object_name = models.TextField(blank=True)
    outcome = models.CharField(max_length=8)
    address = models.GenericIPAddressField(null=True)
    request_id = models.CharField(max_length=REQUEST_ID_LENGTH, blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)

    class Meta:
        indexes = (models.Index(fields=("tenant", "at", "id"), name="tenants_audit_by_time"),)


class AuditWaiting(TenantOwned):
    """A record that no seal holds yet: a trigger adds it with the record, sealing takes it away.

    So the rows of a transaction that ends late are sealed once and never skipped, whatever their ids are.
    """

    record_id = models.BigIntegerField(primary_key=True)


class AuditSeal(TenantOwned):
    """One link of the chain over a tenant's records, all of one month; added and read, never changed.

    ``digests`` holds one SHA-256 after the other, in the order of ``ids``; ``digest`` is that of the whole
    seal with the digest of the one before (`tenants.audit_chain`).
    """

    number = models.PositiveBigIntegerField()
    month = models.DateField()
    ids = models.JSONField()
    digests = models.BinaryField()
    previous = models.BinaryField(max_length=DIGEST_LENGTH)
    digest = models.BinaryField(max_length=DIGEST_LENGTH)
    sealed_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "number"), name="tenants_auditseal_number_once"),
        )
        indexes = (models.Index(fields=("tenant", "month"), name="tenants_auditseal_by_month"),)


class AuditAnchor(TenantOwned):
    """What is left of a tenant's records of a month that was dropped: how many, and their last seal."""

    month = models.DateField()
    records = models.PositiveBigIntegerField()
    seal = models.PositiveBigIntegerField()
    digest = models.BinaryField(max_length=DIGEST_LENGTH)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "month", "seal"), name="tenants_auditanchor_once"),
        )


class Quota(Changeable):
    """Limits that were set for one tenant, by name of the resource; for the rest the defaults hold.

    ``limits`` are those of whoever runs the installation, 0 for none; ``own`` those that the tenant's people
    set for themselves, which count where they are lower.
    """

    limits = models.JSONField(default=dict)
    own = models.JSONField(default=dict)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tenant",), name="tenants_quota_once"),)


class QuotaDelta(TenantOwned):
    """What a statement added to the use of a resource, or took from it; triggers write it in its transaction.

    ``xact`` is that transaction, so that what it adds by itself can be told from what there was.
    """

    resource = models.CharField(max_length=LONGEST_RESOURCE)
    amount = models.BigIntegerField()
    xact = models.BigIntegerField()

    class Meta:
        indexes = (models.Index(fields=("tenant", "resource"), name="tenants_quotadelta_by_tenant"),)


class QuotaTotal(TenantOwned):
    """What is in use of a resource, but for the deltas that were not folded into it yet."""

    resource = models.CharField(max_length=LONGEST_RESOURCE)
    used = models.BigIntegerField()
    # Since when most of the limit is in use, if it is; who is to know was told so then.
    warned_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "resource"), name="tenants_quotatotal_once"),
        )


class UsageDay(TenantOwned):
    """What was in use of a resource at the end of a day, or of today so far."""

    day = models.DateField()
    resource = models.CharField(max_length=LONGEST_RESOURCE)
    used = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "day", "resource"), name="tenants_usageday_once"),
        )
