"""A namespace that was deleted and kept long enough goes for good, as a tenant does."""

from django.db import migrations

from accord_server.kit.migration_operations import SecurityDefinerFunction

# Rows go by this function alone, as some of them the application may not touch: only those of a namespace
# whose end has begun, along foreign keys that there are, and never those of the audit log.
PURGE_ROWS = """
DECLARE
    tables text[] := chain_tables;
    places text[] := chain_columns;
    number integer := cardinality(tables);
    condition text;
    removed bigint;
BEGIN
    IF NOT EXISTS (
        SELECT FROM tenants_namespace
        WHERE tenant_id = wanted AND id = wanted_namespace AND purge_begun_at IS NOT NULL
    ) THEN
        RAISE EXCEPTION 'namespace % is not being purged', wanted_namespace
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF tables[1] LIKE 'tenants\\_audit%' OR cardinality(places) <> number OR places[number] <> 'namespace_id' OR EXISTS (
        SELECT FROM unnest(tables) AS named WHERE NOT EXISTS (
            SELECT FROM pg_policies
            WHERE schemaname = 'public' AND tablename = named AND policyname = 'accord_tenant'
                AND qual LIKE '%tenant_id = %'
        )
    ) THEN
        RAISE EXCEPTION 'table % has no rows of namespaces', tables[1] USING ERRCODE = 'insufficient_privilege';
    END IF;
    condition := format('tenant_id = $1 AND %I = $2', places[number]);
    FOR step IN REVERSE number - 1 .. 1 LOOP
        IF NOT EXISTS (
            SELECT FROM pg_constraint AS tie
            JOIN pg_attribute AS part ON part.attrelid = tie.conrelid AND part.attnum = ANY (tie.conkey)
            WHERE tie.contype = 'f' AND part.attname = places[step] AND places[step] <> 'tenant_id'
                AND tie.conrelid = format('public.%I', tables[step])::regclass
                AND tie.confrelid = format('public.%I', tables[step + 1])::regclass
        ) THEN
            RAISE EXCEPTION 'table % does not refer to %', tables[step], tables[step + 1]
                USING ERRCODE = 'insufficient_privilege';
        END IF;
        condition := format(
            'tenant_id = $1 AND %I IN (SELECT id FROM public.%I WHERE %s)',
            places[step], tables[step + 1], condition
        );
    END LOOP;
    EXECUTE format(
        'DELETE FROM public.%1$I WHERE tenant_id = $1 AND ctid = ANY (ARRAY('
        'SELECT ctid FROM public.%1$I WHERE %2$s %3$s LIMIT $3))',
        tables[1], condition, CASE WHEN newest_first THEN 'ORDER BY id DESC' ELSE '' END
    ) USING wanted, wanted_namespace, most;
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
"""
# While a tenant is suspended its people cannot restore anything, so nothing of theirs goes.
OVERDUE = """
SELECT DISTINCT namespace.tenant_id FROM tenants_namespace AS namespace
JOIN tenants_tenant AS tenant ON tenant.id = namespace.tenant_id
WHERE tenant.state = 'active' AND (namespace.deleted_at < before OR namespace.purge_begun_at IS NOT NULL)
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0015_quotas")]

    operations = [
        SecurityDefinerFunction(
            "accord_purge_namespace_rows",
            arguments=(
                "wanted uuid, wanted_namespace uuid, chain_tables text[], chain_columns text[],"
                " newest_first boolean, most integer"
            ),
            returns="bigint",
            body=PURGE_ROWS,
            language="plpgsql",
            volatility="VOLATILE",
        ),
        SecurityDefinerFunction(
            "accord_namespaces_to_purge",
            arguments="before timestamptz",
            returns="SETOF uuid",
            body=OVERDUE,
        ),
        migrations.RunSQL(
            "CREATE TRIGGER accord_no_way_back BEFORE UPDATE ON tenants_namespace FOR EACH ROW"
            " WHEN (OLD.purge_begun_at IS NOT NULL) EXECUTE FUNCTION accord_no_way_back()",
            "DROP TRIGGER accord_no_way_back ON tenants_namespace",
        ),
    ]
