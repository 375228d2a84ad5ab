"""A webhook that is deleted while a worker notes what came of a message to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord_server.kit import tenancy
from registry.models import Webhook, WebhookAttempt, WebhookMessage
from registry.services.webhooks import create_webhook, delete_webhook, try_webhook
from registry.webhook_records import WebhookDetails
from tests.registry.threads import interrupted

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


@pytest.mark.django_db(transaction=True)
def test_a_webhook_goes_with_what_is_written_of_it_meanwhile(scope: Scope) -> None:
    webhook, _ = create_webhook(scope, WebhookDetails(url="https://hooks.example.org/"))
    try_webhook(scope, webhook.id)
    message = WebhookMessage.objects.scoped(scope).get()

    def note() -> None:
        WebhookAttempt.objects.insert(scope, message=message, number=1, status=500)

    def delete() -> None:
        delete_webhook(scope, webhook.id, expected=None)

    interrupted(scope, delete, after="registry_webhookattempt", by=note)
    tenancy.activate(scope.tenant.id)
    kinds = (Webhook, WebhookMessage, WebhookAttempt)
    assert [kind.objects.scoped(scope).count() for kind in kinds] == [0, 0, 0]
