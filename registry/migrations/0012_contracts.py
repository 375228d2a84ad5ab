"""Keep metadata and rule sets: once per tenant, beside the texts they belong to."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.lookups import Exact

import registry.models.columns
from accord_server.kit.migration_operations import EnableRowSecurity, TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [("registry", "0011_check_turns")]

    operations = [
        migrations.CreateModel(
            name="Contract",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.BinaryField(max_length=32)),
                ("metadata", models.JSONField(null=True)),
                ("rule_set", models.JSONField(null=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "digest"), name="registry_contract_once_per_tenant"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("metadata__isnull", False), ("rule_set__isnull", False), _connector="OR"
                        ),
                        name="registry_contract_says_something",
                    ),
                    models.CheckConstraint(
                        condition=Exact(registry.models.columns.OctetLength("digest"), 32),
                        name="registry_contract_digest_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("metadata__isnull", True),
                            Exact(registry.models.columns.JsonType("metadata"), "object"),
                            _connector="OR",
                        ),
                        name="registry_contract_metadata_object",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("rule_set__isnull", True),
                            Exact(registry.models.columns.JsonType("rule_set"), "object"),
                            _connector="OR",
                        ),
                        name="registry_contract_rule_set_object",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="schema",
            name="contract",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="schemas",
                to="registry.contract",
            ),
        ),
        EnableRowSecurity("Contract"),
        TenantForeignKey("Schema", "contract"),
        # Nothing was ever written there. The columns stay until no server of an older release inserts them.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="schema", name="metadata"),
                migrations.RemoveField(model_name="schema", name="rule_set"),
            ]
        ),
    ]
