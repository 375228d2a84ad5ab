"""Object permissions derived from roles are seen by the tenant whose objects they are about, and no other."""

from django.db import migrations

from accord_server.kit.migration_operations import GrantTables

RULE = (
    "object_pk = nullif(current_setting('accord.tenant', true), '')"
    " OR object_pk IN (SELECT id::text FROM tenants_namespace)"
)


class Migration(migrations.Migration):
    dependencies = [
        ("tenants", "0009_before_the_tenant"),
        ("guardian", "0003_remove_groupobjectpermission_guardian_gr_content_ae6aec_idx_and_more"),
    ]

    operations = [
        GrantTables("guardian"),
        migrations.RunSQL(
            "ALTER TABLE guardian_userobjectpermission ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE guardian_userobjectpermission DISABLE ROW LEVEL SECURITY",
        ),
        migrations.RunSQL(
            f"CREATE POLICY accord_tenant ON guardian_userobjectpermission USING ({RULE}) WITH CHECK ({RULE})",
            "DROP POLICY accord_tenant ON guardian_userobjectpermission",
        ),
    ]
