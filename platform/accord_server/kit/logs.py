"""Log lines with the ids of request and tenant, and without credentials.

Granian's own lines take this form too, by `granian-logs.json` beside the settings; so nothing here needs
Django.
"""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime

from accord_server.kit import request_id

HIDDEN = "[hidden]"
# What must never be read in a log: passwords in URLs, authorisation headers, tokens of the platform, and
# values whose name says what they are. What a pattern calls `kept` stays.
SECRETS = (
    re.compile(r"(?P<kept>://)[^/\s:]*:[^/\s]+(?=@)"),
    re.compile(r"(?i)(?P<kept>)\b(?:bearer|basic)\s+[A-Za-z0-9+/=._~-]{8,}"),
    re.compile(
        r"(?i)(?P<kept>\b[a-z_]*(?:password|passwd|secret|pepper|cookie|session|csrf)[a-z_]*=)[^\s&;'\"]+"
    ),
    re.compile(
        r"""(?i)(?P<kept>["'][a-z_-]*(?:password|passwd|secret|pepper|cookie|authorization|csrf)[a-z_-]*["']"""
        r"""\s*:\s*b?["'])[^"']+"""
    ),
    # The path of a link by which somebody chooses a new password.
    re.compile(r"(?P<kept>/new-password/)[^/\s\"'?]+"),
    re.compile(r"(?P<kept>)\b[a-z]{3}[psco]_[0-9A-Za-z]{40,}"),
)

# The tenant that is served at the moment, for the lines written meanwhile.
tenant: ContextVar[str] = ContextVar("accord_log_tenant", default="")


def without_secrets(text: str) -> str:
    """Return the text with everything that looks like a credential hidden."""
    for pattern in SECRETS:
        text = pattern.sub(rf"\g<kept>{HIDDEN}", text)
    return text


class JsonFormatter(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record as JSON."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        context = {"request_id": request_id.current.get(), "tenant_id": tenant.get()}
        line |= {name: value for name, value in context.items() if value}
        # What a line is about, such as the answer that it tells of, as members of their own.
        line |= {name: _told(value) for name, value in getattr(record, "facts", {}).items()}
        if record.exc_info:
            line["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def _told(value: object) -> object:
    return without_secrets(value) if isinstance(value, str) else value


class TextFormatter(logging.Formatter):
    """Lines for people."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        """Write the record as text."""
        known = request_id.current.get()
        return without_secrets(super().format(record)) + (f" [{known}]" if known else "")
