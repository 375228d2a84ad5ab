"""The peppers of token digests: several may be set, so that one can be replaced."""

from __future__ import annotations

from accord_server.kit.configuration import configured
from accord_server.kit.setting_types import BETWEEN_SECRETS
from accord_server.kit.settings_table import TOKEN_PEPPER


class NoPepper(Exception):
    """A digest was to be made and no pepper is set: the installation is at fault, and none is made."""


def current() -> tuple[int, str]:
    """Return version and pepper of new digests: the last of those set, counted from one.

    Raises:
        NoPepper: None is set.
    """
    version = len(_peppers())
    value = pepper(version)
    if value is None:
        raise NoPepper(f"{TOKEN_PEPPER.name} is not set, or ends in a comma")
    return version, value


def pepper(version: int) -> str | None:
    """Return the pepper of a version, or None when it has been taken away and its tokens with it."""
    peppers = _peppers()
    return (peppers[version - 1] or None) if 0 < version <= len(peppers) else None


def _peppers() -> list[str]:
    return configured(TOKEN_PEPPER).split(BETWEEN_SECRETS)
