"""The one table of what a tenant has a limited share of: resources, by name, with what counts by default."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import (
    CHECK_WAITERS_PER_TENANT,
    OPEN_CHECKS,
    QUOTA_NAMESPACES,
    QUOTA_REQUESTS,
    QUOTA_SCHEMA_BYTES,
    QUOTA_STORED_BYTES,
    QUOTA_SUBJECTS,
    QUOTA_TOKENS,
    QUOTA_VERSIONS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord_server.kit.settings_table import Setting


class Measure(StrEnum):
    """How a limit is met: by all that is stored, by one thing, by a second, by what goes on at a time."""

    STORED = "stored"
    EACH = "each"
    SECOND = "second"
    AT_ONCE = "at_once"


@dataclass(frozen=True, slots=True)
class Resource:
    """One thing that there is a limited amount of; ``name`` is never reused.

    ``things`` follows a number in a sentence, ``advice`` says what to do at the limit. ``has_none`` is True
    where 0 sets no limit, as everywhere but for what goes on at a time.
    """

    name: str
    measure: Measure
    things: str
    setting: Setting[int]
    advice: str
    has_none: bool = True


ASK: Final = "ask whoever runs the installation for a higher limit"
DELETE: Final = f"Delete one that nobody needs, or {ASK}."
PURGE: Final = f"Delete for good what nobody needs, or {ASK}."

ROWS: Final = (
    Resource(
        "namespaces", Measure.STORED, "namespaces", QUOTA_NAMESPACES, DELETE
    ),
    Resource("subjects", Measure.STORED, "subjects", QUOTA_SUBJECTS, PURGE),
    Resource("versions", Measure.STORED, "versions of subjects and modules", QUOTA_VERSIONS, PURGE),
    Resource("stored_bytes", Measure.STORED, "bytes of schemas", QUOTA_STORED_BYTES, PURGE),
    Resource(
        "tokens", Measure.STORED, "tokens", QUOTA_TOKENS, f"Revoke one that nobody needs, or {ASK}."
    ),
    Resource(
        "schema_bytes",
        Measure.EACH,
        "bytes in one schema",
        QUOTA_SCHEMA_BYTES,
        f"Split the schema by references, or {ASK}.",
    ),
    Resource(
        "requests_per_second",
        Measure.SECOND,
        "requests a second in each process of a server",
        QUOTA_REQUESTS,
        f"Wait as long as Retry-After says, keep what was read, or {ASK}.",
    ),
    Resource(
        "open_checks",
        Measure.AT_ONCE,
        "asynchronous checks that are not finished",
        OPEN_CHECKS,
        f"Wait until one is finished, or {ASK}.",
        has_none=False,
    ),
    Resource(
        "waiting_checks",
        Measure.AT_ONCE,
        "requests that wait for a worker in one process",
        CHECK_WAITERS_PER_TENANT,
        f"Send the request again later, or {ASK}.",
        has_none=False,
    ),
)  # fmt: skip

RESOURCES: Final = {row.name: row for row in ROWS}
STORED: Final = tuple(row.name for row in ROWS if row.measure is Measure.STORED)
# Of a limit that is set, the share in use from which on somebody is told.
WARNING_PERCENT: Final = 80


@dataclass(frozen=True, slots=True)
class SetLimits:
    """The limits that were set for a tenant by whoever runs the installation, and by its own people."""

    limits: Mapping[str, int] = field(default_factory=dict)
    own: Mapping[str, int] = field(default_factory=dict)

    def ceiling(self, name: str) -> int:
        """Return what whoever runs the installation allows; 0 is no limit, but for what goes on at a time."""
        return self.limits.get(name, default_limit(name))

    def in_force(self, name: str) -> int:
        """Return the limit that counts: what the tenant's people set where that is lower."""
        highest, own = self.ceiling(name), self.own.get(name, 0)
        if not own:
            return highest
        return own if RESOURCES[name].has_none and not highest else min(own, highest)


def default_limit(name: str) -> int:
    """Return what counts where nothing is set for the tenant."""
    return configured(RESOURCES[name].setting)


def is_near(used: int, limit: int) -> bool:
    """Tell whether so much of a limit is in use that somebody should know; 0 is no limit."""
    return limit > 0 and used * 100 >= limit * WARNING_PERCENT
