"""What is refused about webhooks."""

from __future__ import annotations

from accord.errors import Conflict, Invalid, NotFound, error


@error
class WebhookNotFound(NotFound):
    """No such webhook in this namespace."""

    code = "webhook_not_found"
    template = "Webhook {webhook} not found"
    webhook: str


@error
class MessageNotFound(NotFound):
    """No such message to this webhook, or none any more."""

    code = "webhook_message_not_found"
    template = "Message {number} not found; messages are kept for {days} days"
    number: int
    days: int


@error
class WebhookInvalid(Invalid):
    """A webhook that nobody could have so."""

    code = "webhook_invalid"
    template = "The webhook cannot be stored: {details}"
    details: str


@error
class WebhookLimitReached(Conflict):
    """As many webhooks as a namespace may have."""

    code = "webhook_limit_reached"
    template = "The namespace has {limit} webhooks, and cannot have more; delete one that nobody needs."
    limit: int


@error
class WebhookChanged(Conflict):
    """A webhook was changed since the caller read it."""

    code = "webhook_changed"
    template = "Webhook {webhook} is at revision {revision} now; read it again and repeat the change."
    webhook: str
    revision: int


@error
class MessageUnderWay(Conflict):
    """A message that is asked for again while it is still to be delivered."""

    code = "webhook_message_under_way"
    template = "Message {number} is still to be delivered, next at {due}; wait for that."
    number: int
    due: str
