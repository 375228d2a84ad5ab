"""The page that asks before an older version of a policy counts again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from frontend.pages.comparison import read_number
from frontend.pages.policy import alike, text_diff, whole_diff
from frontend.pages.policy_editor import LONGEST_REASON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frontend.pages.policy import PolicyHead, TextDiff
    from registry.policy_records import PolicyVersionRecord


@dataclass(frozen=True, slots=True)
class RevertForm:
    """Which version comes back, what is known as the newest, and why."""

    to: int
    expected: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RevertPage:
    """What would change against the newest version."""

    head: PolicyHead
    record: PolicyVersionRecord
    diff: TextDiff
    reason: str
    error: str


def read_revert(values: Mapping[str, str], newest: int) -> RevertForm:
    """Read an address or a form; the address knows the newest version only."""
    return RevertForm(
        to=read_number(values.get("to", "")),
        expected=read_number(values["expected"]) if "expected" in values else newest,
        reason=values.get("reason", "").replace("\0", "").strip()[:LONGEST_REASON],
    )


def revert_page(
    head: PolicyHead, newest: PolicyVersionRecord, record: PolicyVersionRecord, *, reason: str, error: str
) -> RevertPage:
    """Make the page."""
    diff = text_diff(alike(newest, record), whole_diff(newest.number, record.number))
    return RevertPage(head, record, diff, reason, error)
