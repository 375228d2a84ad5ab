"""Questions to the platform over HTTP: is it ready, does the demo token still open it."""

from __future__ import annotations

import http.client
from typing import Final
from urllib.parse import urlsplit

TIMEOUT_S: Final = 5.0
OK: Final = 200


def status(url: str, *, token: str | None = None) -> int | None:
    """Return the status of a GET; None where nobody answers."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_S)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        connection.request("GET", parts.path, headers=headers)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def is_ready(url: str) -> bool:
    """Tell whether the platform says that it can serve."""
    return status(f"{url}/readyz") == OK


def opens(registry_url: str, token: str) -> bool:
    """Tell whether the token still opens the registry."""
    return status(f"{registry_url}/subjects", token=token) == OK
