"""The variables that the processes of a run get."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from accord_server.dev import stores
from accord_server.dev.places import COMPILER, compiler_socket
from accord_server.dev.secret_files import secrets_in
from accord_server.dev.state import PROJECT, VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord_server.dev.state import State
    from accord_server.dev.stores import Stores

SECRETS: Final = ("ACCORD_SECRET_KEY", "ACCORD_TOKEN_PEPPER", "ACCORD_METADATA_KEY")
# For this program alone; a setting the platform does not know would be reported as a slip.
OURS: Final = (VARIABLE, "PORT", "RESET", "ARGS", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")

PREFIX: Final = "ACCORD_"
FIXED: Final = {
    "DJANGO_SETTINGS_MODULE": "accord_server.settings",
    "PYTHONPATH": os.pathsep.join((str(PROJECT), str(PROJECT / "platform"))),
    "PYTHONUNBUFFERED": "1",
}


def for_serving(state: State, addresses: Stores, url: str) -> dict[str, str]:
    """Return the environment of web, worker and schedule: the owner's address is not in it."""
    defaults = {
        **secrets_in(state.secrets, SECRETS),
        "ACCORD_PUBLIC_URL": url,
        COMPILER: compiler_socket(state.folder),
        "ACCORD_METRICS_FOLDER": str(state.folder / "metrics"),
        "ACCORD_LOG_FORMAT": "text",
    }
    taken = {name: value for name, value in defaults.items() if not stores.given(name)}
    own = _inherited() | taken | FIXED
    return own | {stores.DATABASE: addresses.app_url, stores.REDIS: addresses.redis_url}


def for_commands(serving: dict[str, str], addresses: Stores) -> dict[str, str]:
    """Return the environment of management commands, which may change tables."""
    return serving | {stores.OWNER: addresses.owner_url}


def settings_of(serving: Mapping[str, str]) -> dict[str, str]:
    """Return the settings among the variables of the serving processes, to be kept while they run."""
    return {name: value for name, value in serving.items() if name.startswith(PREFIX)}


def for_manage(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a command that the operator runs beside the serving processes."""
    foreign = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    own = {name: value for name, value in foreign.items() if name not in OURS}
    return {**own, **FIXED, **settings}


def _inherited() -> dict[str, str]:
    """Return our own variables without those that are replaced, in both of their forms."""
    replaced = {stores.DATABASE, stores.OWNER, stores.REDIS}
    dropped = {*OURS, *replaced, *(f"{name}_FILE" for name in replaced)}
    return {name: value for name, value in os.environ.items() if name not in dropped}
