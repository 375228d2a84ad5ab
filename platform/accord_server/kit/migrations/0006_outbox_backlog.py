"""Let collectors of metrics learn how much waits in the outbox, of all tenants together."""

from __future__ import annotations

from django.db import migrations, models

from accord_server.kit.migration_operations import SecurityDefinerFunction


class Migration(migrations.Migration):
    dependencies = (("kit", "0005_kept_answers"),)

    operations = (
        # What is pending and what is dead is little beside what is done: both have an index of their own.
        migrations.AddIndex(
            "Outbox",
            models.Index(
                fields=["tenant", "id"], condition=models.Q(("state", "dead")), name="kit_outbox_dead"
            ),
        ),
        SecurityDefinerFunction(
            "accord_outbox_backlog",
            arguments="",
            returns="TABLE (pending bigint, dead bigint, lag_seconds double precision)",
            body="""
                SELECT (SELECT count(*) FROM kit_outbox WHERE state = 'pending'),
                       (SELECT count(*) FROM kit_outbox WHERE state = 'dead'),
                       greatest(0, extract(epoch FROM now() - (
                           SELECT min(due_at) FROM kit_outbox WHERE state = 'pending'
                       )))::double precision
            """,
        ),
    )
