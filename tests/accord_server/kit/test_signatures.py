"""Signatures of webhooks: as the specification's own example says, and never of another receiver's secret."""

from __future__ import annotations

import base64
import hmac
from typing import TYPE_CHECKING
from uuid import uuid4

from accord_server.kit.signatures import secret_of, signed

if TYPE_CHECKING:
    from pytest_django import Settings

PEPPER = "0123456789-abcdefghijklmnopqrstuvwxyz"


def test_a_receiver_can_check_what_it_gets() -> None:
    secret, body = secret_of(uuid4(), 1), b'{"type": "version.registered"}'
    headers = signed([secret], message="msg_1", moment=1_700_000_000, body=body)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = b"msg_1.1700000000." + body
    expected = base64.b64encode(hmac.digest(key, content, "sha256")).decode()
    assert headers == {
        "webhook-id": "msg_1",
        "webhook-timestamp": "1700000000",
        "webhook-signature": f"v1,{expected}",
    }


def test_a_rolled_secret_signs_beside_the_new_one() -> None:
    receiver = uuid4()
    both = [secret_of(receiver, 2), secret_of(receiver, 1)]
    headers = signed(both, message="m", moment=1, body=b"")
    alone = [signed([one], message="m", moment=1, body=b"")["webhook-signature"] for one in both]
    assert headers["webhook-signature"].split(" ") == alone


def test_secrets_differ_and_outlive_a_new_pepper(settings: Settings) -> None:
    first, second = uuid4(), uuid4()
    settings.ACCORD_TOKEN_PEPPER = PEPPER
    before = secret_of(first, 1)
    assert len({before, secret_of(first, 2), secret_of(second, 1)}) == 3
    assert len(base64.b64decode(before.removeprefix("whsec_"))) == 32
    settings.ACCORD_TOKEN_PEPPER = f"{PEPPER},{PEPPER[::-1]}"
    assert secret_of(first, 1) == before
