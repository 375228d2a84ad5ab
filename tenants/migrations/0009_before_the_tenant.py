"""What is asked before the tenant is known learns of custom roles, token rules, deleted namespaces and more."""

from importlib import import_module

from django.db import migrations

from accord_server.kit.migration_operations import RemovedDefinerFunction, SecurityDefinerFunction

_FIRST = import_module("tenants.migrations.0002_before_the_tenant")
_ANONYMOUS = import_module("tenants.migrations.0004_anonymous_grants")

# What a token may exceed no longer counts, and bindings of custom roles bring their rights along.
BY_KEY_ID = (
    _FIRST.BY_KEY_ID.replace("not_before, expires_at\n", "not_before, expires_at, grants, conditions\n")
    .replace("older.expires_at\n", "older.expires_at, older.grants, older.conditions\n")
    .replace(
        "tenant.state = 'active' AND (SELECT is_alive FROM life)",
        "tenant.state = 'active' AND (SELECT is_alive FROM life)"
        " AND token.expires_at - token.not_before <= make_interval(days => tenant.token_lifetime_days)",
    )
    .replace("'subjects', held.subjects)", "'subjects', held.subjects, 'rights', custom.rights)")
    .replace(
        "FROM tenants_rolebinding held",
        "FROM tenants_rolebinding held LEFT JOIN tenants_customrole custom"
        " ON custom.tenant_id = held.tenant_id AND custom.name = held.role",
    )
    .replace(
        "held.service_account_id = token.service_account_id))",
        "held.service_account_id = token.service_account_id)), tenant.token_forbidden,"
        " (SELECT jsonb_agg(line.grants) FROM line), (SELECT jsonb_agg(line.conditions) FROM line)",
    )
)

BY_SLUGS = """
SELECT tenant.id, tenant.state = 'active', namespace.id, coalesce(namespace.format, '')::text
FROM tenants_tenant tenant
LEFT JOIN tenants_namespace namespace
    ON namespace.tenant_id = tenant.id AND namespace.slug = wanted_namespace AND namespace.deleted_at IS NULL
WHERE tenant.slug = wanted_tenant
"""

ANONYMOUS_BY_SLUGS = """
SELECT tenant.id, namespace.id, held.access::text, held.subjects, namespace.format::text
FROM tenants_tenant tenant
JOIN tenants_namespace namespace ON namespace.tenant_id = tenant.id AND namespace.slug = wanted_namespace
JOIN tenants_anonymousgrant held ON held.tenant_id = tenant.id AND held.namespace_id = namespace.id
WHERE tenant.slug = wanted_tenant AND tenant.state = 'active' AND namespace.deleted_at IS NULL
"""

BY_DIGEST = """
SELECT tenant.id, tenant.slug::text, invitation.id
FROM tenants_invitation invitation
JOIN tenants_tenant tenant ON tenant.id = invitation.tenant_id
WHERE invitation.digest = wanted AND tenant.state = 'active'
"""

TENANTS_AFTER = """
SELECT id, slug::text, name::text, state::text, created_at
FROM tenants_tenant
WHERE slug > after AND (wanted_state = '' OR state = wanted_state)
ORDER BY slug LIMIT most
"""

BY_KEY_ID_ROWS = (
    "TABLE (token_id bigint, tenant_id uuid, tenant_slug text, kind text, owner_kind text,"
    " owner_name text, is_alive boolean, lives_for interval, is_counted boolean, grants jsonb,"
    " conditions jsonb, secrets jsonb, bindings jsonb{more})"
)
WANTED_TOKEN = {"name": "resolve_token", "arguments": "wanted text"}
PLACE = {"name": "resolve_namespace", "arguments": "wanted_tenant text, wanted_namespace text"}
ANONYMOUS = {"name": "resolve_anonymous", "arguments": "wanted_tenant text, wanted_namespace text"}
BY_SLUGS_ROWS = "TABLE (tenant_id uuid, is_active boolean, namespace_id uuid{more})"
ANONYMOUS_ROWS = "TABLE (tenant_id uuid, namespace_id uuid, access text, subjects jsonb{more})"


class Migration(migrations.Migration):
    dependencies = [("tenants", "0008_operator_tokens")]

    operations = [
        RemovedDefinerFunction(**WANTED_TOKEN, returns=BY_KEY_ID_ROWS.format(more=""), body=_FIRST.BY_KEY_ID),
        SecurityDefinerFunction(
            **WANTED_TOKEN,
            returns=BY_KEY_ID_ROWS.format(more=", forbidden jsonb, line_grants jsonb, line_conditions jsonb"),
            body=BY_KEY_ID,
        ),
        RemovedDefinerFunction(**PLACE, returns=BY_SLUGS_ROWS.format(more=""), body=_FIRST.BY_SLUGS),
        SecurityDefinerFunction(**PLACE, returns=BY_SLUGS_ROWS.format(more=", format text"), body=BY_SLUGS),
        RemovedDefinerFunction(**ANONYMOUS, returns=ANONYMOUS_ROWS.format(more=""), body=_ANONYMOUS.BY_SLUGS),
        SecurityDefinerFunction(
            **ANONYMOUS, returns=ANONYMOUS_ROWS.format(more=", format text"), body=ANONYMOUS_BY_SLUGS
        ),
        SecurityDefinerFunction(
            "resolve_invitation",
            arguments="wanted bytea",
            returns="TABLE (tenant_id uuid, tenant_slug text, invitation_id uuid)",
            body=BY_DIGEST,
        ),
        SecurityDefinerFunction(
            "tenants_after",
            arguments="after text, wanted_state text, most integer",
            returns="TABLE (tenant_id uuid, slug text, name text, state text, created_at timestamptz)",
            body=TENANTS_AFTER,
        ),
        SecurityDefinerFunction(
            "accord_active_tenants",
            arguments="",
            returns="SETOF uuid",
            body="SELECT id FROM tenants_tenant WHERE state = 'active' ORDER BY id",
        ),
    ]
