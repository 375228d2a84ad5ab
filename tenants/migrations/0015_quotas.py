"""Quotas: what a tenant may use, what it uses, and what it used day by day."""

import django.db.models.deletion
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity, SecurityDefinerFunction
from tenants.counting import CountRows

TENANT = models.ForeignKey(
    db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tenants.tenant"
)
KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")

# What is folded and what is not, added up, with what this very transaction has added, and the limit.
USE = """
CREATE FUNCTION accord_quota_use(wanted uuid, names text[], defaults bigint[])
RETURNS TABLE (resource text, used bigint, added bigint, most bigint) LANGUAGE sql STABLE AS $accord$
SELECT given.name,
    (coalesce(total.used, 0) + coalesce(fresh.amount, 0))::bigint,
    coalesce(fresh.own, 0)::bigint,
    CASE
        WHEN coalesce(held.own, 0) = 0 THEN held.ceiling
        WHEN held.ceiling = 0 THEN held.own
        ELSE least(held.own, held.ceiling)
    END
FROM unnest(names, defaults) AS given (name, most)
LEFT JOIN tenants_quota quota ON quota.tenant_id = wanted
CROSS JOIN LATERAL (
    SELECT coalesce((quota.limits ->> given.name)::bigint, given.most) AS ceiling,
        (quota.own ->> given.name)::bigint AS own
) held
LEFT JOIN tenants_quotatotal total ON total.tenant_id = wanted AND total.resource = given.name
LEFT JOIN (
    SELECT delta.resource, sum(delta.amount) AS amount,
        sum(delta.amount) FILTER (WHERE delta.xact = pg_current_xact_id()::text::bigint) AS own
    FROM tenants_quotadelta delta WHERE delta.tenant_id = wanted GROUP BY delta.resource
) fresh ON fresh.resource = given.name
$accord$
"""

# Far from a limit transactions go side by side; near it one waits for the others and looks once more.
EXCEEDED = """
CREATE FUNCTION accord_quota_exceeded(wanted uuid, names text[], defaults bigint[])
RETURNS TABLE (resource text, used bigint, added bigint, most bigint) LANGUAGE plpgsql VOLATILE AS $accord$
DECLARE
    place bigint := hashtextextended(wanted::text, 7242);
BEGIN
    IF NOT EXISTS (
        SELECT FROM accord_quota_use(wanted, names, defaults) AS found
        WHERE found.added > 0 AND found.most > 0
            AND found.used + found.most / 10 + 100 * found.added > found.most
    ) THEN
        PERFORM pg_advisory_xact_lock_shared(place);
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(place);
    RETURN QUERY SELECT * FROM accord_quota_use(wanted, names, defaults) AS found
        WHERE found.added > 0 AND found.most > 0 AND found.used > found.most;
END
$accord$
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0014_purged_tenants")]

    operations = [
        migrations.CreateModel(
            name="Quota",
            fields=[
                ("id", KEY.clone()),
                ("limits", models.JSONField(default=dict)),
                ("own", models.JSONField(default=dict)),
                ("revision", models.PositiveIntegerField(db_default=1, default=1)),
                ("tenant", TENANT.clone()),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("tenant",), name="tenants_quota_once")]},
        ),
        migrations.CreateModel(
            name="QuotaDelta",
            fields=[
                ("id", KEY.clone()),
                ("resource", models.CharField(max_length=40)),
                ("amount", models.BigIntegerField()),
                ("xact", models.BigIntegerField()),
                ("tenant", TENANT.clone()),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "resource"], name="tenants_quotadelta_by_tenant")]
            },
        ),
        migrations.CreateModel(
            name="QuotaTotal",
            fields=[
                ("id", KEY.clone()),
                ("resource", models.CharField(max_length=40)),
                ("used", models.BigIntegerField()),
                ("warned_at", models.DateTimeField(null=True)),
                ("tenant", TENANT.clone()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "resource"), name="tenants_quotatotal_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="UsageDay",
            fields=[
                ("id", KEY.clone()),
                ("day", models.DateField()),
                ("resource", models.CharField(max_length=40)),
                ("used", models.BigIntegerField()),
                ("tenant", TENANT.clone()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "day", "resource"), name="tenants_usageday_once"
                    )
                ]
            },
        ),
        EnableRowSecurity("Quota"),
        EnableRowSecurity("QuotaDelta"),
        EnableRowSecurity("QuotaTotal"),
        EnableRowSecurity("UsageDay"),
        migrations.RunSQL(USE, "DROP FUNCTION accord_quota_use"),
        migrations.RunSQL(EXCEEDED, "DROP FUNCTION accord_quota_exceeded"),
        SecurityDefinerFunction(
            "accord_tenants_with_quota_deltas",
            arguments="",
            returns="SETOF uuid",
            body="SELECT DISTINCT tenant_id FROM tenants_quotadelta ORDER BY tenant_id",
        ),
        CountRows(
            "Namespace",
            resource="namespaces",
            measure="count(*) FILTER (WHERE deleted_at IS NULL)",
            changes=True,
        ),
        CountRows(
            "Token",
            resource="tokens",
            measure="count(*) FILTER (WHERE state IN ('pending', 'active', 'suspended'))",
            changes=True,
        ),
    ]
