"""The audit log is chained by seals, which can be added and read and never changed."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity, SecurityDefinerFunction

TENANT = models.ForeignKey(
    db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tenants.tenant"
)
KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")

# Rows of a statement at a time; as the owner, since the application may not say that something waits.
WAIT = """
BEGIN
    INSERT INTO tenants_auditwaiting (tenant_id, record_id) SELECT tenant_id, id FROM fresh;
    RETURN NULL;
END
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0010_object_permissions")]

    operations = [
        migrations.CreateModel(
            name="AuditWaiting",
            fields=[
                ("record_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("tenant", TENANT.clone()),
            ],
        ),
        migrations.CreateModel(
            name="AuditSeal",
            fields=[
                ("id", KEY.clone()),
                ("number", models.PositiveBigIntegerField()),
                ("month", models.DateField()),
                ("ids", models.JSONField()),
                ("digests", models.BinaryField()),
                ("previous", models.BinaryField(max_length=32)),
                ("digest", models.BinaryField(max_length=32)),
                ("sealed_at", models.DateTimeField()),
                ("tenant", TENANT.clone()),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "month"], name="tenants_auditseal_by_month")],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "number"), name="tenants_auditseal_number_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditAnchor",
            fields=[
                ("id", KEY.clone()),
                ("month", models.DateField()),
                ("records", models.PositiveBigIntegerField()),
                ("seal", models.PositiveBigIntegerField()),
                ("digest", models.BinaryField(max_length=32)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("tenant", TENANT.clone()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "month", "seal"), name="tenants_auditanchor_once"
                    )
                ],
            },
        ),
        EnableRowSecurity("AuditWaiting", verbs="SELECT, DELETE"),
        EnableRowSecurity("AuditSeal", is_insert_only=True),
        EnableRowSecurity("AuditAnchor", is_insert_only=True),
        SecurityDefinerFunction(
            "accord_audit_waits",
            arguments="",
            returns="trigger",
            body=WAIT,
            language="plpgsql",
            volatility="VOLATILE",
        ),
        SecurityDefinerFunction(
            "accord_tenants_with_unsealed_audit",
            arguments="",
            returns="SETOF uuid",
            body="SELECT DISTINCT tenant_id FROM tenants_auditwaiting ORDER BY tenant_id",
        ),
    ]
