"""Namespaces that have a host of their own, below the domain that the operator names.

Such a host serves its registry at the root, and the native interface below ``/api/``; before anything else
looks at a call it is made one to the address below ``/sr/``, so that all that counts there counts here.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

from django.http.request import split_domain_port, validate_host

from accord_server.kit.configuration import configured
from accord_server.kit.error_tables import HttpError
from accord_server.kit.paths import HEALTH_PATHS, NATIVE_PREFIX, RAW_PATH, REGISTRY_PREFIX
from accord_server.kit.setting_types import NamespaceAddress, is_slug
from accord_server.kit.settings_table import ALLOWED_HOSTS, BASE_DOMAIN, PUBLIC_URL

BETWEEN: Final = "--"
# The namespace that every tenant is born with, which needs no name in a host.
HOME: Final = "default"
UNKNOWN: Final = "Nothing is served at the host of this address; see ACCORD_ALLOWED_HOSTS."
# A host may be followed by a port, and a name by the dot of the root.
HOST: Final = re.compile(r"[A-Za-z0-9.\-_:\[\]]{1,260}")


def lead(environ: dict[str, Any]) -> None:
    """Lead a call to the host of a namespace to where that is served.

    Raises:
        HttpError: 400 for a host that nothing is served at, where there are such hosts at all.
    """
    domain = configured(BASE_DOMAIN)
    path = str(environ.get("PATH_INFO", ""))
    # Probes call a process by its address.
    if not domain or path in HEALTH_PATHS:
        return
    host, allowed = _host(str(environ.get("HTTP_HOST", ""))), configured(ALLOWED_HOSTS)
    # The platform's own hosts may lie below the domain, and the domain among those allowed.
    if host in allowed or host == urlsplit(configured(PUBLIC_URL)).hostname:
        return
    place = place_of(host, domain)
    if place is None and not validate_host(host, allowed):
        raise HttpError(400, UNKNOWN)
    if place is not None and not path.startswith(NATIVE_PREFIX):
        before = f"{REGISTRY_PREFIX}{place.tenant}/{place.namespace}"
        environ["PATH_INFO"] = before + path
        if RAW_PATH in environ:
            environ[RAW_PATH] = before + environ[RAW_PATH]


def place_of(host: str, domain: str) -> NamespaceAddress | None:
    """Return the namespace that a host, in small letters and without port, names below a domain."""
    label = host.removesuffix(f".{domain}")
    if label == host:
        return None
    named, sign, tenant = label.rpartition(BETWEEN)
    namespace = named if sign else HOME
    if not (is_slug(tenant) and is_slug(namespace)):
        return None
    return NamespaceAddress(tenant, namespace)


def _host(header: str) -> str:
    """Return the name in a Host header as hosts are compared, empty for what cannot be one."""
    if not HOST.fullmatch(header):
        return ""
    name: str = split_domain_port(header)[0]
    return name
