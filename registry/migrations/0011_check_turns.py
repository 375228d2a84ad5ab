"""Let a check be cancelled, keep what it found, and say whose turn it is among the tenants."""

from django.db import migrations, models

from accord_server.kit.migration_operations import RemovedDefinerFunction, SecurityDefinerFunction

STATES = ("queued", "running", "done", "failed", "cancelled")
OVER = ("done", "failed", "cancelled")
# Fewest under way first, then whoever was served longest ago: a tenant with a hundred checks waits for
# one with its first.
IN_TURN = """
    SELECT waiting.tenant_id
    FROM registry_checkrun AS waiting
    WHERE waiting.state IN ('queued', 'running')
    GROUP BY waiting.tenant_id
    HAVING bool_or(waiting.leased_until <= moment)
    ORDER BY count(*) FILTER (WHERE waiting.leased_until > moment), (
        SELECT ended.leased_until FROM registry_checkrun AS ended
        WHERE ended.tenant_id = waiting.tenant_id AND ended.state IN ('done', 'failed', 'cancelled')
        ORDER BY ended.leased_until DESC LIMIT 1
    ) NULLS FIRST, min(waiting.leased_until)
"""


class Migration(migrations.Migration):
    dependencies = [("registry", "0010_binding_changes")]

    operations = [
        migrations.AddField("checkrun", "found", models.JSONField(default=list)),
        migrations.AlterField(
            "checkrun",
            "state",
            models.CharField(
                choices=[(state, state.title()) for state in STATES], default="queued", max_length=9
            ),
        ),
        migrations.RemoveConstraint("checkrun", "registry_check_state_known"),
        migrations.AddConstraint(
            "checkrun",
            models.CheckConstraint(
                condition=models.Q(state__in=list(STATES)), name="registry_check_state_known"
            ),
        ),
        migrations.RemoveIndex("checkrun", "registry_check_over"),
        migrations.AddIndex(
            "checkrun",
            models.Index(
                condition=models.Q(state__in=OVER),
                fields=["tenant", "leased_until"],
                name="registry_check_over",
            ),
        ),
        RemovedDefinerFunction(
            "registry_tenants_with_old_checks",
            arguments="before timestamptz",
            returns="SETOF uuid",
            body=(
                "SELECT DISTINCT tenant_id FROM registry_checkrun"
                " WHERE state IN ('done', 'failed') AND leased_until < before"
            ),
        ),
        SecurityDefinerFunction(
            "registry_tenants_with_old_checks",
            arguments="before timestamptz",
            returns="SETOF uuid",
            body=(
                "SELECT DISTINCT tenant_id FROM registry_checkrun"
                " WHERE state IN ('done', 'failed', 'cancelled') AND leased_until < before"
            ),
        ),
        SecurityDefinerFunction(
            "registry_check_turns",
            arguments="moment timestamptz",
            returns="SETOF uuid",
            body=IN_TURN,
        ),
    ]
