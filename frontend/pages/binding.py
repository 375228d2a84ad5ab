"""The forms that bind a policy to a place and take it off again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from frontend.pages.binding_places import REACHES, TENANT, is_writable, place_words
from frontend.pages.comparison import read_number
from frontend.pages.policy_editor import LONGEST_REASON
from registry.policy_records import PolicyPlace
from registry.queries.policies import WRITE, may_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from accord_server.kit.scope import Scope
    from frontend.pages.binding_places import PlaceForm
    from frontend.pages.shell import Label
    from registry.policy_records import BindingRecord, PolicyRow
    from tenants.records import NamespaceRecord


@dataclass(frozen=True, slots=True)
class ReachChoice:
    """One kind of place."""

    value: str
    label: Label
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class BindPage:
    """The form as it stands; ``now`` is the policy bound to the place already, if it is known.

    ``seen`` and ``seen_at`` say so to the server when the form comes back: the change that bound it, where.
    """

    place: PlaceForm
    policy: str
    policies: tuple[str, ...]
    namespaces: tuple[str, ...]
    reaches: tuple[ReachChoice, ...]
    now: str
    seen: int
    seen_at: str
    reason: str
    error: str
    new_url: str
    back_url: str


@dataclass(frozen=True, slots=True)
class UnbindPage:
    """What is about to be taken off, and where."""

    place: PlaceForm
    policy: str
    words: str
    seen: int
    seen_at: str
    is_late: bool
    reason: str
    back_url: str


def bind_page(
    scope: Scope,
    place: PlaceForm,
    *,
    policy: str,
    policies: Iterable[PolicyRow],
    namespaces: Iterable[NamespaceRecord],
    now: BindingRecord | None = None,
) -> BindPage:
    """Make the form: it offers only what the visitor may do."""
    may_all = may_at(scope, WRITE, PolicyPlace())
    return BindPage(
        place=place,
        policy=policy,
        policies=tuple(row.name for row in policies),
        namespaces=tuple(one.slug for one in namespaces if is_writable(scope, one)),
        reaches=tuple(
            ReachChoice(value, label, value == place.reach)
            for value, label in REACHES.items()
            if value != TENANT or may_all
        ),
        now="" if now is None else now.policy,
        seen=0 if now is None else now.number,
        seen_at=place.address(),
        reason="",
        error="",
        new_url=reverse("frontend:policy-new", args=[scope.tenant.slug]),
        back_url=reverse("frontend:policies", args=[scope.tenant.slug]),
    )


def unbind_page(
    scope: Scope, place: PlaceForm, record: BindingRecord, *, is_late: bool, reason: str
) -> UnbindPage:
    """Make the page that asks; where the answer came too late it asks once more and keeps the reason."""
    return UnbindPage(
        place=place,
        policy=record.policy,
        words=place_words(record),
        seen=record.number,
        seen_at=place.address(),
        is_late=is_late,
        reason=reason,
        back_url=reverse("frontend:policy", args=[scope.tenant.slug, record.policy]),
    )


def read_seen(values: Mapping[str, str], place: PlaceForm) -> int:
    """Return the change that was the newest of a place when its form was shown.

    It is 0 for a place that was free then, and for one that was not shown: what is bound there is shown
    before it is replaced.
    """
    return read_number(values.get("seen", "")) if values.get("seen_at") == place.address() else 0


def read_reason(values: Mapping[str, str]) -> str:
    """Return why something is bound or taken off, as the form says."""
    return values.get("reason", "").replace("\0", "").strip()[:LONGEST_REASON]
