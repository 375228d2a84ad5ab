"""Count subjects, versions and what is stored of them towards the quotas of their tenants."""

from django.db import migrations

from tenants.counting import CountRows


class Migration(migrations.Migration):
    dependencies = [("registry", "0022_field_entries"), ("tenants", "0015_quotas")]

    operations = [
        CountRows("Subject", resource="subjects", measure="count(*)"),
        CountRows("Version", resource="versions", measure="count(*)"),
        CountRows("ModuleVersion", resource="versions", measure="count(*)"),
        CountRows("Content", resource="stored_bytes", measure="sum(octet_length(text))"),
        CountRows(
            "Contract",
            resource="stored_bytes",
            measure="sum(coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(rule_set::text), 0))",
            changes=True,
        ),
        CountRows("ProtoFile", resource="stored_bytes", measure="sum(octet_length(descriptor))"),
        CountRows(
            "ProtoNote",
            resource="stored_bytes",
            measure="sum(octet_length(text) + octet_length(source_info))",
        ),
    ]
