"""Which paths belong to machines and which to people."""

from __future__ import annotations

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import ROOT_NAMESPACE

REGISTRY_PREFIX = "/sr/"
NATIVE_PREFIX = "/api/"
HEALTH_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
# First segments of the Confluent dialect, which a root namespace serves without a prefix.
ROOT_SEGMENTS = frozenset(
    {"subjects", "schemas", "compatibility", "config", "mode", "contexts", "associations", "v1"}
)


def is_machine_path(path: str) -> bool:
    """Tell whether only programs call this path: no session, no form, no page."""
    return path.startswith((REGISTRY_PREFIX, NATIVE_PREFIX)) or path in HEALTH_PATHS or is_root_path(path)


def is_root_path(path: str) -> bool:
    """Tell whether the root namespace serves this path."""
    first = path.removeprefix("/").partition("/")[0]
    return first in ROOT_SEGMENTS and configured(ROOT_NAMESPACE) is not None
