"""The tokens of a tenant: the list, and one of them with what of it was used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from frontend.pages.tabs import tenant_tabs
from tenants.rights import RIGHTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.pages.shell import Label
    from frontend.pages.subject import TabLink
    from frontend.pages.token_words import Sentence
    from tenants.records import SecretRecord, TokenRecord

PAGE_SIZE: Final = 50
RIGHT: Final = "token.manage"
# What a state is called, and the badge it wears.
STATES: Final[dict[str, tuple[Label, str]]] = {
    "pending": (_("Waits for approval"), "warn"),
    "active": (_("Active"), "pass"),
    "suspended": (_("Suspended"), "warn"),
    "expired": (_("Expired"), ""),
    "revoked": (_("Revoked"), "fail"),
    "compromised": (_("Compromised"), "fail"),
}
# What can be done with a token in each state: the word of the form and what its button says.
STEPS: Final[dict[str, tuple[tuple[str, Label], ...]]] = {
    "pending": (("approve", _("Approve")), ("refuse", _("Refuse"))),
    "active": (("suspend", _("Suspend")), ("revoke", _("Revoke for good"))),
    "suspended": (("resume", _("Resume")), ("revoke", _("Revoke for good"))),
    "expired": (("revoke", _("Revoke for good")),),
}
FOR_APPROVERS: Final = frozenset({"approve", "refuse"})
ROLLABLE: Final = frozenset({"active", "suspended"})
GRACES: Final[tuple[tuple[str, Label], ...]] = (
    ("24h", _("for 24 hours")),
    ("7d", _("for 7 days")),
    ("1h", _("for 1 hour")),
    ("0m", _("not at all")),
)


@dataclass(frozen=True, slots=True)
class StateChoice:
    """One state of the filter."""

    value: str
    label: Label
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TokenItem:
    """One row of the list; ``unused`` counts the rights that nobody has needed so far."""

    record: TokenRecord
    url: str
    state: Label
    badge: str
    unused: int


@dataclass(frozen=True, slots=True)
class TokensPage:
    """The list; addresses are empty where there is nothing."""

    tabs: tuple[TabLink, ...]
    url: str
    items: tuple[TokenItem, ...]
    states: tuple[StateChoice, ...]
    owner: str
    sees_all: bool
    is_filtered: bool
    new_url: str
    first_url: str
    next_url: str
    error: str


@dataclass(frozen=True, slots=True)
class TokenPage:
    """One token; ``secret`` is a fresh one, shown this once."""

    item: TokenItem
    sentence: Sentence
    rights: tuple[tuple[str, str], ...]
    old_secret: SecretRecord | None
    steps: tuple[tuple[str, Label], ...]
    can_roll: bool
    graces: tuple[tuple[str, Label], ...]
    url: str
    back_url: str
    secret: str
    error: str
    is_fragment: bool = False


def tokens_page(
    scope: Scope,
    found: Batch[TokenRecord],
    *,
    filters: Mapping[str, str],
    after: str,
    sees_all: bool,
    error: str,
) -> TokensPage:
    """Make the list."""
    url = reverse("frontend:tokens", args=[scope.tenant.slug])
    state = filters.get("state", "")
    choices = [("", _("Any state")), *((value, label) for value, (label, _badge) in STATES.items())]
    return TokensPage(
        tabs=tenant_tabs(scope, "tokens"),
        url=url,
        items=tuple(token_item(scope, record) for record in found.rows),
        states=tuple(StateChoice(value, label, value == state) for value, label in choices),
        owner=filters.get("owner", ""),
        sees_all=sees_all,
        is_filtered=bool(filters),
        new_url=reverse("frontend:token-new", args=[scope.tenant.slug]),
        first_url=_with(url, filters) if after else "",
        next_url=_with(url, {**filters, "after": found.after}) if found.after else "",
        error=error,
    )


def token_page(
    scope: Scope, record: TokenRecord, sentence: Sentence, *, secret: str = "", error: str = ""
) -> TokenPage:
    """Make the page of one token, with the steps that the visitor may take."""
    manages = scope.may(RIGHT)
    steps = STEPS.get(record.state, ()) if manages or record.owner == scope.principal.key else ()
    used = record.use.rights
    return TokenPage(
        item=token_item(scope, record),
        sentence=sentence,
        rights=tuple((name, used.get(name, "")) for name in RIGHTS if name in _granted(record)),
        old_secret=next((one for one in record.secrets if one.expires_at is not None), None),
        steps=tuple(step for step in steps if manages or step[0] not in FOR_APPROVERS),
        can_roll=bool(steps) and record.state in ROLLABLE,
        graces=GRACES,
        url=token_url(scope, record.key_id),
        back_url=reverse("frontend:tokens", args=[scope.tenant.slug]),
        secret=secret,
        error=error,
    )


def token_item(scope: Scope, record: TokenRecord) -> TokenItem:
    """Return a token as lists show it."""
    unused = len(_granted(record) - record.use.rights.keys())
    return TokenItem(record, token_url(scope, record.key_id), *STATES[record.state], unused)


def token_url(scope: Scope, key_id: str) -> str:
    """Return the address of a token's page."""
    return reverse("frontend:token", args=[scope.tenant.slug, key_id])


def read_filters(values: Mapping[str, str]) -> dict[str, str]:
    """Return the filters of an address that say something; a state that is none is no filter."""
    owner, state = values.get("owner", "").replace("\0", "").strip()[:200], values.get("state", "")
    found = {"owner": owner, "state": state if state in STATES else ""}
    return {name: value for name, value in found.items() if value}


def _granted(record: TokenRecord) -> frozenset[str]:
    return frozenset(right for grant in record.grants for right in grant.rights)


def _with(url: str, query: Mapping[str, str]) -> str:
    return f"{url}?{urlencode(query)}" if query else url
