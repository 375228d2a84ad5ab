"""The peppers of token digests: several may be set, so that one can be replaced."""

from __future__ import annotations

from typing import Final

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import TOKEN_PEPPER

SEPARATOR: Final = ","


def current_version() -> int:
    """Return the version new digests are made with: the last of those set, counted from one."""
    return len(_peppers())


def pepper(version: int) -> str | None:
    """Return the pepper of a version, or None when it has been taken away and its tokens with it."""
    peppers = _peppers()
    return peppers[version - 1] if 0 < version <= len(peppers) else None


def _peppers() -> list[str]:
    return configured(TOKEN_PEPPER).split(SEPARATOR)
