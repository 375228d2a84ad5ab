"""The signature check that the manual shows to receivers, on messages of a real webhook."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from registry.tasks import send_webhooks
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from tests.registry.webhooks.receiving import Receiver

PAGE = Path(__file__).parents[3] / "docs/how-to/webhooks.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.django_db
def test_the_check_in_the_manual_believes_what_was_sent_and_nothing_else(
    native: Native, receiver: Receiver
) -> None:
    shown: dict[str, Any] = {}
    exec(BLOCK.findall(PAGE.read_text())[0], shown)  # noqa: S102  # the page's own text
    is_genuine = shown["is_genuine"]
    webhook = native.ok("POST", f"{NAMESPACE}/webhooks", {"url": receiver.url})
    other = native.ok("POST", f"{NAMESPACE}/webhooks", {"url": receiver.url})
    native.ok("POST", f"{NAMESPACE}/webhooks/{webhook['id']}/try")
    send_webhooks()
    (told,) = receiver.received
    secret, headers, body = webhook["secret"], told.headers, told.body
    assert is_genuine(secret, headers, body)
    assert told.is_signed_by(secret)
    assert not is_genuine(other["secret"], headers, body)
    assert not is_genuine(secret, headers, body + b" ")
    assert not is_genuine(secret, {**headers, "webhook-id": "msg_0"}, body)
    later = str(int(headers["webhook-timestamp"]) + 1)
    assert not is_genuine(secret, {**headers, "webhook-timestamp": later}, body)
    old = str(int(headers["webhook-timestamp"]) - 3600)
    assert not is_genuine(secret, {**headers, "webhook-timestamp": old}, body)
