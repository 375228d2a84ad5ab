"""Whatever is done with the platform, no log holds a secret that was used."""

from __future__ import annotations

import base64
import re
import time
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit
from uuid import uuid4

import pytest
import requests

from accord_server.kit.settings_table import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

PATIENCE_S = 60
FORM_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def settings_in(platform: Platform) -> Iterator[str]:
    """Every secret setting of the web server, and the passwords inside those that are addresses."""
    environment = platform.environment()
    for name in (row.name for row in SETTINGS if row.is_secret):
        value = environment.get(name, "")
        password = urlsplit(value).password if "://" in value else value
        if password:
            yield from {password, unquote(password)}
    owner = urlsplit(platform.owner_url()).password
    assert owner
    yield owner


def walk_with_tokens(platform: Platform) -> Iterator[str]:
    """Calls with good and bad credentials, in every form; yields what was sent."""
    hidden = uuid4().hex
    metadata = {"properties": {"pw": hidden}, "sensitive": ["pw"]}
    body = {"schema": '{"type": "record", "name": "Order", "fields": []}', "metadata": metadata}
    assert platform.call("POST", f"/subjects/{uuid4().hex}/versions", body).status_code == 200
    yield hidden
    wrong = f"{platform.token[:-6]}AAAAAA"
    basic = base64.b64encode(f"api-key:{wrong}".encode()).decode()
    malformed = f"not-base64-{uuid4().hex}"
    for header in (f"Bearer {wrong}", f"Basic {basic}", f"Basic {malformed}", f"Bearer {malformed}"):
        answer = platform.call("GET", "/subjects", headers={"Authorization": header})
        assert answer.status_code == 401, header
    yield from (platform.token, wrong, basic, malformed)
    platform.call("GET", f"/nowhere?token={wrong}")
    platform.call("POST", "/subjects/%00/versions", {"schema": hidden})


def walk_with_webhooks(platform: Platform) -> Iterator[str]:
    """Makes a webhook and sends it something; yields its secret and what opens its address."""
    hidden = uuid4().hex
    run = platform.run
    base = f"{run['url']}/api/v1/tenants/{run['tenant']}/namespaces/{run['namespace']}"
    headers = {"Authorization": f"Bearer {platform.token}"}
    body = {"url": f"https://hooks.invalid/{hidden}"}
    made = requests.post(f"{base}/webhooks", json=body, headers=headers, timeout=PATIENCE_S).json()
    tried = requests.post(f"{base}/webhooks/{made['id']}/try", headers=headers, timeout=PATIENCE_S)
    assert tried.status_code == 202
    path = f"{base}/webhooks/{made['id']}/messages/{tried.json()['id']}"
    deadline = time.monotonic() + PATIENCE_S
    while not requests.get(path, headers=headers, timeout=PATIENCE_S).json()["tried"]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    yield from (hidden, made["secret"])


def walk_over_pages(platform: Platform) -> Iterator[str]:
    """Signs in, once wrongly; yields the passwords, the session and the marks of the forms."""
    address, admin, wrong = f"{platform.run['url']}/sign-in", platform.run["admin"], uuid4().hex
    with requests.Session() as browser:
        for password in (wrong, admin["password"]):
            found = FORM_TOKEN.search(browser.get(address, timeout=PATIENCE_S).text)
            assert found
            form = {"username": admin["username"], "password": password, "csrfmiddlewaretoken": found[1]}
            answer = browser.post(address, form, headers={"Referer": address}, timeout=PATIENCE_S)
            yield found[1]
        assert answer.status_code == 200
        assert "accord_session" in browser.cookies
        yield from (wrong, admin["password"], *map(str, browser.cookies.values()))


def test_no_log_holds_a_secret(platform: Platform) -> None:
    used = [*settings_in(platform), *walk_with_tokens(platform), *walk_with_webhooks(platform)]
    used += walk_over_pages(platform)
    logs = {
        path: path.read_text(errors="replace") for path in platform.folder.rglob("*.log*") if path.is_file()
    }
    assert {"web.log", "worker.log", "beat.log", "compiler.log"} <= {path.name for path in logs}
    assert min(map(len, used)) > 8
    assert [(path.name, secret) for path, text in logs.items() for secret in used if secret in text] == []
