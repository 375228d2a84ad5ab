"""Wall the registry's tables off per tenant, and tie every edge between them to the tenant."""

from django.db import migrations

from accord_server.kit.migration_operations import EnableRowSecurity, TenantForeignKey

TABLES = (
    "Content",
    "Schema",
    "Subject",
    "Version",
    "SchemaReference",
    "Counter",
    "Config",
    "Mode",
    "CheckRun",
)
IN_A_NAMESPACE = ("Schema", "Subject", "Counter", "Config", "Mode", "CheckRun")
EDGES = (
    ("Schema", "content"),
    ("Version", "subject"),
    ("Version", "schema"),
    ("SchemaReference", "schema"),
    ("SchemaReference", "target"),
)


class Migration(migrations.Migration):
    dependencies = [("registry", "0001_tables")]

    operations = [
        *(EnableRowSecurity(table) for table in TABLES),
        *(TenantForeignKey(table, "namespace") for table in IN_A_NAMESPACE),
        *(TenantForeignKey(table, field) for table, field in EDGES),
    ]
