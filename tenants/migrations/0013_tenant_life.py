"""A tenant can be suspended, which its callers are told, and deleted, which makes it look missing."""

from importlib import import_module

from django.db import migrations, models

from accord_server.kit.migration_operations import RemovedDefinerFunction, SecurityDefinerFunction

_FIRST = import_module("tenants.migrations.0002_before_the_tenant")
_BEFORE = import_module("tenants.migrations.0009_before_the_tenant")

# A token that would count if its tenant were not suspended says so; that of a deleted tenant is unknown.
BY_KEY_ID = _BEFORE.BY_KEY_ID.replace(
    "(SELECT jsonb_agg(line.conditions) FROM line)",
    "(SELECT jsonb_agg(line.conditions) FROM line),"
    " tenant.state = 'suspended' AND (SELECT is_alive FROM life)"
    " AND token.expires_at - token.not_before <= make_interval(days => tenant.token_lifetime_days)",
).replace("WHERE token.key_id = wanted", "WHERE token.key_id = wanted AND tenant.deleted_at IS NULL")
BY_SLUGS = _BEFORE.BY_SLUGS + " AND tenant.deleted_at IS NULL"
ANONYMOUS_BY_SLUGS = _BEFORE.ANONYMOUS_BY_SLUGS.replace(
    "namespace.format::text\n", "namespace.format::text, tenant.state = 'suspended'\n"
).replace("tenant.state = 'active'", "tenant.deleted_at IS NULL")
BY_DIGEST = _BEFORE.BY_DIGEST + " AND tenant.deleted_at IS NULL"
TENANTS_OF_USER = _FIRST.TENANTS_OF_USER.replace(
    "tenant.state = 'active'", "tenant.state = 'active' AND tenant.deleted_at IS NULL"
)
# The deleted ones are in no list but their own.
TENANTS_AFTER = """
SELECT id, slug::text, name::text, CASE WHEN deleted_at IS NULL THEN state ELSE 'deleted' END::text, created_at,
    deleted_at
FROM tenants_tenant
WHERE slug > after AND (deleted_at IS NULL) = (wanted_state <> 'deleted')
    AND (wanted_state IN ('', 'deleted') OR state = wanted_state)
ORDER BY slug LIMIT most
"""
DELETED = (
    "SELECT id, deleted_at, purge_begun_at FROM tenants_tenant WHERE slug = wanted AND deleted_at IS NOT NULL"
)

WANTED_TOKEN = _BEFORE.WANTED_TOKEN
TOKEN_ROWS = _BEFORE.BY_KEY_ID_ROWS
MORE_OF_TOKENS = ", forbidden jsonb, line_grants jsonb, line_conditions jsonb"
PLACE, PLACE_ROWS = _BEFORE.PLACE, _BEFORE.BY_SLUGS_ROWS.format(more=", format text")
ANONYMOUS, ANONYMOUS_ROWS = _BEFORE.ANONYMOUS, _BEFORE.ANONYMOUS_ROWS
INVITATION = {
    "name": "resolve_invitation",
    "arguments": "wanted bytea",
    "returns": "TABLE (tenant_id uuid, tenant_slug text, invitation_id uuid)",
}
OF_USER = {
    "name": "tenants_of_user",
    "arguments": "wanted integer",
    "returns": "TABLE (tenant_id uuid, slug text, name text)",
}
AFTER = {"name": "tenants_after", "arguments": "after text, wanted_state text, most integer"}
AFTER_ROWS = "TABLE (tenant_id uuid, slug text, name text, state text, created_at timestamptz{more})"
ACTIVE = {"name": "accord_active_tenants", "arguments": "", "returns": "SETOF uuid"}
ALL_ACTIVE = "SELECT id FROM tenants_tenant WHERE state = 'active' ORDER BY id"


class Migration(migrations.Migration):
    dependencies = [("tenants", "0012_audit_by_month")]

    operations = [
        migrations.AddField("tenant", "deleted_at", models.DateTimeField(null=True)),
        migrations.AddField("tenant", "purge_begun_at", models.DateTimeField(null=True)),
        migrations.AddField("namespace", "purge_begun_at", models.DateTimeField(null=True)),
        RemovedDefinerFunction(
            **WANTED_TOKEN, returns=TOKEN_ROWS.format(more=MORE_OF_TOKENS), body=_BEFORE.BY_KEY_ID
        ),
        SecurityDefinerFunction(
            **WANTED_TOKEN,
            returns=TOKEN_ROWS.format(more=f"{MORE_OF_TOKENS}, is_suspended boolean"),
            body=BY_KEY_ID,
        ),
        RemovedDefinerFunction(**PLACE, returns=PLACE_ROWS, body=_BEFORE.BY_SLUGS),
        SecurityDefinerFunction(**PLACE, returns=PLACE_ROWS, body=BY_SLUGS),
        RemovedDefinerFunction(
            **ANONYMOUS, returns=ANONYMOUS_ROWS.format(more=", format text"), body=_BEFORE.ANONYMOUS_BY_SLUGS
        ),
        SecurityDefinerFunction(
            **ANONYMOUS,
            returns=ANONYMOUS_ROWS.format(more=", format text, is_suspended boolean"),
            body=ANONYMOUS_BY_SLUGS,
        ),
        RemovedDefinerFunction(**INVITATION, body=_BEFORE.BY_DIGEST),
        SecurityDefinerFunction(**INVITATION, body=BY_DIGEST),
        RemovedDefinerFunction(**OF_USER, body=_FIRST.TENANTS_OF_USER),
        SecurityDefinerFunction(**OF_USER, body=TENANTS_OF_USER),
        RemovedDefinerFunction(**AFTER, returns=AFTER_ROWS.format(more=""), body=_BEFORE.TENANTS_AFTER),
        SecurityDefinerFunction(
            **AFTER, returns=AFTER_ROWS.format(more=", deleted_at timestamptz"), body=TENANTS_AFTER
        ),
        RemovedDefinerFunction(**ACTIVE, body=ALL_ACTIVE),
        SecurityDefinerFunction(
            **ACTIVE,
            body="SELECT id FROM tenants_tenant WHERE state = 'active' AND deleted_at IS NULL ORDER BY id",
        ),
        SecurityDefinerFunction(
            "resolve_deleted_tenant",
            arguments="wanted text",
            returns="TABLE (tenant_id uuid, deleted_at timestamptz, purge_begun_at timestamptz)",
            body=DELETED,
        ),
    ]
