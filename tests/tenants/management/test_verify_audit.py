"""Verifying the audit log on the installation's command line, and the tasks that keep it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from accord_server.celery import SCHEDULE
from tenants import tasks
from tenants.principals import operator_scope
from tests.tenants.audit_log import change_behind, sealed, write

if TYPE_CHECKING:
    from tests.cast import Actor

pytestmark = pytest.mark.django_db(transaction=True)


def run(*words: str) -> list[str]:
    output = io.StringIO()
    call_command("verify_audit", "north", *words, stdout=output)
    return output.getvalue().splitlines()


def test_what_waits_is_sealed_and_a_broken_log_is_an_error(alice: Actor) -> None:
    scope = operator_scope(alice.tenant.ref)
    count = len(write(scope, "a", "b"))
    first, good, checkpoint = run()
    assert (first, good) == (f"sealed: {count} records", f"good: {count} records")
    assert run("--checkpoint", checkpoint.removeprefix("checkpoint: "))[1] == "good: 0 records"
    victim = sealed(scope)[-1]
    change_behind("UPDATE tenants_auditrecord SET outcome = 'denied' WHERE id = %s", victim)
    with pytest.raises(CommandError, match=f"altered, record {victim}, seal 1"):
        run()


def test_beat_seals_soon_and_keeps_the_months(alice: Actor) -> None:
    written = write(operator_scope(alice.tenant.ref), "a")
    assert tasks.seal_audit() == len(written)
    assert tasks.keep_audit_months() == 0
    seconds = {row.task: row.seconds for row in SCHEDULE}
    assert seconds["tenants.seal_audit"] <= 10
    assert seconds["tenants.keep_audit_months"] <= 86_400
