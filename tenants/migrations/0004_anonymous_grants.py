"""Let a namespace be opened to callers without a token, who have a kind of their own in the audit log."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import (
    EnableRowSecurity,
    SecurityDefinerFunction,
    TenantForeignKey,
)

BY_SLUGS = """
SELECT tenant.id, namespace.id, held.access::text, held.subjects
FROM tenants_tenant tenant
JOIN tenants_namespace namespace ON namespace.tenant_id = tenant.id AND namespace.slug = wanted_namespace
JOIN tenants_anonymousgrant held ON held.tenant_id = tenant.id AND held.namespace_id = namespace.id
WHERE tenant.slug = wanted_tenant AND tenant.state = 'active'
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0003_token_last_batch")]

    operations = [
        migrations.CreateModel(
            name="AnonymousGrant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("access", models.CharField(max_length=8)),
                ("subjects", models.JSONField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=200)),
                (
                    "namespace",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.namespace",
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "namespace"), name="tenants_anonymousgrant_once"
                    ),
                ],
            },
        ),
        EnableRowSecurity("AnonymousGrant"),
        TenantForeignKey("AnonymousGrant", "namespace"),
        SecurityDefinerFunction(
            "resolve_anonymous",
            arguments="wanted_tenant text, wanted_namespace text",
            returns="TABLE (tenant_id uuid, namespace_id uuid, access text, subjects jsonb)",
            body=BY_SLUGS,
        ),
        migrations.AlterField("auditrecord", "actor_kind", models.CharField(max_length=16)),
    ]
