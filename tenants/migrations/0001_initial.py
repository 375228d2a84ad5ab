"""People and access: tenants, namespaces, members, service accounts, roles, tokens, audit."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity, TenantForeignKey


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Namespace",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("slug", models.CharField(max_length=40)),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auth.user",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Tenant",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("slug", models.CharField(max_length=40, unique=True)),
                ("name", models.CharField(max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[("active", "Active"), ("suspended", "Suspended")],
                        default="active",
                        max_length=9,
                    ),
                ),
                ("token_lifetime_days", models.PositiveSmallIntegerField(default=366)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("slug__regex", "^[a-z][a-z0-9]*(-[a-z0-9]+)*$")),
                        name="tenants_tenant_slug_formed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["active", "suspended"])),
                        name="tenants_tenant_state_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ServiceAccount",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("slug", models.CharField(max_length=40)),
                ("description", models.TextField(blank=True)),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RoleBinding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("role", models.CharField(max_length=40)),
                ("subjects", models.TextField(default="*")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=200)),
                (
                    "member",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.member",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.namespace",
                    ),
                ),
                (
                    "service_account",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.serviceaccount",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="namespace",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tenants.tenant",
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tenants.tenant",
            ),
        ),
        migrations.CreateModel(
            name="AuditRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("actor_kind", models.CharField(max_length=8)),
                ("actor", models.CharField(max_length=200)),
                ("token_key_id", models.CharField(blank=True, max_length=12)),
                ("token_slot", models.PositiveSmallIntegerField(null=True)),
                ("namespace_id", models.UUIDField(null=True)),
                ("action", models.CharField(max_length=80)),
                ("object_kind", models.CharField(max_length=40)),
                ("object_name", models.TextField(blank=True)),
                ("outcome", models.CharField(max_length=8)),
                ("address", models.GenericIPAddressField(null=True)),
                ("request_id", models.CharField(blank=True, max_length=128)),
                ("before", models.JSONField(null=True)),
                ("after", models.JSONField(null=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key_id", models.CharField(max_length=12, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[("p", "person"), ("s", "service"), ("c", "ci"), ("o", "operator")],
                        max_length=1,
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                ("grants", models.JSONField()),
                ("conditions", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("active", "Active"),
                            ("suspended", "Suspended"),
                            ("expired", "Expired"),
                            ("revoked", "Revoked"),
                            ("compromised", "Compromised"),
                        ],
                        default="active",
                        max_length=11,
                    ),
                ),
                ("not_before", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("max_uses", models.PositiveIntegerField(null=True)),
                ("use_count", models.PositiveBigIntegerField(default=0)),
                ("last_used_at", models.DateTimeField(null=True)),
                ("last_address", models.GenericIPAddressField(null=True)),
                ("last_client", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=200)),
                ("approved_at", models.DateTimeField(null=True)),
                ("approved_by", models.CharField(blank=True, max_length=200)),
                (
                    "member",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.member",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.token",
                    ),
                ),
                (
                    "service_account",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.serviceaccount",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TokenSecret",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slot", models.PositiveSmallIntegerField()),
                ("digest", models.BinaryField(max_length=32)),
                ("pepper_version", models.PositiveSmallIntegerField()),
                ("last", models.CharField(max_length=4)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(null=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
                (
                    "token",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenants.token",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="serviceaccount",
            constraint=models.UniqueConstraint(
                fields=("tenant", "slug"), name="tenants_serviceaccount_slug_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="serviceaccount",
            constraint=models.CheckConstraint(
                condition=models.Q(("slug__regex", "^[a-z][a-z0-9]*(-[a-z0-9]+)*$")),
                name="tenants_serviceaccount_slug_formed",
            ),
        ),
        migrations.AddConstraint(
            model_name="rolebinding",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("member__isnull", True), models.Q(("service_account__isnull", True), _negated=True)
                    ),
                    models.Q(
                        models.Q(("member__isnull", True), _negated=True), ("service_account__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="tenants_rolebinding_one_principal",
            ),
        ),
        migrations.AddConstraint(
            model_name="rolebinding",
            constraint=models.CheckConstraint(
                condition=models.Q(("subjects", "*"), ("namespace__isnull", False), _connector="OR"),
                name="tenants_rolebinding_subjects_in_namespace",
            ),
        ),
        migrations.AddConstraint(
            model_name="rolebinding",
            constraint=models.UniqueConstraint(
                fields=("tenant", "member", "service_account", "role", "namespace", "subjects"),
                name="tenants_rolebinding_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="namespace",
            constraint=models.UniqueConstraint(fields=("tenant", "slug"), name="tenants_namespace_slug_once"),
        ),
        migrations.AddConstraint(
            model_name="namespace",
            constraint=models.CheckConstraint(
                condition=models.Q(("slug__regex", "^[a-z][a-z0-9]*(-[a-z0-9]+)*$")),
                name="tenants_namespace_slug_formed",
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(fields=("tenant", "user"), name="tenants_member_once"),
        ),
        migrations.AddIndex(
            model_name="auditrecord",
            index=models.Index(fields=["tenant", "at", "id"], name="tenants_audit_by_time"),
        ),
        migrations.AddConstraint(
            model_name="token",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("member__isnull", True), models.Q(("service_account__isnull", True), _negated=True)
                    ),
                    models.Q(
                        models.Q(("member__isnull", True), _negated=True), ("service_account__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="tenants_token_one_owner",
            ),
        ),
        migrations.AddConstraint(
            model_name="token",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["p", "s", "c", "o"])), name="tenants_token_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="token",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state__in", ["pending", "active", "suspended", "expired", "revoked", "compromised"])
                ),
                name="tenants_token_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="token",
            constraint=models.CheckConstraint(
                condition=models.Q(("expires_at__gt", models.F("not_before"))),
                name="tenants_token_ends_after_it_begins",
            ),
        ),
        migrations.AddConstraint(
            model_name="tokensecret",
            constraint=models.UniqueConstraint(
                fields=("tenant", "token", "slot"), name="tenants_tokensecret_slot_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="tokensecret",
            constraint=models.CheckConstraint(
                condition=models.Q(("slot__in", (1, 2))), name="tenants_tokensecret_two_slots"
            ),
        ),
        # Row-level security stands before the first row does.
        EnableRowSecurity("Tenant", tenant_column="id"),
        EnableRowSecurity("Namespace"),
        EnableRowSecurity("Member"),
        EnableRowSecurity("ServiceAccount"),
        EnableRowSecurity("RoleBinding"),
        EnableRowSecurity("Token"),
        EnableRowSecurity("TokenSecret"),
        EnableRowSecurity("AuditRecord", is_insert_only=True),
        TenantForeignKey("RoleBinding", "member"),
        TenantForeignKey("RoleBinding", "service_account"),
        TenantForeignKey("RoleBinding", "namespace"),
        TenantForeignKey("Token", "member"),
        TenantForeignKey("Token", "service_account"),
        TenantForeignKey("Token", "parent"),
        TenantForeignKey("TokenSecret", "token"),
    ]
