"""The running platform as a test sees it: its run file and a few ways to call it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import psutil
import requests

from accord_server.dev import roles

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT_S = 30


@dataclass(frozen=True)
class Platform:
    """What ``.accord/run.json`` says, and calls made with its token."""

    run: dict[str, Any]
    folder: Path

    @classmethod
    def read(cls, path: Path) -> Platform:
        return cls(json.loads(path.read_text()), path.parent)

    @property
    def registry_url(self) -> str:
        return str(self.run["registry_url"])

    @property
    def token(self) -> str:
        return str(self.run["token"])

    def elsewhere(self, place: str) -> Platform:
        """Return the same platform and token at another ``tenant/namespace``."""
        return replace(self, run={**self.run, "registry_url": f"{self.run['url']}/sr/{place}"})

    def environment(self) -> dict[str, str]:
        """Return the variables of the web process."""
        return psutil.Process(self.run["pids"]["web"]).environ()

    def owner_url(self) -> str:
        """Return the address of the database for the role that sees the rows of all tenants."""
        address = urlsplit(self.environment()["ACCORD_DATABASE_URL"])
        passwords = json.loads((self.folder / "postgres" / "passwords.json").read_text())
        place = f"{roles.OWNER}:{passwords[roles.OWNER]}@{address.hostname}:{address.port}"
        return address._replace(netloc=place).geturl()

    def client_settings(self) -> dict[str, Any]:
        """Settings of the Confluent clients with Basic credentials."""
        return {"url": self.registry_url, "basic.auth.user.info": f"api-key:{self.token}"}

    def bearer_settings(self) -> dict[str, Any]:
        """Settings of the Confluent clients with a bearer token."""
        return {
            "url": self.registry_url,
            "bearer.auth.credentials.source": "STATIC_TOKEN",
            "bearer.auth.token": self.token,
            "bearer.auth.logical.cluster": "lsrc-any",
            "bearer.auth.identity.pool.id": "pool-any",
        }

    def call(self, method: str, path: str, body: object = None, **extra: Any) -> requests.Response:
        """Call the registry; ``body`` is sent as JSON."""
        headers = {"Authorization": f"Bearer {self.token}", **extra.pop("headers", {})}
        url = self.registry_url + path
        return requests.request(method, url, json=body, headers=headers, timeout=TIMEOUT_S, **extra)

    def register(self, subject: str, schema: object) -> requests.Response:
        """Register an Avro schema given as a JSON value."""
        path = f"/subjects/{quote(subject, safe='')}/versions"
        return self.call("POST", path, {"schema": json.dumps(schema)})

    def versions(self, subject: str) -> list[int]:
        """Return the live version numbers of a subject."""
        return list(self.call("GET", f"/subjects/{quote(subject, safe='')}/versions").json())
