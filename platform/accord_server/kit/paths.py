"""Which paths belong to machines and which to people."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from accord_server.kit.configuration import configured
from accord_server.kit.error_tables import HttpError
from accord_server.kit.settings_table import ROOT_NAMESPACE

REGISTRY_PREFIX = "/sr/"
# Where `check_path` leaves the undecoded path for resolvers that can use it; absent under Granian.
RAW_PATH = "accord.raw_path"
NATIVE_PREFIX = "/api/"
# What people read of it.
API_REFERENCE = "/api/docs"
HEALTH_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
DESCRIPTORS = "descriptors"
# First segments of the Confluent dialect, which a root namespace serves without a prefix.
ROOT_SEGMENTS = frozenset(
    {
        "subjects",
        "schemas",
        "compatibility",
        "config",
        "mode",
        "contexts",
        "associations",
        DESCRIPTORS,
        "v1",
        "openapi.json",
    }
)


def is_machine_path(path: str) -> bool:
    """Tell whether only programs call this path: no session, no form, no page."""
    return (
        path.startswith(REGISTRY_PREFIX) or is_native_path(path) or path in HEALTH_PATHS or is_root_path(path)
    )


def is_native_path(path: str) -> bool:
    """Tell whether a path is for programs of the native API: all but its reference."""
    return (
        path.startswith(NATIVE_PREFIX) and path != API_REFERENCE and not path.startswith(f"{API_REFERENCE}/")
    )


def is_root_path(path: str) -> bool:
    """Tell whether the root namespace serves this path."""
    first = path.removeprefix("/").partition("/")[0]
    return first in ROOT_SEGMENTS and configured(ROOT_NAMESPACE) is not None


def is_descriptor_path(path: str) -> bool:
    """Tell whether a path belongs to the dialect of descriptor sets, in which bodies may be longer."""
    if is_root_path(path):
        return path.removeprefix("/").partition("/")[0] == DESCRIPTORS
    parts = path.split("/", 5)
    return path.startswith(REGISTRY_PREFIX) and parts[4:5] == [DESCRIPTORS]


def check_path(environ: dict[str, Any]) -> None:
    """Refuse a path that is not text, and note its undecoded form where the server tells it.

    Raises:
        HttpError: 400.
    """
    decoded = str(environ.get("PATH_INFO", "")).encode("latin-1")
    try:
        decoded.decode("utf-8")
    except UnicodeDecodeError:
        raise HttpError(400, "The path is not valid UTF-8.") from None
    raw = _raw_path(environ)
    # A proxy or server that rewrote one and not the other must not make two readings of a path.
    if raw is not None and unquote_to_bytes(raw) == decoded:
        environ[RAW_PATH] = raw


def _raw_path(environ: dict[str, Any]) -> str | None:
    """Return the path as it was sent, percent signs included."""
    target = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    if not isinstance(target, str):
        return None
    path = target if target.startswith("/") else urlsplit(target).path
    return path.partition("?")[0].removeprefix(str(environ.get("SCRIPT_NAME", "")))
