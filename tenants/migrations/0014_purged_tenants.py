"""What was deleted and kept long enough goes for good: row by row, whatever the application may remove."""

import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import GrantTable, SecurityDefinerFunction

# The application may not touch its audit log, and still a tenant ends whole. So rows go by this function
# alone, and only those of a tenant whose end has begun, which nothing takes back.
PURGE_ROWS = """
DECLARE
    removed bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM tenants_tenant WHERE id = wanted AND purge_begun_at IS NOT NULL) THEN
        RAISE EXCEPTION 'tenant % is not being purged', wanted USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NOT EXISTS (
        SELECT FROM pg_policies
        WHERE schemaname = 'public' AND tablename = wanted_table AND policyname = 'accord_tenant'
            AND qual LIKE '%tenant_id = %'
    ) THEN
        RAISE EXCEPTION 'table % has no rows of tenants', wanted_table USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- A row of another partition may have the same place: hence the tenant once more.
    EXECUTE format(
        'DELETE FROM public.%1$I WHERE tenant_id = $1 AND ctid = ANY (ARRAY('
        'SELECT ctid FROM public.%1$I WHERE tenant_id = $1 %2$s LIMIT $2))',
        wanted_table, CASE WHEN newest_first THEN 'ORDER BY id DESC' ELSE '' END
    ) USING wanted, most;
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
"""
# The end of a tenant that has begun is not taken back: its rows may be gone already.
NO_WAY_BACK = """
BEGIN
    IF NEW.purge_begun_at IS NULL OR NEW.deleted_at IS NULL THEN
        RAISE EXCEPTION 'the end of % cannot be taken back', OLD.slug USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
"""
OVERDUE = """
SELECT id FROM tenants_tenant WHERE deleted_at < before OR purge_begun_at IS NOT NULL ORDER BY deleted_at
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0013_tenant_life")]

    operations = [
        migrations.CreateModel(
            name="PurgedTenant",
            fields=[
                ("tenant_id", models.UUIDField(primary_key=True, serialize=False)),
                ("slug", models.CharField(max_length=40)),
                ("created_at", models.DateTimeField()),
                ("deleted_at", models.DateTimeField()),
                ("begun_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(null=True)),
                ("audit_records", models.PositiveBigIntegerField()),
                ("last_seal", models.PositiveBigIntegerField()),
                ("last_digest", models.BinaryField(max_length=32)),
            ],
        ),
        GrantTable("tenants_purgedtenant", verbs="SELECT, INSERT, UPDATE"),
        SecurityDefinerFunction(
            "accord_purge_rows",
            arguments="wanted uuid, wanted_table text, newest_first boolean, most integer",
            returns="bigint",
            body=PURGE_ROWS,
            language="plpgsql",
            volatility="VOLATILE",
        ),
        SecurityDefinerFunction(
            "accord_no_way_back",
            arguments="",
            returns="trigger",
            body=NO_WAY_BACK,
            language="plpgsql",
            volatility="VOLATILE",
        ),
        migrations.RunSQL(
            "CREATE TRIGGER accord_no_way_back BEFORE UPDATE ON tenants_tenant FOR EACH ROW"
            " WHEN (OLD.purge_begun_at IS NOT NULL) EXECUTE FUNCTION accord_no_way_back()",
            "DROP TRIGGER accord_no_way_back ON tenants_tenant",
        ),
        SecurityDefinerFunction(
            "accord_tenants_to_purge",
            arguments="before timestamptz",
            returns="SETOF uuid",
            body=OVERDUE,
        ),
        SecurityDefinerFunction(
            "accord_deleted_tenants",
            arguments="",
            returns="SETOF uuid",
            body="SELECT id FROM tenants_tenant WHERE deleted_at IS NOT NULL",
        ),
    ]
