"""What must be asked before the tenant is known runs as the owner of the tables, one question each."""

from django.db import migrations

from accord_server.kit.migration_operations import SecurityDefinerFunction

# A token is alive while its tenant is active, and it and all it descends from are active, within their
# times and of active owners. PostgreSQL's clock decides, so all processes agree.
BY_KEY_ID = """
WITH RECURSIVE line AS (
    SELECT id, tenant_id, parent_id, member_id, service_account_id, state, not_before, expires_at
    FROM tenants_token WHERE key_id = wanted
    UNION ALL
    SELECT older.id, older.tenant_id, older.parent_id, older.member_id, older.service_account_id,
        older.state, older.not_before, older.expires_at
    FROM tenants_token older JOIN line ON older.tenant_id = line.tenant_id AND older.id = line.parent_id
),
life AS (
    SELECT
        bool_and(
            line.state = 'active' AND line.not_before <= now() AND now() < line.expires_at
            AND coalesce(member.is_active AND person.is_active, account.is_active, false)) AS is_alive,
        min(line.expires_at) AS ends_at
    FROM line
    LEFT JOIN tenants_member member ON member.tenant_id = line.tenant_id AND member.id = line.member_id
    LEFT JOIN auth_user person ON person.id = member.user_id
    LEFT JOIN tenants_serviceaccount account
        ON account.tenant_id = line.tenant_id AND account.id = line.service_account_id
)
SELECT
    token.id,
    tenant.id,
    tenant.slug::text,
    token.kind::text,
    CASE WHEN member.id IS NULL THEN 'service' ELSE 'person' END,
    coalesce(person.username, account.slug)::text,
    tenant.state = 'active' AND (SELECT is_alive FROM life),
    (SELECT ends_at FROM life) - now(),
    token.max_uses IS NOT NULL,
    token.grants,
    token.conditions,
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'slot', secret.slot,
            'digest', encode(secret.digest, 'hex'),
            'pepper_version', secret.pepper_version)), '[]')
     FROM tenants_tokensecret secret
     WHERE secret.tenant_id = token.tenant_id AND secret.token_id = token.id
       AND (secret.expires_at IS NULL OR secret.expires_at > now())),
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'role', held.role,
            'namespace', held.namespace_id,
            'subjects', held.subjects)), '[]')
     FROM tenants_rolebinding held
     WHERE held.tenant_id = token.tenant_id
       AND (held.member_id = token.member_id OR held.service_account_id = token.service_account_id))
FROM tenants_token token
JOIN tenants_tenant tenant ON tenant.id = token.tenant_id
LEFT JOIN tenants_member member ON member.tenant_id = token.tenant_id AND member.id = token.member_id
LEFT JOIN auth_user person ON person.id = member.user_id
LEFT JOIN tenants_serviceaccount account
    ON account.tenant_id = token.tenant_id AND account.id = token.service_account_id
WHERE token.key_id = wanted
"""

BY_SLUGS = """
SELECT tenant.id, tenant.state = 'active', namespace.id
FROM tenants_tenant tenant
LEFT JOIN tenants_namespace namespace
    ON namespace.tenant_id = tenant.id AND namespace.slug = wanted_namespace
WHERE tenant.slug = wanted_tenant
"""

TENANTS_OF_USER = """
SELECT tenant.id, tenant.slug::text, tenant.name::text
FROM tenants_member member
JOIN tenants_tenant tenant ON tenant.id = member.tenant_id
WHERE member.user_id = wanted AND member.is_active AND tenant.state = 'active'
ORDER BY tenant.slug
"""


class Migration(migrations.Migration):
    dependencies = (("tenants", "0001_initial"),)

    operations = (
        SecurityDefinerFunction(
            "resolve_token",
            arguments="wanted text",
            returns="TABLE (token_id bigint, tenant_id uuid, tenant_slug text, kind text, owner_kind text,"
            " owner_name text, is_alive boolean, lives_for interval, is_counted boolean, grants jsonb,"
            " conditions jsonb, secrets jsonb, bindings jsonb)",
            body=BY_KEY_ID,
        ),
        SecurityDefinerFunction(
            "resolve_namespace",
            arguments="wanted_tenant text, wanted_namespace text",
            returns="TABLE (tenant_id uuid, is_active boolean, namespace_id uuid)",
            body=BY_SLUGS,
        ),
        SecurityDefinerFunction(
            "tenants_of_user",
            arguments="wanted integer",
            returns="TABLE (tenant_id uuid, slug text, name text)",
            body=TENANTS_OF_USER,
        ),
    )
