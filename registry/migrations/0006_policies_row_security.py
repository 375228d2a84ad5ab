"""Keep each tenant's policies to itself; their versions are written once and never changed."""

from django.db import migrations

from accord_server.kit.migration_operations import EnableRowSecurity, TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [("registry", "0005_policies")]

    operations = [
        EnableRowSecurity("Policy"),
        EnableRowSecurity("PolicyVersion", is_insert_only=True),
        EnableRowSecurity("PolicyBinding"),
        TenantForeignKey("PolicyVersion", "policy"),
        TenantForeignKey("PolicyBinding", "policy"),
        TenantForeignKey("PolicyBinding", "namespace"),
    ]
