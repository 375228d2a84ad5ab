"""Which records of the audit log are asked for: read from a query, the same for API and pages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from tenants.errors import InvalidDetail
from tenants.queries.audit import WantedRecords
from tenants.records import Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

LONGEST: Final = 4096
# What a filter is called, and what it is in the log.
TEXTS: Final = {
    "actor": "actor",
    "action": "action",
    "object_kind": "object_kind",
    "object": "object_name",
    "outcome": "outcome",
    "namespace": "namespace",
    "token": "token_key_id",
    "request_id": "request_id",
}
TIMES: Final = ("since", "until")
A_MOMENT: Final = "it is a day, 2026-01-31, or a moment with its zone, 2026-01-31T08:00:00Z"
# Every filter: which records are left.
FILTERS: Final = {
    "actor": "of what this principal did",
    "action": "of this action",
    "object_kind": "about things of this kind",
    "object": "about the thing of this name",
    "outcome": f"that ended so: {', '.join(Outcome)}",
    "namespace": "in this namespace",
    "token": "of what was done with this token, by its key id",
    "request_id": "of this request",
    "since": "from this moment on",
    "until": "before this moment",
}


def read_wanted(given: Mapping[str, str], *, beside: Collection[str] = ()) -> WantedRecords:
    """Read filters; empty ones are none. Names in ``beside`` are somebody else's.

    Raises:
        InvalidDetail: Naming the filter that is unknown or cannot be meant.
    """
    for name in given:
        if name not in FILTERS and name not in beside:
            raise InvalidDetail(name[:40], f"there is no such filter; there are: {', '.join(FILTERS)}")
    texts = {column: _text(name, given.get(name, "")) for name, column in TEXTS.items()}
    if texts["outcome"] not in {"", *Outcome}:
        raise InvalidDetail("outcome", f"it is {' or '.join(Outcome)}")
    since, until = (_moment(name, given.get(name, "")) for name in TIMES)
    return WantedRecords(**texts, since=since, until=until)


def _text(name: str, text: str) -> str:
    if len(text) > LONGEST or "\0" in text:
        raise InvalidDetail(name, f"it has at most {LONGEST} characters, none of them NUL")
    return text


def _moment(name: str, text: str) -> datetime | None:
    """Read a moment; a day alone is its beginning in UTC."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidDetail(name, A_MOMENT) from None
    if len(text) == len("2026-01-31"):
        return found.replace(tzinfo=UTC)
    if found.tzinfo is None:
        raise InvalidDetail(name, A_MOMENT)
    return found
