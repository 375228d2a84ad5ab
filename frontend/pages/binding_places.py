"""The places that policies are bound to, as addresses and forms speak of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord.errors import InvalidSubject
from accord.naming import parse_subject, split_subject
from registry.policy_records import PolicyPlace
from registry.queries.policies import WRITE, may_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from accord_server.kit.scope import Scope
    from frontend.pages.shell import Label
    from registry.policy_records import BindingRecord
    from tenants.records import NamespaceRecord

TENANT, NAMESPACE, PREFIX, SUBJECT = "tenant", "namespace", "prefix", "subject"
REACHES: Final[dict[str, Label]] = {
    TENANT: gettext_lazy("The whole tenant"),
    NAMESPACE: gettext_lazy("A namespace"),
    PREFIX: gettext_lazy("Subjects that begin with"),
    SUBJECT: gettext_lazy("One subject"),
}
NAMED: Final = frozenset({PREFIX, SUBJECT})
LONGEST_NAME: Final = 1_024


@dataclass(frozen=True, slots=True)
class PlaceForm:
    """A place as it is written in a form; ``name`` is a subject or what subjects begin with."""

    reach: str = ""
    namespace: str = ""
    name: str = ""

    def address(self, **more: str) -> str:
        """Return the query part of the address that names this place."""
        wanted = {"reach": self.reach, "namespace": self.namespace, "name": self.name, **more}
        return "?" + urlencode({name: value for name, value in wanted.items() if value})


class PlaceFlaw(Exception):
    """A form that names no place; the text says what to change."""


@dataclass(frozen=True, slots=True)
class BoundPlace:
    """Where a policy is bound; ``unbind_url`` is empty for whoever may not take it off."""

    words: str
    url: str
    unbind_url: str


def read_form(values: Mapping[str, str]) -> PlaceForm:
    """Read a place from an address or a form; nonsense counts as absent."""
    reach, namespace, name = (
        values.get(one, "").replace("\0", "").strip() for one in ("reach", "namespace", "name")
    )
    return PlaceForm(
        reach if reach in REACHES else "", namespace[:100], name[:LONGEST_NAME] if reach in NAMED else ""
    )


def write_form(place: PolicyPlace) -> PlaceForm:
    """Return what a form says of a place."""
    if place.namespace is None:
        return PlaceForm(TENANT)
    if place.subject is None:
        return PlaceForm(NAMESPACE, place.namespace.slug)
    return PlaceForm(PREFIX if place.is_prefix else SUBJECT, place.namespace.slug, place.subject.qualified)


def place_of_form(form: PlaceForm, namespaces: Iterable[NamespaceRecord]) -> PolicyPlace:
    """Return the place that a form means.

    Raises:
        PlaceFlaw: Something is missing, or cannot exist.
    """
    if form.reach == TENANT:
        return PolicyPlace()
    found = next((one.ref for one in namespaces if one.slug == form.namespace), None)
    if not form.reach or found is None:
        raise PlaceFlaw(_("Choose the namespace and what in it the policy is for."))
    if form.reach == NAMESPACE:
        return PolicyPlace(found)
    if not form.name:
        raise PlaceFlaw(_("Write the subject, or what the subjects begin with."))
    try:
        read = split_subject if form.reach == PREFIX else parse_subject
        return PolicyPlace(found, read(form.name), form.reach == PREFIX)
    except InvalidSubject:
        raise PlaceFlaw(_("No subject can be named so. Write the name as it stands in the list.")) from None


def bind_url(scope: Scope, place: PolicyPlace, *, policy: str = "") -> str:
    """Return the address of the form that binds a policy to a place."""
    return reverse("frontend:policy-bind", args=[scope.tenant.slug]) + write_form(place).address(
        policy=policy
    )


def bound_place(scope: Scope, record: BindingRecord, namespaces: Iterable[NamespaceRecord]) -> BoundPlace:
    """Return a binding as lists show it; the place leads to what is in force there."""
    reach = record.place.reach.name.lower()
    form = PlaceForm(reach, record.namespace or "", record.place.name if reach in NAMED else "")
    place = place_of_form(form, namespaces)
    unbind = reverse("frontend:policy-unbind", args=[scope.tenant.slug])
    return BoundPlace(
        words=place_words(record),
        url=_url(scope, place),
        unbind_url=unbind + form.address() if may_at(scope, WRITE, place) else "",
    )


def place_words(record: BindingRecord) -> str:
    """Return where a policy is bound, with the namespace of what lies in one."""
    words = str(record.place)
    if record.place.reach.name.lower() not in NAMED:
        return words
    return _("%(place)s in %(namespace)s") % {"place": words, "namespace": record.namespace}


def is_writable(scope: Scope, namespace: NamespaceRecord) -> bool:
    """Tell whether policies may be bound to something in a namespace."""
    return bool(replace(scope, namespace=namespace.ref).selectors(WRITE))


def _url(scope: Scope, place: PolicyPlace) -> str:
    tenant = scope.tenant.slug
    if place.namespace is None:
        return ""
    if place.subject is None:
        return reverse("frontend:namespace-policy", args=[tenant, place.namespace.slug])
    if place.is_prefix:
        return ""
    return reverse("frontend:subject-policy", args=[tenant, place.namespace.slug, place.subject])
