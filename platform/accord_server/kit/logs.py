"""Log lines with the request's id and without credentials."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

from accord_server.kit import request_id

HIDDEN = "[hidden]"
# What must never be read in a log: passwords in URLs, authorisation headers, tokens of the platform.
SECRETS = (
    re.compile(r"(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"),
    re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9+/=._~-]{8,}"),
    re.compile(r"(?i)(?<=password=)[^\s&'\"]+"),
    re.compile(r"\b[a-z]{3}[psco]_[0-9A-Za-z]{40,}"),
)


def without_secrets(text: str) -> str:
    """Return the text with everything that looks like a credential hidden."""
    for pattern in SECRETS:
        text = pattern.sub(HIDDEN, text)
    return text


class JsonFormatter(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record as JSON."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        if request_id.current.get():
            line["request_id"] = request_id.current.get()
        if record.exc_info:
            line["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    """Lines for people."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        """Write the record as text."""
        known = request_id.current.get()
        return without_secrets(super().format(record)) + (f" [{known}]" if known else "")
