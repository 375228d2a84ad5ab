"""Texts and contracts whose namespace was purged are collected as files are."""

from django.db import migrations

from accord_server.kit.migration_operations import SecurityDefinerFunction

# The function of older releases stays as long as their workers may run.
UNUSED = """
SELECT registry_tenants_with_unused_files()
UNION SELECT tenant_id FROM registry_content AS content
WHERE NOT EXISTS (SELECT FROM registry_schema WHERE content_id = content.id)
UNION SELECT tenant_id FROM registry_contract AS contract
WHERE NOT EXISTS (SELECT FROM registry_schema WHERE contract_id = contract.id)
"""


class Migration(migrations.Migration):
    dependencies = [("registry", "0026_nearest_words_first")]

    operations = [
        SecurityDefinerFunction(
            "registry_tenants_with_unused_rows", arguments="", returns="SETOF uuid", body=UNUSED
        ),
    ]
