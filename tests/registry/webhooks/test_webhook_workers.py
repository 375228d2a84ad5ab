"""A real worker sends what happened, soon and without being asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.registry.client import Registry, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.processes import RunningProcess
    from tests.registry.policies.asking import Native
    from tests.registry.webhooks.receiving import Receiver

PATIENCE_S = 60
WEBHOOKS = "/api/v1/tenants/north/namespaces/default/webhooks"


@pytest.mark.django_db(transaction=True)
def test_a_worker_tells_what_was_registered(
    celery_worker_process: Callable[..., RunningProcess], receiver: Receiver, native: Native, api: Registry
) -> None:
    receiver.answers = [500, 200]
    celery_worker_process(ACCORD_WEBHOOK_NETWORKS="127.0.0.0/8")
    webhook = native.ok("POST", WEBHOOKS, {"url": receiver.url})
    api.registered("orders", record("a"))
    deadline = time.monotonic() + PATIENCE_S
    while len(receiver.received) < 2:  # at once, and after the first pause
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert all(one.is_signed_by(webhook["secret"]) for one in receiver.received)
    assert len({one.headers["webhook-id"] for one in receiver.received}) == 1
