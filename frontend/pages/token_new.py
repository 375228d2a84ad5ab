"""The page of the form that issues a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from frontend.pages.token_form import OWN, UNITS
from tenants.grants import EVERYWHERE, MAX_GRANTS
from tenants.rights import PRESETS, RIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from frontend.pages.shell import Label
    from frontend.pages.token_form import GrantForm, TokenForm
    from frontend.pages.token_words import Sentence
    from tenants.records import NamespaceRecord, PrincipalRecord, TokenRules

OWN_RIGHTS: Final = _("Choose the rights one by one")


@dataclass(frozen=True, slots=True)
class Option:
    """Something to choose."""

    value: str
    label: Label
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class GrantFields:
    """The fields of one grant, and what is wrong with them."""

    at: int
    place: str
    presets: tuple[Option, ...]
    rights: tuple[Option, ...]
    namespaces: tuple[Option, ...]
    subjects: str
    rights_flaw: str
    namespace_flaw: str
    subjects_flaw: str


@dataclass(frozen=True, slots=True)
class Offer:
    """What the visitor may choose from: namespaces, owners beside themselves, within the tenant's rules."""

    namespaces: tuple[NamespaceRecord, ...]
    rules: TokenRules
    owners: tuple[PrincipalRecord, ...] = ()

    @property
    def days(self) -> int:
        """How long a token of the tenant lives at most."""
        return self.rules.lifetime_days or 0

    @property
    def ids(self) -> dict[str, UUID]:
        """The ids of the namespaces by slug."""
        return {one.slug: one.id for one in self.namespaces}


@dataclass(frozen=True, slots=True)
class TokenNewPage:
    """The form as it stands, with what the token would be able to do."""

    form: TokenForm
    flaws: Mapping[str, str]
    owners: tuple[Option, ...]
    grants: tuple[GrantFields, ...]
    units: tuple[Option, ...]
    days: int
    needs_approval: bool
    can_add: bool
    sentence: Sentence
    back_url: str
    error: str
    is_fragment: bool = False


def token_new_page(
    scope: Scope, form: TokenForm, sentence: Sentence, offer: Offer, *, flaws: Mapping[str, str]
) -> TokenNewPage:
    """Make the form."""
    slugs = tuple(offer.ids)
    keys = tuple(dict.fromkeys((scope.principal.key, *(one.key for one in offer.owners))))
    return TokenNewPage(
        form=form,
        flaws=flaws,
        owners=tuple(Option(key, key, key == form.owner) for key in keys),
        grants=tuple(_fields(at, one, slugs, flaws) for at, one in enumerate(form.grants)),
        units=tuple(Option(unit, label, unit == form.unit) for unit, (label, _length) in UNITS.items()),
        days=offer.days,
        needs_approval=bool(offer.rules.approval) and not scope.may("token.manage"),
        can_add=len(form.grants) < MAX_GRANTS,
        sentence=sentence,
        back_url=reverse("frontend:tokens", args=[scope.tenant.slug]),
        # Where there is no choice of owners, no field could say what is wrong with one.
        error=flaws.get("", "") or (flaws.get("owner", "") if len(keys) == 1 else ""),
    )


def _fields(at: int, form: GrantForm, slugs: Iterable[str], flaws: Mapping[str, str]) -> GrantFields:
    presets: list[tuple[str, Label]] = [(one.name, f"{one.name}: {one.summary}") for one in PRESETS.values()]
    presets.append((OWN, OWN_RIGHTS))
    chosen = form.preset if form.preset in PRESETS else OWN
    everywhere = Option(EVERYWHERE, _("Every namespace, later ones too"), EVERYWHERE in form.namespaces)
    return GrantFields(
        at=at,
        place=str(at),
        presets=tuple(Option(name, label, name == chosen) for name, label in presets),
        rights=tuple(Option(one.name, one.meaning, one.name in form.rights) for one in RIGHTS.values()),
        namespaces=(everywhere, *(Option(slug, slug, slug in form.namespaces) for slug in slugs)),
        subjects=form.subjects,
        rights_flaw=flaws.get(f"rights-{at}", ""),
        namespace_flaw=flaws.get(f"namespace-{at}", ""),
        subjects_flaw=flaws.get(f"subjects-{at}", ""),
    )
