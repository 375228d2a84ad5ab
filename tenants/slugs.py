"""Slugs of tenants, namespaces and service accounts: what they may look like and which are taken."""

from __future__ import annotations

import re
from typing import Final

SLUG_PATTERN: Final = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
SLUG_MIN_LENGTH: Final = 2
SLUG_MAX_LENGTH: Final = 40
DEFAULT_NAMESPACE: Final = "default"

# Words that are, or one day may be, a host label or the first part of a path of our own.
RESERVED: Final = frozenset(
    {
        "accord", "account", "admin", "api", "app", "assets", "auth", "cdn", "console", "docs", "health",
        "healthz", "help", "host", "invitation", "localhost", "login", "logout", "me", "metrics", "new",
        "none", "ns", "null", "oauth", "operator", "public", "readyz", "root", "rules", "sign-in", "sign-out",
        "sr", "static", "status", "support", "system", "tenants", "undefined", "www",
    }
)  # fmt: skip

_slug = re.compile(SLUG_PATTERN)


def is_slug(text: str) -> bool:
    """Tell whether the text has the form of a slug; ``--`` joins two of them in host names."""
    return SLUG_MIN_LENGTH <= len(text) <= SLUG_MAX_LENGTH and _slug.fullmatch(text) is not None


def is_free(text: str) -> bool:
    return text not in RESERVED
