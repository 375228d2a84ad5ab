"""The frame around every page: where one is, who one is, how it looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accord_server.kit.request_id import request_id_of
from frontend.theme import Theme, theme_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

Label = str | Promise


@dataclass(frozen=True, slots=True)
class Crumb:
    """One step of the way to this page; the last one has no address."""

    label: Label
    url: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a page tells its frame: title, way, and how much room it wants."""

    title: Label
    crumbs: tuple[Crumb, ...] = ()
    width: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class ThemeChoice:
    """One button of the theme switch."""

    value: Theme
    label: Label
    icon: str
    is_chosen: bool


THEMES: Final[tuple[tuple[Theme, Label, str], ...]] = (
    (Theme.LIGHT, _("Light"), "sun"),
    (Theme.DARK, _("Dark"), "moon"),
    (Theme.SYSTEM, _("System"), "screen"),
)


@dataclass(frozen=True, slots=True)
class Shell:
    """Everything the base template prints."""

    frame: Frame
    theme: Theme
    user_name: str
    path: str
    request_id: str
    search_url: str = ""

    @property
    def themes(self) -> tuple[ThemeChoice, ...]:
        """The buttons of the theme switch."""
        return tuple(ThemeChoice(value, label, icon, value is self.theme) for value, label, icon in THEMES)

    @property
    def user_initials(self) -> str:
        """At most two letters for the round face."""
        return self.user_name[:2]


def render_page(
    request: HttpRequest, template: str, *, page: object, frame: Frame, status: int = 200
) -> HttpResponse:
    """Render a page inside its frame."""
    context = {"page": page, "shell": shell_of(request, frame, user_name=_user_name(request))}
    return render(request, f"frontend/{template}", context, status=status)


def shell_of(request: HttpRequest, frame: Frame, *, user_name: str = "") -> Shell:
    """Build the frame; without a name it is that of somebody who is not signed in."""
    return Shell(
        frame=frame,
        theme=theme_of(request),
        user_name=user_name,
        path=request.get_full_path(),
        request_id=request_id_of(request.META),
        # A page without a way is a refusal or of no tenant: the tenant of its address may not be seen.
        search_url=_search_url(request) if user_name and frame.crumbs else "",
    )


def crumbs_to(tenant: str, namespace: str = "", *further: Crumb) -> tuple[Crumb, ...]:
    """Return the way to a tenant, a namespace in it, and further."""
    way = [Crumb(tenant, reverse("frontend:tenant", args=[tenant]))]
    if namespace:
        way.append(Crumb(namespace, reverse("frontend:subjects", args=[tenant, namespace])))
    return (*way, *further)


def _search_url(request: HttpRequest) -> str:
    """Return where the tenant of a page is searched, if it has one."""
    found = request.resolver_match
    tenant = found.kwargs.get("tenant") if found is not None else None
    return reverse("frontend:search", args=[tenant]) if tenant else ""


def _user_name(request: HttpRequest) -> str:
    user = getattr(request, "user", None)
    return user.get_username() if user is not None and user.is_authenticated else ""
