"""System checks with stable ids: everything an operator can get wrong, each with what to do.

``accord.E…`` stop every command and the web process; ``accord.W…`` are said and passed over.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as Caution
from django.db import Error as DatabaseError
from django.db import connections

from accord_server.kit.configuration import configured
from accord_server.kit.database_roles import serving_role
from accord_server.kit.setting_types import SHORTEST_SECRET
from accord_server.kit.settings_table import (
    ALLOWED_HOSTS,
    DATABASE_URL,
    DEBUG,
    METADATA_KEY,
    OWNER_DATABASE_URL,
    PUBLIC_URL,
    SECRET_KEY,
    SETTINGS,
    TOKEN_PEPPER,
    Setting,
)
from accord_server.kit.tenancy import ALIAS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TAG = "accord"
FEWEST_CHARACTERS = 8
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


@register(TAG)
def check_secrets(**_options: Any) -> list[CheckMessage]:
    """Refuse to run without good secrets; the key for metadata may be missing, and is not made up for."""
    faults = [*_secret_faults(SECRET_KEY, "E001"), *_secret_faults(TOKEN_PEPPER, "E002")]
    if configured(METADATA_KEY):
        return [*faults, *_secret_faults(METADATA_KEY, "E009")]
    hint = f"Set {METADATA_KEY.name} before somebody registers a schema with sensitive metadata."
    return [*faults, Caution("Sensitive metadata are refused: there is no key.", hint=hint, id="accord.W002")]


def _secret_faults(setting: Setting[str], number: str) -> Iterator[CheckMessage]:
    value = configured(setting)
    if len(value) < SHORTEST_SECRET or len(set(value)) < FEWEST_CHARACTERS:
        yield Error(
            f"{setting.name} is missing or too weak.",
            hint=f"Set {setting.name} or {setting.name}_FILE to {SHORTEST_SECRET} or more random"
            ' characters, for instance from: python -c "import secrets; print(secrets.token_urlsafe(48))"',
            id=f"accord.{number}",
        )


@register(TAG)
def check_different_secrets(**_options: Any) -> list[CheckMessage]:
    """Keep the secrets apart: one leaking must not take another along."""
    faults: list[CheckMessage] = []
    if configured(SECRET_KEY) and configured(SECRET_KEY) == configured(TOKEN_PEPPER):
        hint = "Make a new value for ACCORD_SECRET_KEY; the pepper cannot change without new tokens."
        faults.append(Error("The secret key and the token pepper are the same.", hint=hint, id="accord.E003"))
    if configured(METADATA_KEY) and configured(METADATA_KEY) in {
        configured(SECRET_KEY),
        configured(TOKEN_PEPPER),
    }:
        hint = "Add another value to ACCORD_METADATA_KEY after a comma, and change the other secret."
        faults.append(Error("The metadata key is the same as another secret.", hint=hint, id="accord.E010"))
    return faults


@register(TAG)
def check_debug_is_private(**_options: Any) -> list[CheckMessage]:
    """Refuse technical error pages under a public address."""
    host = urlsplit(configured(PUBLIC_URL)).hostname
    if configured(DEBUG) and host not in LOCAL_HOSTS:
        hint = "Set ACCORD_DEBUG=false, or ACCORD_PUBLIC_URL to an address on localhost."
        return [Error("ACCORD_DEBUG is on under a public address.", hint=hint, id="accord.E004")]
    return []


@register(TAG)
def check_hosts(**_options: Any) -> list[CheckMessage]:
    """Want the public address among the hosts that are answered, and no wildcard in public."""
    hosts, public = configured(ALLOWED_HOSTS), urlsplit(configured(PUBLIC_URL)).hostname or ""
    if "*" in hosts and public not in LOCAL_HOSTS:
        hint = "List the host names in ACCORD_ALLOWED_HOSTS; a forged Host header reaches links otherwise."
        return [Error("Every host name is answered under a public address.", hint=hint, id="accord.E005")]
    if "*" not in hosts and not any(_covers(host, public) for host in hosts):
        hint = f"Add {public} to ACCORD_ALLOWED_HOSTS."
        return [Error("The public address is not among the hosts answered.", hint=hint, id="accord.E006")]
    return []


def _covers(host: str, name: str) -> bool:
    bare = host.strip("[]").lower()
    return bare == name or (bare.startswith(".") and (name == bare[1:] or name.endswith(bare)))


@register(TAG)
def check_database_addresses(**_options: Any) -> list[CheckMessage]:
    """Want two different roles in the two addresses."""
    application, owner = configured(DATABASE_URL), configured(OWNER_DATABASE_URL)
    if owner.name and application.user == owner.user:
        hint = "Give ACCORD_DATABASE_URL a role that owns no tables; row-level security ignores owners."
        return [Error("The application uses the owner's role.", hint=hint, id="accord.E007")]
    return []


@register(TAG, "database")
def check_serving_role(*, databases: Sequence[str] | None = None, **_options: Any) -> list[CheckMessage]:
    """Refuse to serve as a role that row-level security does not hold.

    Django runs it where databases are asked for; `accord_server.wsgi` and ``/readyz`` ask too.
    """
    if not databases or ALIAS not in databases:
        return []
    try:
        fault = serving_role(connections[ALIAS]).fault
    except DatabaseError:
        # The database may come later than the process; readiness says so until then.
        return []
    hint = "Use a plain login role: no SUPERUSER, no BYPASSRLS, owner of nothing."
    return [Error(f"Refusing to serve: {fault}.", hint=hint, id="accord.E008")] if fault else []


@register(TAG)
def check_unknown_variables(**_options: Any) -> list[CheckMessage]:
    """Point at variables with our prefix that nothing reads."""
    known = [row.name for row in SETTINGS]
    return [
        Caution(f"{name} is not a setting of Accord.", hint=_suggest(name, known), id="accord.W001")
        for name in settings.UNKNOWN_VARIABLES
    ]


def _suggest(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]}?" if near else "See docs/reference/settings.md."
