"""Which calls read an immutable row, and everything their answers depend on beside the caller.

In doubt none: such calls are answered as all others are.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from accord_server.kit.configuration import configured
from accord_server.kit.hot_path import Reading
from accord_server.kit.paths import RAW_PATH, REGISTRY_PREFIX
from accord_server.kit.settings_table import ROOT_NAMESPACE
from registry.api.confluent.negotiation import answer_type
from registry.api.confluent.urls import CLIENT_HEADER, NEW_MEMBERS_HEADER, ROUTES, takes_new_members

if TYPE_CHECKING:
    from collections.abc import Mapping

METHODS: Final = frozenset({"GET", "HEAD"})
# With one of these the answer depends on more than the row.
SPOILERS: Final = frozenset({"subject", "fetchMaxId"})
NEW_MEMBERS, CLIENT = (
    "HTTP_" + name.upper().replace("-", "_") for name in (NEW_MEMBERS_HEADER, CLIENT_HEADER)
)
# What an answer depends on by way of text; by the scheme Django decides about a header of its own.
TEXTS: Final = (
    "QUERY_STRING", "HTTP_ACCEPT", NEW_MEMBERS, CLIENT, "wsgi.url_scheme", "HTTP_X_FORWARDED_PROTO"
)  # fmt: skip
LONGEST_TEXT: Final = 250
PLACE: Final = rf"(?:{REGISTRY_PREFIX}(?P<tenant>[a-z0-9-]+)/(?P<namespace>[a-z0-9-]+))?"
# Few enough digits to be an id; one slash at the end means nothing.
PATHS: Final = tuple(
    (template, re.compile(PLACE + template.replace("{id}", "(?P<id>[0-9]{1,9})") + "/?"))
    for template in (route.template for route in ROUTES if route.is_immutable)
)

negotiated = lru_cache(maxsize=256)(answer_type)


def read(environ: Mapping[str, Any]) -> Reading | None:
    """Tell which immutable row a call reads, if any."""
    if environ["REQUEST_METHOD"] not in METHODS:
        return None
    path = environ["PATH_INFO"]
    for template, pattern in PATHS:
        found = pattern.fullmatch(path)
        # A path that was sent with signs in their place can have another reading.
        if found is not None and environ.get(RAW_PATH, path) == path:
            return _reading(environ, template, found)
    return None


def _reading(environ: Mapping[str, Any], template: str, found: re.Match[str]) -> Reading | None:
    place = _place(found)
    query, accept, members, client, *scheme = (environ.get(name) or "" for name in TEXTS)
    if place is None or any(len(text) > LONGEST_TEXT for text in (query, accept, members, client, *scheme)):
        return None
    parameters = _normalized(query)
    kind = negotiated(accept)
    if parameters is None or kind is None:
        return None
    is_new = takes_new_members(members, client)
    variant = (environ["REQUEST_METHOD"], template, parameters, kind, is_new, *scheme)
    return Reading(*place, int(found["id"]), variant)


def _place(found: re.Match[str]) -> tuple[str, str] | None:
    if found["tenant"]:
        return found["tenant"], found["namespace"]
    root = configured(ROOT_NAMESPACE)
    return None if root is None else (root.tenant, root.namespace)


def _normalized(query: str) -> tuple[tuple[str, str], ...] | None:
    """Return the parameters whatever their order, or None where they change what is answered."""
    if not query:
        return ()
    parameters = parse_qsl(query, keep_blank_values=True)
    if not query.isascii() or any(name in SPOILERS for name, _ in parameters):
        return None
    return tuple(sorted(parameters, key=lambda pair: pair[0]))
