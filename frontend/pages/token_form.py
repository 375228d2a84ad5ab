"""The form that issues a token: what is offered, what was typed, and the command it means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accord_server.kit.networks import Networks, read_network
from accord_server.kit.scope import Grant, PrincipalKind
from frontend.pages.comparison import read_number
from tenants.conditions import MAX_NETWORKS
from tenants.details import LONGEST_DESCRIPTION, LONGEST_NAME
from tenants.grants import EVERYWHERE, MAX_GRANTS, MAX_SELECTORS
from tenants.records import IssueToken
from tenants.rights import PRESETS, RIGHTS
from tenants.selectors import parse_selector
from tenants.services.tokens import DEFAULT_LIFETIME, LONGEST_CI_LIFETIME
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from django.http import QueryDict

    from accord_server.kit.networks import Network
    from accord_server.kit.scope import SubjectSelector
    from frontend.pages.shell import Label

# A preset of this name means that the rights are chosen one by one.
OWN: Final = "own"
FIRST_PRESET: Final = "consumer"
LONGEST: Final = 20_000
MOST_USES: Final = 2**31 - 1
UNITS: Final[dict[str, tuple[Label, timedelta]]] = {
    "d": (gettext_lazy("days"), timedelta(days=1)),
    "h": (gettext_lazy("hours"), timedelta(hours=1)),
    "m": (gettext_lazy("minutes"), timedelta(minutes=1)),
}
Flaws = dict[str, str]


@dataclass(frozen=True, slots=True)
class GrantForm:
    """One part of what the token opens, as it was typed; subjects stand one a line."""

    preset: str = FIRST_PRESET
    rights: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()
    subjects: str = EVERYWHERE


@dataclass(frozen=True, slots=True)
class TokenForm:
    """The whole form as it was typed."""

    name: str = ""
    description: str = ""
    owner: str = ""
    is_ci: bool = False
    grants: tuple[GrantForm, ...] = (GrantForm(),)
    lifetime: str = ""
    unit: str = "d"
    within: str = ""
    outside: str = ""
    max_uses: str = ""

    @property
    def kind(self) -> TokenKind:
        """The kind of token that fits its owner."""
        if self.owner.startswith(f"{PrincipalKind.PERSON}:"):
            return TokenKind.PERSON
        return TokenKind.CI if self.is_ci else TokenKind.SERVICE


def read_form(values: QueryDict) -> TokenForm:
    """Read the form as it was sent; nothing of it is checked yet."""
    count = min(max(read_number(values.get("grants", "1")), 1), MAX_GRANTS)
    return TokenForm(
        name=_line(values, "name", LONGEST_NAME),
        description=_line(values, "description", LONGEST_DESCRIPTION),
        owner=_line(values, "owner", LONGEST_NAME),
        is_ci=values.get("ci") == "on",
        grants=tuple(_read_grant(values, at) for at in range(count)),
        lifetime=_line(values, "lifetime", 6),
        unit=values.get("unit", "d") if values.get("unit") in UNITS else "d",
        within=_text(values, "within"),
        outside=_text(values, "outside"),
        max_uses=_line(values, "max_uses", 10),
    )


def first_form(values: Mapping[str, str], owner: str, namespaces: Iterable[str], days: int) -> TokenForm:
    """Return the form as an address fills it: ``?preset=ci-check&ns=payments&subjects=orders-*``."""
    known = tuple(namespaces)
    asked = tuple(one for one in known if one == values.get("ns", known[0] if len(known) == 1 else ""))
    preset = values.get("preset", FIRST_PRESET)
    subjects = values.get("subjects", EVERYWHERE).replace("\0", "")[:LONGEST]
    grant = GrantForm(preset if preset in PRESETS else OWN, namespaces=asked, subjects=subjects)
    usual = min(DEFAULT_LIFETIME[TokenKind.PERSON].days, days)
    return TokenForm(owner=owner, grants=(grant,), lifetime=str(usual))


def with_one_more(form: TokenForm) -> TokenForm:
    """Return the form with room for one more grant."""
    return replace(form, grants=(*form.grants, GrantForm())[:MAX_GRANTS])


def without(form: TokenForm, at: int) -> TokenForm:
    """Return the form without one of its grants; the last one stays."""
    kept = tuple(one for index, one in enumerate(form.grants) if index != at)
    return replace(form, grants=kept or form.grants)


def read_command(form: TokenForm, ids: Mapping[str, UUID], days: int) -> tuple[IssueToken, Flaws]:
    """Return what the form asks for, and what is wrong with it by the name of the field.

    ``ids`` are those of the namespaces to choose from; a token of the tenant lives ``days`` at most.
    What is wrong is left out of the command, which then says no more than can be said already.
    """
    flaws: Flaws = {}
    grants = tuple(_grant(one, at, ids, flaws) for at, one in enumerate(form.grants))
    if not form.name:
        flaws["name"] = _("Give it a name by which you will know it again.")
    command = IssueToken(
        owner=form.owner,
        kind=form.kind,
        name=form.name,
        description=form.description,
        grants=tuple(one for one in grants if one.rights and one.namespaces != frozenset()),
        lifetime=_lifetime(form, days, flaws),
        max_uses=_max_uses(form, flaws),
        networks=_networks(form, flaws),
    )
    return command, flaws


def _read_grant(values: QueryDict, at: int) -> GrantForm:
    return GrantForm(
        preset=values.get(f"preset-{at}", OWN),
        rights=tuple(name for name in values.getlist(f"right-{at}") if name in RIGHTS),
        namespaces=tuple(values.getlist(f"namespace-{at}")),
        subjects=_text(values, f"subjects-{at}"),
    )


def _grant(form: GrantForm, at: int, ids: Mapping[str, UUID], flaws: Flaws) -> Grant:
    rights = PRESETS[form.preset].rights if form.preset in PRESETS else frozenset(form.rights)
    if not rights:
        flaws[f"rights-{at}"] = _("Choose a preset, or at least one right.")
    namespaces = None if EVERYWHERE in form.namespaces else frozenset(_ids(form, ids))
    if namespaces == frozenset():
        flaws[f"namespace-{at}"] = _("Choose a namespace, or every namespace.")
    return Grant(rights, _subjects(form, at, flaws), namespaces)


def _ids(form: GrantForm, ids: Mapping[str, UUID]) -> Iterable[UUID]:
    return (ids[slug] for slug in form.namespaces if slug in ids)


def _subjects(form: GrantForm, at: int, flaws: Flaws) -> tuple[SubjectSelector, ...]:
    lines = [line.strip() for line in form.subjects.splitlines() if line.strip()]
    found = [parse_selector(line) for line in lines[:MAX_SELECTORS]]
    place = f"subjects-{at}"
    if not lines:
        flaws[place] = _("Name a subject, or write * for every subject.")
    elif len(lines) > MAX_SELECTORS:
        flaws[place] = _("There are at most %(limit)s lines.") % {"limit": MAX_SELECTORS}
    elif None in found:
        flaws[place] = _(
            "Line %(number)s is no subject, no prefix that ends in * and no topic: followed by a name."
        ) % {"number": found.index(None) + 1}
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _lifetime(form: TokenForm, days: int, flaws: Flaws) -> timedelta | None:
    most = min(days, LONGEST_CI_LIFETIME.days) if form.kind is TokenKind.CI else days
    wanted = read_number(form.lifetime) * UNITS[form.unit][1]
    if not wanted:
        flaws["lifetime"] = _("Say how long it is to live: a number above 0.")
    elif wanted > timedelta(days=most):
        flaws["lifetime"] = ngettext(
            "Such a token lives at most %(days)s day.", "Such a token lives at most %(days)s days.", most
        ) % {"days": most}
    return None if "lifetime" in flaws else wanted


def _max_uses(form: TokenForm, flaws: Flaws) -> int | None:
    if not form.max_uses:
        return None
    number = read_number(form.max_uses)
    if not 0 < number <= MOST_USES:
        flaws["max_uses"] = _("Leave it empty, or write a number above 0.")
        return None
    return number


def _networks(form: TokenForm, flaws: Flaws) -> Networks | None:
    within, outside = (_read_networks(form, name, flaws) for name in ("within", "outside"))
    return Networks(within, outside) if within or outside else None


def _read_networks(form: TokenForm, name: str, flaws: Flaws) -> tuple[Network, ...]:
    words = str(getattr(form, name)).replace(",", " ").split()
    if len(words) > MAX_NETWORKS:
        flaws[name] = _("There are at most %(limit)s of them.") % {"limit": MAX_NETWORKS}
    found = []
    for word in words[:MAX_NETWORKS]:
        network = read_network(word)
        if network is None:
            flaws[name] = _("“%(word)s” is no address and no network such as 10.0.0.0/8.") % {
                "word": word[:60]
            }
        else:
            found.append(network)
    return tuple(found)


def _line(values: QueryDict, name: str, longest: int) -> str:
    return values.get(name, "").replace("\0", "").strip()[:longest]


def _text(values: QueryDict, name: str) -> str:
    return values.get(name, "").replace("\0", "").replace("\r\n", "\n")[:LONGEST]
